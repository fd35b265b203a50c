use std::fmt::Write as _;

use amazons_rules::{Color, Position, Vertex};

use super::points::{self, Grid};
use crate::{BoardName, CannotWrite, Ending, Game, GameOutcome, Mark, PlayedMove, seconds};

pub(crate) fn write(game: &Game) -> Result<String, CannotWrite> {
    let board = game.board();
    let (columns, rows) = (board.columns(), board.rows());
    if columns.max(rows) > points::MAX {
        return Err(CannotWrite::TooLarge { format: "SGF", columns, rows, max: points::MAX });
    }
    let grid = Grid { columns, rows };
    let mut out = String::from("(;FF[4]GM[18]CA[UTF-8]");
    property(&mut out, "AP", &format!("amazons:{}", env!("CARGO_PKG_VERSION")));
    property(&mut out, "SZ", &if columns == rows { columns.to_string() } else { format!("{columns}:{rows}") });
    out.push('\n');
    details(&mut out, game);
    set_up(&mut out, game.start(), grid);
    for (ply, played) in game.moves().iter().enumerate() {
        let mut color = game.start().side_to_move();
        if ply % 2 == 1 {
            color = color.opposite();
        }
        a_move(&mut out, played, color, grid);
    }
    out.push_str(")\n");
    Ok(out)
}

fn details(out: &mut String, game: &Game) {
    let details = &game.details;
    let written = [
        ("PB", &details.black),
        ("PW", &details.white),
        ("EV", &details.event),
        ("PC", &details.site),
        ("DT", &details.date),
        ("RO", &details.round),
        ("AN", &details.annotator),
        ("SO", &details.program),
        ("OT", &details.time_control),
        ("C", &game.comment),
    ];
    for (name, value) in written {
        if let Some(value) = value {
            property(out, name, value);
        }
    }
    if let Some(outcome) = &game.outcome {
        property(out, "RE", &result(outcome));
        if let Some(ending) = outcome.ending {
            property(out, "XE", ending.name());
        }
        if let Some(detail) = &outcome.detail {
            property(out, "GC", detail);
        }
    }
    out.push('\n');
}

/// Writes the winner and the ending in SGF's terms.
fn result(outcome: &GameOutcome) -> String {
    let Some(winner) = outcome.winner else {
        return if outcome.ending.is_some() { "Void" } else { "0" }.to_owned();
    };
    let kind = match outcome.ending {
        None | Some(Ending::NoMoves | Ending::Counted) => "",
        Some(Ending::Timeout) => "T",
        Some(Ending::Resign) => "R",
        Some(_) => "F",
    };
    format!("{}+{kind}", letter(winner))
}

/// Sets up everything, even the default start; holes are written as arrows, and the shape tells them apart.
fn set_up(out: &mut String, start: &Position, grid: Grid) {
    let board = start.board();
    let arrows =
        (0..grid.columns * grid.rows).filter(|&vertex| !start.is_free(vertex) && start.queen_at(vertex).is_none());
    points(out, "AB", start.queens(Color::Black).iter().copied(), grid);
    points(out, "AW", start.queens(Color::White).iter().copied(), grid);
    points(out, "AA", arrows, grid);
    // An empty board is also set up.
    if start.queens(Color::Black).is_empty() && start.queens(Color::White).is_empty() {
        let free = board.vertices().find(|&vertex| start.is_free(vertex));
        points(out, "AE", free.into_iter(), grid);
    }
    if let Some(BoardName::Shape(shape, _)) = BoardName::of(board)
        && board.vertex_count() < board.vertex_ids()
    {
        property(out, "XS", shape.name());
    }
    property(out, "PL", letter(start.side_to_move()));
    if start.move_number() != 1 {
        property(out, "XN", &start.move_number().to_string());
    }
    out.push('\n');
}

fn points(out: &mut String, name: &str, vertices: impl Iterator<Item = Vertex>, grid: Grid) {
    let mut vertices = vertices.peekable();
    if vertices.peek().is_none() {
        return;
    }
    out.push_str(name);
    for vertex in vertices {
        // Writing to a string cannot fail.
        let _ = write!(out, "[{}]", grid.point(vertex));
    }
}

fn a_move(out: &mut String, played: &PlayedMove, color: Color, grid: Grid) {
    let text: String = [played.mv.from, played.mv.to, played.mv.arrow].map(|vertex| grid.point(vertex)).concat();
    out.push(';');
    property(out, letter(color), &text);
    if let Some(left) = played.left {
        property(out, if color == Color::Black { "BL" } else { "WL" }, &seconds::write(left));
    }
    if let Some(time) = played.time {
        property(out, "XT", &seconds::write(time));
    }
    if let Some(value) = played.value {
        // SGF's values are from Black's view.
        property(out, "V", &if color == Color::Black { value } else { -value }.to_string());
    }
    match played.note.as_ref().and_then(|note| note.mark) {
        Some(Mark::Dubious) => property(out, "DO", ""),
        Some(Mark::Mistake) => property(out, "BM", "1"),
        Some(Mark::Blunder) => property(out, "BM", "2"),
        None => {}
    }
    if let Some(remarks) = played.remarks() {
        property(out, "C", &remarks);
    }
    out.push('\n');
}

const fn letter(color: Color) -> &'static str {
    match color {
        Color::Black => "B",
        Color::White => "W",
    }
}

/// Writes a value, escaping characters that end or separate values; control characters become blanks.
fn property(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push('[');
    for character in value.chars() {
        if matches!(character, ']' | '\\' | ':') && !matches!(name, "AP" | "SZ") {
            out.push('\\');
        }
        out.push(if character.is_control() && character != '\n' { ' ' } else { character });
    }
    out.push(']');
}
