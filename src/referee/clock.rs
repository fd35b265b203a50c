use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// The clock that measures a player's time.
///
/// Processor time is that of all its threads, divided by the threads that it may run: fair on a busy machine. The wall clock
/// then only ends a call after three times the limit plus 200 ms.
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
