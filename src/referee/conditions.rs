use std::fmt;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The clock that measures a player's time.
///
/// Processor time is that of all its threads, divided by the number that it may run: fair on a busy machine. The wall
/// clock then only ends a call after three times the limit plus 200 ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Clock {
    /// Processor time
    #[default]
    Cpu,
    /// The wall clock
    Wall,
}

/// The treatment of computing during the opponent's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pondering {
    /// Its next move is charged for the processor time.
    #[default]
    Charged,
    /// Impossible: its process is stopped between its calls.
    Frozen,
}

/// The protection between players and the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// A process for each player
    #[default]
    Process,
    /// Nothing
    None,
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Process => "process",
            Self::None => "none",
        })
    }
}
