use std::fmt;

use serde::{Deserialize, Serialize};

/// Says how a game ended; the set is closed, and records spell it in snake case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The player to move is blocked: the one ending that the rules know.
    NoMoves,
    /// A player answered a move that the rules forbid.
    IllegalMove,
    /// A player did not answer in time.
    Timeout,
    /// A signal ended a player's process.
    Crash,
    /// A player ended its process itself.
    Exit,
    /// A player could not be loaded.
    LoadError,
    /// A player damaged the connection between its process and the server.
    ProtocolError,
    /// A player did what the sandbox forbids.
    Violation,
    /// A player used more memory than it may.
    OutOfMemory,
    /// The game reached the number of moves that the user allows.
    MaxMoves,
    /// The server could not do its work; never charged to a player.
    Void,
}

impl Termination {
    /// Every ending.
    pub const ALL: [Self; 11] = [
        Self::NoMoves,
        Self::IllegalMove,
        Self::Timeout,
        Self::Crash,
        Self::Exit,
        Self::LoadError,
        Self::ProtocolError,
        Self::Violation,
        Self::OutOfMemory,
        Self::MaxMoves,
        Self::Void,
    ];
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::NoMoves => "no moves left",
            Self::IllegalMove => "illegal move",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Exit => "exit",
            Self::LoadError => "load error",
            Self::ProtocolError => "protocol error",
            Self::Violation => "violation",
            Self::OutOfMemory => "out of memory",
            Self::MaxMoves => "move limit",
            Self::Void => "void",
        })
    }
}
