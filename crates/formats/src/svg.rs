use std::fmt::Write as _;

use amazons_rules::Color;

use crate::apart::apart;
use crate::picture::{Ink, LABEL_HEIGHT, Picture, Shape};
use crate::{CannotWrite, Format, Game, Look};

/// A drawing of the last position, for light and dark pages.
pub const SVG: Format = Format { name: "svg", extensions: &["svg"], writer: write, reader: None };

fn write(game: &Game, look: &Look) -> Result<Vec<u8>, CannotWrite> {
    let picture = Picture::last(game, look.shading);
    let scale = look.size as f32 / picture.width.max(picture.height);
    let mut out = String::new();
    let (width, height) = ((picture.width * scale).round(), (picture.height * scale).round());
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {} {}\" role=\"img\" \
         aria-labelledby=\"title description\">",
        picture.width, picture.height
    );
    let _ = writeln!(out, "<title id=\"title\">{}</title>", escape_xml(&title(game)));
    let _ = writeln!(out, "<desc id=\"description\">{}</desc>", escape_xml(&description(game)));
    style(&mut out);
    shapes(&mut out, &picture);
    out.push_str("</svg>\n");
    Ok(out.into_bytes())
}

/// Names the players and the board.
pub(crate) fn title(game: &Game) -> String {
    let name = |color| apart(game.name(color).unwrap_or("?"));
    let board = game.board();
    let shape = board.shape().map_or("rectangle", |shape| shape.name());
    let (black, white) = (name(Color::Black), name(Color::White));
    format!("Amazons: {black} (black) and {white} (white) on a {shape} of {} x {}", board.columns(), board.rows())
}

/// Describes the last move and all stones.
fn description(game: &Game) -> String {
    let board = game.board();
    let list = |vertices: Vec<u32>| match &vertices[..] {
        [] => "none".to_owned(),
        _ => vertices.into_iter().map(|vertex| board.square(vertex)).collect::<Vec<_>>().join(" "),
    };
    let position = game.position();
    let queens = |color| {
        let mut queens = position.queens(color).to_vec();
        queens.sort_unstable();
        list(queens)
    };
    let last = game.moves().last().map_or_else(
        || "Before the first move.".to_owned(),
        |played| format!("After move {}, {}.", game.moves().len(), board.move_text(played.mv)),
    );
    format!(
        "{last} Black queens: {}. White queens: {}. Arrows: {}. {}.",
        queens(Color::Black),
        queens(Color::White),
        list(position.arrows().collect()),
        game.result().map_or_else(|| format!("{} is to move", position.side_to_move()), |words| words.join(": "))
    )
}

/// Escapes XML's special characters; control characters, which XML cannot hold, become U+FFFD.
pub(crate) fn escape_xml(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            control if control.is_control() || matches!(control, '\u{fffe}' | '\u{ffff}') => {
                escaped.push(char::REPLACEMENT_CHARACTER);
            }
            other => escaped.push(other),
        }
    }
    escaped
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Writes the colours; a page may override them with variables of the same names.
fn style(out: &mut String) {
    out.push_str("<style>\n");
    for (name, day, _) in Ink::ALL.map(Ink::look) {
        let _ = writeln!(out, ".{name}{{--ink:var(--{name},{})}}", hex(day));
    }
    out.push_str("@media (prefers-color-scheme:dark){\n");
    for (name, _, night) in Ink::ALL.map(Ink::look) {
        let _ = writeln!(out, ".{name}{{--ink:var(--{name},{})}}", hex(night));
    }
    out.push_str(
        "}\ng>*{fill:var(--ink)}\ng>path{shape-rendering:crispEdges}\ng>polyline{fill:none;stroke:var(--ink);stroke-linecap:round;stroke-linejoin:round}\n",
    );
    let _ =
        writeln!(out, "text{{font:{}px sans-serif;text-anchor:middle;dominant-baseline:central}}", LABEL_HEIGHT * 1.25);
    out.push_str("</style>\n");
}

/// Writes a group for each run of one ink, and all its rectangles as one path.
fn shapes(out: &mut String, picture: &Picture) {
    for run in picture.shapes.chunk_by(|one, two| one.0 == two.0) {
        let Some((ink, _)) = run.first() else { continue };
        let _ = write!(out, "<g class=\"{}\">", ink.look().0);
        let squares: String = run.iter().filter_map(|(_, shape)| rectangle(shape)).collect();
        if !squares.is_empty() {
            let _ = write!(out, "<path d=\"{squares}\"/>");
        }
        run.iter().for_each(|(_, shape)| element(out, shape));
        out.push_str("</g>\n");
    }
}

fn rectangle(shape: &Shape) -> Option<String> {
    let Shape::Rectangle([x, y, width, height]) = shape else { return None };
    Some(format!("M{x} {y}h{width}v{height}h-{width}z"))
}

fn element(out: &mut String, shape: &Shape) {
    let list = |points: &[[f32; 2]]| {
        let rounded = |at: f32| (at * 10.0).round() / 10.0;
        points.iter().map(|[x, y]| format!("{},{}", rounded(*x), rounded(*y))).collect::<Vec<_>>().join(" ")
    };
    let _ = match shape {
        Shape::Rectangle(_) => Ok(()),
        Shape::Disc([x, y, radius]) => write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>"),
        Shape::Polygon(points) => write!(out, "<polygon points=\"{}\"/>", list(points)),
        Shape::Line(points, width) => {
            write!(out, "<polyline stroke-width=\"{width}\" points=\"{}\"/>", list(points))
        }
        // The same text is narrower in most fonts than in strokes.
        Shape::Text([x, y], height, text) => {
            let style = format!("font-size:{}px;text-anchor:start", (height * 12.5).round() / 10.0);
            write!(out, "<text x=\"{x}\" y=\"{y}\" style=\"{style}\">{}</text>", escape_xml(text))
        }
        Shape::Word([x, y], text) => write!(out, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape_xml(text)),
    };
}
