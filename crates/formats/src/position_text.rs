use amazons_rules::{Position, TextError};

use crate::read_error::{Complaint, complain, read_text, text_of};
use crate::{Format, Game};

/// Lines of position text: each is the last position of a game, without its history and without the shape of its board.
pub const POSITION_TEXT: Format = Format {
    name: "fen",
    extensions: &["fen", "txt"],
    writer: |game, _| Ok(format!("{}\n", game.position()).into_bytes()),
    reader: Some(|bytes, number| read_text(&text_of(bytes), number, starts, read)),
};

/// Returns the lines with positions, and where each begins: blank lines and lines that begin with `#` are skipped.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_wanted = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    text.lines().filter(is_wanted).map(|line| (line.as_ptr() as usize - text.as_ptr() as usize, line))
}

fn starts(text: &str) -> Vec<usize> {
    let starts: Vec<usize> = lines(text).map(|(at, _)| at).collect();
    if starts.is_empty() { vec![0] } else { starts }
}

/// Reads a game without moves on the full rectangle.
fn read(text: &str) -> Result<Game, Complaint> {
    let (at, line) = lines(text).next().ok_or_else(|| complain(text.len(), "expected a position text"))?;
    let start = Position::parse(line).map_err(|error| position_error(at, line, &error))?;
    Game::new(start).map_err(|error| complain(at, error))
}

/// Returns the complaint about a position that begins at `offset` of a text.
pub(crate) fn position_error(offset: usize, position: &str, error: &TextError) -> Complaint {
    let before = position
        .chars()
        .take(error.column.map_or(0, |column| column.saturating_sub(1)))
        .map(char::len_utf8)
        .sum::<usize>();
    complain(offset + before, &error.reason)
}
