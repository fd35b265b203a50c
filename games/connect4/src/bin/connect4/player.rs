use std::str::FromStr;

use amazons_program::Exit;
use connect4::{Chosen, Level, LevelError, Position};

use crate::ranks::Engine;

/// A level at the board.
pub(crate) trait Player {
    /// Chooses a column of a game that goes on.
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Chosen, Exit>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Participant {
    /// A person at the terminal.
    Human,
    /// A person at a browser.
    Web,
    Level(Level),
}

impl FromStr for Participant {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        match text {
            "human" => Ok(Self::Human),
            "web" => Ok(Self::Web),
            _ => text.parse().map(Self::Level),
        }
    }
}

impl std::fmt::Display for Participant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Human => f.write_str("human"),
            Self::Web => f.write_str("web"),
            Self::Level(level) => level.fmt(f),
        }
    }
}
