//! Plots as SVG that stands in a page; colours come from its style sheet.

use std::fmt::Write;

use super::escaped;
use crate::tournament::standings::SprtRow;

const WIDTH: f64 = 720.0;
/// Room for names at the left.
const LEFT: f64 = 170.0;
const RIGHT: f64 = 20.0;
const ROW: f64 = 22.0;

/// Maps numbers to pixels.
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    fn at(&self, value: f64) -> f64 {
        self.from + (value.clamp(self.low, self.high) - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns round numbers along the axis, about five of them.
    fn ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let unit = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * unit).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(unit * 10.0);
        let mut ticks = Vec::new();
        let mut tick = (self.low / step).ceil() * step;
        while tick <= self.high && ticks.len() < 20 {
            ticks.push(if tick.abs() < step / 2.0 { 0.0 } else { tick });
            tick += step;
        }
        ticks
    }
}

/// Draws the rating of each player with its 95 % interval.
pub(in crate::tournament) fn ratings(bars: &[(&str, f64, f64)]) -> String {
    let bounds = bars.iter().flat_map(|(_, points, error)| [points - error, points + error]);
    let (low, high) = bounds.fold((-50.0_f64, 50.0_f64), |(low, high), bound| (low.min(bound), high.max(bound)));
    let axis = Axis { low, high, from: LEFT, to: WIDTH - RIGHT };
    let height = ROW * (bars.len() as f64 + 1.5);
    let mut svg = open(height, "ratings with 95 % intervals");
    let foot = ROW * bars.len() as f64 + 4.0;
    for tick in axis.ticks() {
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
    const HEIGHT: f64 = 220.0;
    let last = sprt.history.last().map_or(1, |(pairs, _)| *pairs).max(1);
    let values = sprt.history.iter().map(|(_, llr)| *llr);
    let (low, high) = values.fold((sprt.lower, sprt.upper), |(low, high), llr| (low.min(llr), high.max(llr)));
    let x = Axis { low: 0.0, high: last as f64, from: 50.0, to: WIDTH - RIGHT };
    let y = Axis { low: low - 0.2, high: high + 0.2, from: HEIGHT - 24.0, to: 6.0 };
    let mut svg = open(HEIGHT, "log-likelihood ratio over pairs");
    for tick in x.ticks() {
        let _ = write!(svg, "<text class=tick x={:.1} y={:.1}>{tick:.0}</text>", x.at(tick), HEIGHT - 6.0);
    }
    for (value, class) in [(sprt.lower, "bound"), (0.0, "grid"), (sprt.upper, "bound")] {
        let at = y.at(value);
        let _ = write!(svg, "<line class={class} x1=50 y1={at:.1} x2={:.1} y2={at:.1} />", WIDTH - RIGHT);
        let _ = write!(svg, "<text class=name x=44 y={:.1}>{value:.2}</text>", at + 4.0);
    }
    svg.push_str("<polyline class=curve points=\"");
    let _ = write!(svg, "{:.1},{:.1}", x.at(0.0), y.at(0.0));
    for (pairs, llr) in &sprt.history {
        let _ = write!(svg, " {:.1},{:.1}", x.at(*pairs as f64), y.at(*llr));
    }
    svg.push_str("\" /></svg>");
    svg
}

fn open(height: f64, label: &str) -> String {
    format!("<svg role=img aria-label=\"{label}\" viewBox=\"0 0 {WIDTH} {height:.0}\">")
}
