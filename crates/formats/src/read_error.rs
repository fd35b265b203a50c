use thiserror::Error;

use crate::Game;

/// The place where a text is not a game; lines and columns count from 1, columns in characters.
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

/// The longest message, in characters: it may quote parts of a file.
const MESSAGE_MAX: usize = 300;

/// Reads a game from bytes: UTF-8 without a byte order mark, or else Latin-1, which every sequence of bytes is.
pub(crate) fn read_text(bytes: &[u8], parse: impl FnOnce(&str) -> Result<Game, Complaint>) -> Result<Game, ReadError> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text).to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    };
    parse(&text).map_err(|complaint| locate(&text, &complaint))
}

/// Converts a byte offset to a line and a column; lines end with a line feed, a carriage return or both.
fn locate(text: &str, complaint: &Complaint) -> ReadError {
    let (mut line, mut column, mut last) = (1, 1, ' ');
    for character in text.get(..complaint.offset).unwrap_or(text).chars() {
        match character {
            '\n' if last == '\r' => {}
            '\n' | '\r' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
        last = character;
    }
    // Make it one line of bounded length.
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
