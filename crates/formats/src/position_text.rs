use amazons_rules::{Position, TextError};

use crate::place::decode;
use crate::{CannotWrite, Format, Game, Look, ReadError, Reader};

/// One line of position text: the last position of a game, without its history and without the shape of its board.
#[derive(Clone, Copy, Debug)]
pub struct PositionText;

impl Format for PositionText {
    fn name(&self) -> &'static str {
        "fen"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["fen", "txt"]
    }

    fn write(&self, game: &Game, _: &Look) -> Result<Vec<u8>, CannotWrite> {
        Ok(format!("{}\n", game.position()).into_bytes())
    }

    fn reader(&self) -> Option<Reader> {
        Some(read)
    }
}

/// Reads a game without moves on the full rectangle; blank lines and lines that begin with `#` are skipped.
fn read(bytes: &[u8]) -> Result<Game, ReadError> {
    let text = decode(bytes);
    let is_said = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut lines = text.lines().filter(is_said);
    let offset = |line: &str| line.as_ptr() as usize - text.as_ptr() as usize;
    let Some(line) = lines.next() else { return Err(ReadError::at(&text, text.len(), "expected a position text")) };
    let start = Position::parse(line).map_err(|error| position_error(&text, offset(line), line, &error))?;
    if let Some(more) = lines.next() {
        return Err(ReadError::at(&text, offset(more), "expected nothing after the position"));
    }
    Game::new(start).map_err(|error| ReadError::at(&text, offset(line), error))
}

/// Says where in a text a position, which begins at `offset` there, is wrong.
pub(crate) fn position_error(text: &str, offset: usize, position: &str, error: &TextError) -> ReadError {
    let column = match error {
        TextError::Character { column, .. } | TextError::TooLarge { column } | TextError::Run { column } => *column,
        _ => 1,
    };
    let before: usize = position.chars().take(column.saturating_sub(1)).map(char::len_utf8).sum();
    ReadError::at(text, offset + before, without_column(&error.to_string()))
}

/// Drops the column from a message that is said with a place in a larger text.
pub(crate) fn without_column(message: &str) -> &str {
    match message.strip_prefix("column ").and_then(|rest| rest.split_once(": ")) {
        Some((_, reason)) => reason,
        None => message,
    }
}
