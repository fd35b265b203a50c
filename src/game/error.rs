use std::io;
use std::path::{Path, PathBuf};

use amazons_rules::{BoardError, TextError};
use thiserror::Error;

use crate::referee::PlayerNumber;

/// An error in the options that the argument parser cannot detect.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The position text is invalid, or invalid on this board.
    #[error("--position: {0}")]
    Position(#[from] TextError),
    /// There is no such board.
    #[error("-m: {0}")]
    Board(#[from] BoardError),
    /// The player's file cannot be read.
    #[error("{player}: {}", unreadable(.path, .source))]
    Unreadable { player: PlayerNumber, path: PathBuf, source: io::Error },
    /// The player's file is not a library.
    #[error("{player}: {}", no_library(.path, .reason))]
    NotALibrary { player: PlayerNumber, path: PathBuf, reason: &'static str },
    #[error("environment: at most {0} variables")]
    Variables(usize),
    #[error("environment: invalid name '{0}': use letters, digits and '_', at most 64")]
    VariableName(String),
    #[error("environment: {0}: the server sets variables that begin like this")]
    Reserved(String),
    #[error("{place}: use printable text of at most {most} bytes")]
    Text { place: String, most: usize },
    #[error("--allow-read: {} is not UTF-8 text: name a path that is", .0.display())]
    NotUtf8(PathBuf),
    /// A player, or its options, are wrong.
    #[error("{player}: {reason}")]
    Player { player: PlayerNumber, reason: String },
    /// Anything else, in words.
    #[error("{0}")]
    Other(String),
}

impl ConfigError {
    /// Returns it without the number of the player that it is about.
    pub(crate) fn without_player(&self) -> String {
        match self {
            Self::Unreadable { path, source, .. } => unreadable(path, source),
            Self::NotALibrary { path, reason, .. } => no_library(path, reason),
            Self::Player { reason, .. } => reason.clone(),
            error => error.to_string(),
        }
    }
}

fn unreadable(path: &Path, source: &io::Error) -> String {
    format!("cannot read {}: {source}", path.display())
}

fn no_library(path: &Path, reason: &str) -> String {
    format!("{} is not a shared library: {reason}", path.display())
}
