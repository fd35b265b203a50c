use amazons_rules::{Position, TextError};

use crate::read_error::{Complaint, complain, read_text};
use crate::{Format, Game};

/// One line of position text: the last position of a game, without its history and without the shape of its board.
pub const POSITION_TEXT: Format = Format {
    name: "fen",
    extensions: &["fen", "txt"],
    writer: |game, _| Ok(format!("{}\n", game.position()).into_bytes()),
    reader: Some(|bytes, number| read_text(bytes, number, |_| vec![0], read)),
};

/// Reads a game without moves on the full rectangle; blank lines and lines that begin with `#` are skipped.
fn read(text: &str) -> Result<Game, Complaint> {
    let is_wanted = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut lines = text.lines().filter(is_wanted);
    let offset = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let line = lines.next().ok_or_else(|| complain(text.len(), "expected a position text"))?;
    let start = Position::parse(line).map_err(|error| position_error(offset(line), line, &error))?;
    if let Some(more) = lines.next() {
        return Err(complain(offset(more), "expected nothing after the position"));
    }
    Game::new(start).map_err(|error| complain(offset(line), error))
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
