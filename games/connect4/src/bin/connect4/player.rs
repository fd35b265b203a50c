use std::str::FromStr;
use std::time::Duration;

use amazons_program::Exit;
use connect4::{Level, LevelError, Position};

use crate::ranks::Engine;

/// A level at the board.
pub(crate) trait Player {
    /// Chooses a column of a game that goes on.
    fn choose(&mut self, position: &Position, engine: &mut Engine<'_, '_>) -> Result<Thought, Exit>;
}

/// A chosen column and what the player knows of it, for people and records.
#[derive(Clone, Debug)]
pub(crate) struct Thought {
    /// Counted from 0.
    pub(crate) column: u32,
    /// What the player thinks of it; more is better, and the scale is the level's. `None` if it does not think.
    pub(crate) score: Option<f64>,
    /// Whether the score is a proven win, loss or draw.
    pub(crate) is_proven: bool,
    /// Positions looked at.
    pub(crate) nodes: u64,
    /// The time it took.
    pub(crate) time: Duration,
}

/// Who takes a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Participant {
    /// A person at the terminal.
    Human,
    /// A person at a browser.
    Web,
    /// A level.
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
