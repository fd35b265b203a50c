use std::borrow::Cow;

use thiserror::Error;

use crate::{Found, Game};

/// An error in the text of a game; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ReadError {
    /// The line.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
    /// A description of the error.
    pub message: String,
}

/// An error in a text, and the number of bytes before it.
#[derive(Debug)]
pub(crate) struct Complaint {
    offset: usize,
    message: String,
}

pub(crate) fn complain(offset: usize, message: impl ToString) -> Complaint {
    Complaint { offset, message: message.to_string() }
}

/// Maximum length of a message in characters, as it may quote parts of a file.
const MESSAGE_MAX: usize = 300;

/// Returns the text of bytes: UTF-8, or else Latin-1, which accepts any bytes.
pub(crate) fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| bytes.iter().copied().map(char::from).collect(), Cow::Borrowed)
}

/// Reads a game from a text with or without a byte order mark.
///
/// `starts` returns where each game of the text begins, at least one place.
pub(crate) fn read_text(
    text: &str,
    number: usize,
    starts: fn(&str) -> Vec<usize>,
    parse: fn(&str) -> Result<Game, Complaint>,
) -> Result<Found, ReadError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let starts = starts(text);
    let games = starts.len();
    let Some(&start) = number.checked_sub(1).and_then(|index| starts.get(index)) else {
        return Err(no_game(number, games));
    };
    let end = starts.get(number).copied().unwrap_or(text.len());
    let game = parse(text.get(start..end).unwrap_or_default());
    let game = game.map_err(|complaint| locate(text, &complain(start + complaint.offset, complaint.message)))?;
    Ok(Found { game, games })
}

/// Returns the error for a game number that the file does not have.
pub fn no_game(number: usize, games: usize) -> ReadError {
    ReadError { line: 1, column: 1, message: format!("there is no game {number}: the file holds {games}") }
}

/// Converts a byte offset to a line and a column; lines end with a line feed, a carriage return or both.
pub(crate) fn locate(text: &str, complaint: &Complaint) -> ReadError {
    let (mut line, mut column, mut last) = (1, 1, ' ');
    for character in text.get(..complaint.offset).unwrap_or(text).chars() {
        match character {
            '\n' if last == '\r' => {}
            '\n' | '\r' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
        last = character;
    }
    // Keep it on one line of bounded length.
    let mut message = String::new();
    for character in complaint.message.chars().take(MESSAGE_MAX) {
        if character.is_control() {
            message.extend(character.escape_default());
        } else {
            message.push(character);
        }
    }
    ReadError { line, column, message }
}
