use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How a game ended; a closed set, in snake case in records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// The player to move is blocked: the only ending in the rules.
    NoMoves,
    /// A player played an illegal move.
    IllegalMove,
    /// A player did not answer in time.
    Timeout,
    /// A signal killed a player's process.
    Crash,
    /// A player exited by itself.
    Exit,
    /// A player could not be loaded.
    LoadError,
    /// A player damaged the connection between its process and the server.
    ProtocolError,
    /// A player violated the sandbox.
    Violation,
    /// A player exceeded its memory limit.
    OutOfMemory,
    /// A person or a program resigned.
    Resign,
    /// The game reached the limit of moves.
    MaxMoves,
    /// No region was contested any more, and counting moves proved the winner.
    Counted,
    /// The server failed; never charged to a player.
    Void,
}

/// The error of parsing an [`Ending`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown ending '{0}'")]
pub struct UnknownEnding(String);

impl Ending {
    /// Every ending.
    pub const ALL: [Self; 13] = [
        Self::NoMoves,
        Self::IllegalMove,
        Self::Timeout,
        Self::Crash,
        Self::Exit,
        Self::LoadError,
        Self::ProtocolError,
        Self::Violation,
        Self::OutOfMemory,
        Self::Resign,
        Self::MaxMoves,
        Self::Counted,
        Self::Void,
    ];

    /// Returns the name in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NoMoves => "no_moves",
            Self::IllegalMove => "illegal_move",
            Self::Timeout => "timeout",
            Self::Crash => "crash",
            Self::Exit => "exit",
            Self::LoadError => "load_error",
            Self::ProtocolError => "protocol_error",
            Self::Violation => "violation",
            Self::OutOfMemory => "out_of_memory",
            Self::Resign => "resign",
            Self::MaxMoves => "max_moves",
            Self::Counted => "counted",
            Self::Void => "void",
        }
    }
}

impl Ending {
    /// Returns how a game ended, in which nobody won or this player lost: "bob cannot move".
    pub fn told(self, loser: Option<&str>) -> String {
        match loser {
            Some(loser) => format!("{loser} {}", self.mistake()),
            None => self.without_winner(),
        }
    }

    /// Returns what the player who does not win did.
    const fn mistake(self) -> &'static str {
        match self {
            Self::NoMoves => "cannot move",
            Self::IllegalMove => "made an illegal move",
            Self::Timeout => "ran out of time",
            Self::Crash => "crashed",
            Self::Exit => "exited",
            Self::LoadError => "could not be loaded",
            Self::ProtocolError => "damaged its connection",
            Self::Violation => "broke out of its sandbox",
            Self::OutOfMemory => "ran out of memory",
            Self::Resign => "resigned",
            Self::Counted => "has fewer moves left",
            Self::MaxMoves | Self::Void => "lost",
        }
    }

    fn without_winner(self) -> String {
        match self {
            Self::MaxMoves => "the game reached its limit of moves".to_owned(),
            Self::Void => "the server failed".to_owned(),
            _ => format!("{self} of both players"),
        }
    }
}

/// The words of an ending on pages.
#[derive(Serialize)]
struct EndingWords {
    words: String,
    mistake: &'static str,
    nobody: String,
}

/// Returns an element with the words of all endings, for the scripts of pages.
pub fn endings_element() -> String {
    let words = |ending: Ending| EndingWords {
        words: ending.to_string(),
        mistake: ending.mistake(),
        nobody: ending.without_winner(),
    };
    let all: BTreeMap<&str, EndingWords> = Ending::ALL.map(|ending| (ending.name(), words(ending))).into();
    let all = serde_json::to_string(&all).unwrap_or_default();
    format!("<script type=\"application/json\" id=\"amazons-endings\">{all}</script>\n")
}

impl fmt::Display for Ending {
    /// Writes the ending in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMoves => f.pad("no moves left"),
            Self::Resign => f.pad("resignation"),
            Self::MaxMoves => f.pad("move limit"),
            Self::Counted => f.pad("count of moves"),
            _ => f.pad(&self.name().replace('_', " ")),
        }
    }
}

impl FromStr for Ending {
    type Err = UnknownEnding;

    fn from_str(text: &str) -> Result<Self, UnknownEnding> {
        Self::ALL.into_iter().find(|ending| ending.name() == text).ok_or_else(|| UnknownEnding(text.to_owned()))
    }
}
