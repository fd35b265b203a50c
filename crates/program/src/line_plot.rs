use std::fmt::Write as _;

use crate::axis::Axis;
use crate::text_table::escaped;

/// A plot of lines as a picture: SVG that stands alone and reads well on light and on dark ground.
///
/// ```
/// use amazons_program::LinePlot;
///
/// let mut plot = LinePlot::new("times", "processes", "seconds");
/// plot.line("measured", [(1.0, 2.5), (2.0, 1.25)]);
/// assert!(plot.to_svg().contains("<polyline"));
/// ```
#[derive(Clone, Debug)]
pub struct LinePlot {
    title: String,
    x_label: String,
    y_label: String,
    lines: Vec<Curve>,
}

#[derive(Clone, Debug)]
struct Curve {
    name: String,
    points: Vec<(f64, f64)>,
}

/// The picture, and the frame within it.
const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 440.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 530.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 380.0;
/// About as many marks on an axis.
const MARKS: f64 = 6.0;
/// Lines of more points have no dots.
const DOTS_MAX: usize = 50;
/// Colours that people with any kind of sight tell apart, on white and on black.
const COLORS: [&str; 7] = ["#0077bb", "#ee7733", "#009988", "#cc3311", "#aa66cc", "#999933", "#888888"];

impl LinePlot {
    /// Makes a plot without lines.
    pub fn new(title: impl Into<String>, x_label: impl Into<String>, y_label: impl Into<String>) -> Self {
        Self { title: title.into(), x_label: x_label.into(), y_label: y_label.into(), lines: Vec::new() }
    }

    /// Adds a line through these points; without a name it stands in no legend.
    pub fn line(&mut self, name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) {
        self.lines.push(Curve { name: name.into(), points: points.into_iter().collect() });
    }

    /// Returns the picture as a file. The vertical axis has 0 on it.
    pub fn to_svg(&self) -> String {
        self.draw(r#"xmlns="http://www.w3.org/2000/svg" "#)
    }

    /// Returns the picture as part of a page.
    pub fn to_html(&self) -> String {
        self.draw("")
    }

    fn draw(&self, attributes: &str) -> String {
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let least = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(f64::INFINITY, f64::min);
        let most = |numbers: &mut dyn Iterator<Item = f64>| numbers.fold(f64::NEG_INFINITY, f64::max);
        let (first, last) = (least(&mut all().map(|it| it.0)), most(&mut all().map(|it| it.0)));
        let highest = most(&mut all().map(|it| it.1).chain([f64::MIN_POSITIVE]));
        let lowest = least(&mut all().map(|it| it.1).chain([0.0]));
        let (mut x, y) =
            (Axis::new([first, last], [LEFT, RIGHT], MARKS), Axis::new([lowest, highest], [BOTTOM, TOP], MARKS));
        if all().all(|it| it.0.fract() == 0.0) {
            // There is nothing between two processes and three.
            x.step = x.step.max(1.0);
        }
        let mut svg = self.frame(attributes);
        for mark in x.marks() {
            let at = x.at(mark);
            let _ = writeln!(svg, r#"<path class="grid" d="M{at:.1} {TOP}V{BOTTOM}"/>"#);
            let _ =
                writeln!(svg, r#"<text x="{at:.1}" y="{}" text-anchor="middle">{}</text>"#, BOTTOM + 18.0, tidy(mark));
        }
        for mark in y.marks() {
            let at = y.at(mark);
            let _ = writeln!(svg, r#"<path class="grid" d="M{LEFT} {at:.1}H{RIGHT}"/>"#);
            let (left, below) = (LEFT - 8.0, at + 4.0);
            let _ = writeln!(svg, r#"<text x="{left}" y="{below:.1}" text-anchor="end">{}</text>"#, tidy(mark));
        }
        for (index, (line, color)) in self.lines.iter().zip(COLORS.iter().cycle()).enumerate() {
            // Lines beyond the number of colours are dashed.
            let dash = if index < COLORS.len() { "" } else { r#" stroke-dasharray="6 4""# };
            let place = |&(at, value): &(f64, f64)| format!("{:.1},{:.1}", x.at(at), y.at(value));
            let points: Vec<_> = line.points.iter().map(place).collect();
            let _ = writeln!(svg, r#"<polyline stroke="{color}"{dash} points="{}"/>"#, points.join(" "));
            for point in line.points.iter().filter(|_| line.points.len() <= DOTS_MAX) {
                let (x, y) = (x.at(point.0), y.at(point.1));
                let _ = writeln!(svg, r#"<circle fill="{color}" cx="{x:.1}" cy="{y:.1}" r="3"/>"#);
            }
            if line.name.is_empty() {
                continue;
            }
            let (left, at) = (RIGHT + 16.0, TOP + 8.0 + 20.0 * index as f64);
            let _ = writeln!(svg, r#"<path stroke="{color}"{dash} stroke-width="2" d="M{left} {at}h22"/>"#);
            let _ = writeln!(svg, r#"<text x="{}" y="{}">{}</text>"#, left + 28.0, at + 4.0, escaped(&line.name));
        }
        svg + "</svg>\n"
    }

    /// Returns the beginning of the picture: style, title, frame and labels.
    fn frame(&self, attributes: &str) -> String {
        let (title, x, y) = (escaped(&self.title), escaped(&self.x_label), escaped(&self.y_label));
        let (middle, center) = (f64::midpoint(LEFT, RIGHT), f64::midpoint(TOP, BOTTOM));
        format!(
            r##"<svg {attributes}viewBox="0 0 {WIDTH} {HEIGHT}" role="img">
<title>{title}</title>
<style>
text {{ font: 13px sans-serif; fill: #222 }}
polyline {{ fill: none; stroke-width: 2 }}
.ground {{ fill: #fff }}
.frame {{ fill: none; stroke: #777 }}
.grid {{ stroke: #ddd }}
@media (prefers-color-scheme: dark) {{
text {{ fill: #ddd }}
.ground {{ fill: #161616 }}
.grid {{ stroke: #3a3a3a }}
}}
</style>
<rect class="ground" width="{WIDTH}" height="{HEIGHT}"/>
<text x="{middle}" y="24" text-anchor="middle" font-weight="bold">{title}</text>
<text x="{middle}" y="{}" text-anchor="middle">{x}</text>
<text transform="translate(18 {center}) rotate(-90)" text-anchor="middle">{y}</text>
<path class="frame" d="M{LEFT} {TOP}V{BOTTOM}H{RIGHT}"/>
"##,
            HEIGHT - 20.0
        )
    }
}

/// Returns a number without the noise of its last digits.
fn tidy(number: f64) -> String {
    let text = format!("{number:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
