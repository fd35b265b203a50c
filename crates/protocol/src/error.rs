use amazons_rules::{BoardError, TextError};
use thiserror::Error;

use crate::Go;

/// A line that cannot be executed; the message goes to its sender.
#[derive(Debug, Error)]
pub enum CommandError {
    /// The first word is unknown.
    #[error("unknown command '{0}'")]
    Unknown(String),
    /// A word is missing.
    #[error("{command}: expected {expected}")]
    Missing {
        /// The command.
        command: &'static str,
        /// The missing word.
        expected: &'static str,
    },
    /// A word is wrong.
    #[error("{command}: expected {expected}, found '{found}'")]
    Unexpected {
        /// The command.
        command: &'static str,
        /// The expected word.
        expected: &'static str,
        /// The actual word.
        found: String,
    },
    /// A word after `go` is wrong.
    #[error("{reason}")]
    Go {
        /// The other words.
        rest: Box<Go>,
        /// The error.
        reason: Box<Self>,
    },
    /// There is no such board.
    #[error("position: {0}")]
    Board(#[from] BoardError),
    /// The text is not a position.
    #[error("position fen: {0}")]
    Position(#[from] TextError),
    /// A move cannot be read.
    #[error("position: move {number} '{text}': {error}")]
    Move {
        /// Its number, from 1.
        number: usize,
        /// Its text.
        text: String,
        /// The error.
        error: TextError,
    },
    /// A move is not legal.
    #[error("position: move {number} '{text}': {reason}")]
    Illegal {
        /// Its number, from 1.
        number: usize,
        /// Its text.
        text: String,
        /// The reason.
        reason: String,
    },
}

impl CommandError {
    /// Returns whether the line was a `position`.
    pub fn is_of_position(&self) -> bool {
        match self {
            Self::Board(_) | Self::Position(_) | Self::Move { .. } | Self::Illegal { .. } => true,
            Self::Missing { command, .. } | Self::Unexpected { command, .. } => command.starts_with("position"),
            Self::Unknown(_) | Self::Go { .. } => false,
        }
    }
}

pub(crate) fn unexpected(command: &'static str, expected: &'static str, found: &str) -> CommandError {
    CommandError::Unexpected { command, expected, found: shorten(found) }
}

/// Shortens text for quoting.
pub fn shorten(text: &str) -> String {
    const MAX: usize = 40;
    match text.char_indices().nth(MAX) {
        Some((end, _)) => format!("{} ...", text.split_at(end).0),
        None => text.to_owned(),
    }
}
