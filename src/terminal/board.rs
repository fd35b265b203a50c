use std::fmt::Write as _;

use amazons_rules::{Color, Move, Position, Vertex};

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Palette {
    /// Letters and marks only.
    Plain,
    /// Also ANSI colours.
    Ansi,
}

/// The look of a cell: a sufficient mark, and a redundant colour.
struct Look {
    mark: char,
    ansi: &'static str,
}

/// Draws a board, top rank first, with files and ranks around it.
///
/// `B` and `W` are queens, `x` arrows, `.` free vertices, a blank a hole. The last move's origin is marked `+` while
/// free.
pub fn draw_board(position: &Position, last: Option<Move>, palette: Palette) -> String {
    draw(position, palette, |vertex| look(position, vertex, last))
}

/// Draws a board like [`draw_board`], with the caller's marks on free vertices.
pub fn draw_marks(position: &Position, mark: impl Fn(Vertex) -> char) -> String {
    let marked = |vertex| match look(position, vertex, None) {
        free if position.is_free(vertex) => Look { mark: mark(vertex), ..free },
        other => other,
    };
    draw(position, Palette::Plain, marked)
}

fn draw(position: &Position, palette: Palette, look: impl Fn(Vertex) -> Look) -> String {
    let board = position.board();
    let (columns, rows) = (board.columns(), board.rows());
    let margin = rows.to_string().len();
    let file = |column: u32| {
        let square = board.square(column);
        square.trim_end_matches(|character: char| character.is_ascii_digit()).to_owned()
    };
    let width = file(columns - 1).len() + 1;
    let files: String = (0..columns).map(|column| format!("{:>width$}", file(column))).collect();

    let mut text = String::new();
    let mut line = |content: String| {
        text.push_str(content.trim_end());
        text.push('\n');
    };
    line(format!("{:margin$}{files}", ""));
    for row in 0..rows {
        let rank = rows - row;
        let mut cells = String::new();
        for vertex in row * columns..(row + 1) * columns {
            let Look { mark, ansi } = look(vertex);
            match palette {
                Palette::Ansi if !ansi.is_empty() => {
                    // Writing to a string cannot fail.
                    let _ = write!(cells, "\x1b[{ansi}m{mark:>width$}\x1b[0m");
                }
                _ => {
                    cells.extend(std::iter::repeat_n(' ', width - 1));
                    cells.push(mark);
                }
            }
        }
        line(format!("{rank:>margin$}{cells} {rank}"));
    }
    line(format!("{:margin$}{files}", ""));
    text
}

fn look(position: &Position, vertex: Vertex, last: Option<Move>) -> Look {
    let is_last = |part: fn(&Move) -> Vertex| last.as_ref().map(part) == Some(vertex);
    let moved = is_last(|mv| mv.to);
    if !position.board().is_vertex(vertex) {
        return Look { mark: ' ', ansi: "" };
    }
    match position.queen_at(vertex) {
        Some(Color::Black) => Look { mark: 'B', ansi: if moved { "1;7;36" } else { "1;36" } },
        Some(Color::White) => Look { mark: 'W', ansi: if moved { "1;7;33" } else { "1;33" } },
        None if !position.is_free(vertex) => {
            Look { mark: 'x', ansi: if is_last(|mv| mv.arrow) { "7;31" } else { "31" } }
        }
        None if is_last(|mv| mv.from) => Look { mark: '+', ansi: "2" },
        None => Look { mark: '.', ansi: "2" },
    }
}
