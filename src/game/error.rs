use std::io;
use std::path::PathBuf;

use amazons_rules::{BoardError, TextError};
use thiserror::Error;

use crate::referee::PlayerNumber;

/// An error in the options that the argument parser cannot detect.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The position text is invalid, or invalid on this board.
    #[error("--position: {0}")]
    Position(#[from] TextError),
    /// The player's file cannot be read.
    #[error("{player}: cannot read {path}: {source}", path = .path.display())]
    Unreadable {
        player: PlayerNumber,
        /// Its file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The player's file is not a library.
    #[error("{player}: {path} is not a shared library: {reason}", path = .path.display())]
    NotALibrary {
        player: PlayerNumber,
        /// Its file.
        path: PathBuf,
        /// The kind of file.
        reason: &'static str,
    },
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

impl From<BoardError> for ConfigError {
    fn from(error: BoardError) -> Self {
        Self::Other(format!("-m: {error}"))
    }
}
