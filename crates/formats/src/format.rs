use thiserror::Error;

use crate::place::Place;
use crate::{Game, Look};

/// Reads a game from bytes that anybody may have written.
pub type Reader = fn(&[u8]) -> Result<Game, ReadError>;

/// A way to write a game down.
pub trait Format: Sync {
    /// Returns the name that commands use.
    fn name(&self) -> &'static str;

    /// Returns what the names of such files end with, the usual ending first.
    fn extensions(&self) -> &'static [&'static str];

    /// Writes a game.
    ///
    /// # Errors
    /// When the format has no way to say it.
    fn write(&self, game: &Game, look: &Look) -> Result<Vec<u8>, CannotWrite>;

    /// Returns what reads the format; nothing when it is for eyes only.
    fn reader(&self) -> Option<Reader> {
        None
    }
}

/// Why a format cannot hold a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CannotWrite {
    /// The board has more columns or rows than the format has letters for.
    #[error("{format} has no boards of {columns} x {rows}: at most {max} x {max}")]
    TooLarge {
        /// The format.
        format: &'static str,
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
        /// The largest side.
        max: u32,
    },
    /// The picture would have more pixels than anybody wants.
    #[error("{0}: make the picture smaller, or cut the game off earlier")]
    Pixels(String),
    /// The format has no way to say something else.
    #[error("{0}")]
    Other(String),
}

/// Says where a text is no game; lines and columns count from 1, columns in characters.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
pub struct ReadError {
    /// The line.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

/// The longest complaint, in characters: it may repeat what a file says.
const MESSAGE_MAX: usize = 300;

/// Returns a message as one line that is not too long.
fn shown(message: &str) -> String {
    let mut shown = String::new();
    for character in message.chars().take(MESSAGE_MAX) {
        if character.is_control() {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown
}

impl ReadError {
    /// Complains of a place in a text, which is given by its bytes before it.
    pub(crate) fn at(text: &str, offset: usize, message: impl ToString) -> Self {
        let Place { line, column } = Place::of(text, offset);
        Self { line, column, message: shown(&message.to_string()) }
    }
}
