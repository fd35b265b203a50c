//! Plots as SVG that stands in a page; colours come from its style sheet.

use std::fmt::Write;

use amazons_program::{Axis, LinePlot, escaped};

use crate::tournament::standings::SprtRow;

const WIDTH: f64 = 720.0;
/// Room for names at the left.
const LEFT: f64 = 170.0;
const RIGHT: f64 = 20.0;
const ROW: f64 = 22.0;
/// About as many marks on an axis.
const MARKS: f64 = 5.0;

/// Draws the rating of each player with its 95 % interval.
pub(in crate::tournament) fn ratings(bars: &[(&str, f64, f64)]) -> String {
    let bounds = bars.iter().flat_map(|(_, points, error)| [points - error, points + error]);
    let (low, high) = bounds.fold((-50.0_f64, 50.0_f64), |(low, high), bound| (low.min(bound), high.max(bound)));
    let axis = Axis::new([low, high], [LEFT, WIDTH - RIGHT], MARKS);
    let height = ROW * (bars.len() as f64 + 1.5);
    let label = "ratings with 95 % intervals";
    let mut svg = format!("<svg role=img aria-label=\"{label}\" viewBox=\"0 0 {WIDTH} {height:.0}\">");
    let foot = ROW * bars.len() as f64 + 4.0;
    for tick in axis.marks() {
        let x = axis.at(tick);
        let _ = write!(svg, "<line class=grid x1={x:.1} y1=0 x2={x:.1} y2={foot:.1} />");
        let _ = write!(svg, "<text class=tick x={x:.1} y={:.1}>{tick:+.0}</text>", foot + 16.0);
    }
    for (index, &(name, points, error)) in bars.iter().enumerate() {
        let y = ROW * (index as f64 + 0.5) + 2.0;
        let [x, from, to] = [points, points - error, points + error].map(|points| axis.at(points));
        let name = escaped(name);
        let _ = write!(svg, "<text class=name x={:.1} y={:.1}>{name}</text>", LEFT - 10.0, y + 4.0);
        let _ = write!(svg, "<line class=bar x1={from:.1} y1={y:.1} x2={to:.1} y2={y:.1} />");
        let _ = write!(
            svg,
            "<circle class=dot cx={x:.1} cy={y:.1} r=4><title>{name} {points:+.0} +- {error:.0}</title></circle>"
        );
    }
    svg.push_str("</svg>");
    svg
}

/// Draws the log-likelihood ratio after each pair, between the bounds.
pub(super) fn llr(sprt: &SprtRow) -> String {
    let points = || [(0, 0.0)].into_iter().chain(sprt.history.iter().copied());
    let last = points().last().map_or(1, |(pairs, _)| pairs.max(1));
    let mut plot = LinePlot::new("log-likelihood ratio", "pairs", "ratio");
    plot.line("ratio", points().map(|(pairs, llr)| (pairs as f64, llr)));
    for (name, bound) in [("lower bound", sprt.lower), ("upper bound", sprt.upper)] {
        plot.line(name, [(0.0, bound), (last as f64, bound)]);
    }
    plot.to_html()
}
