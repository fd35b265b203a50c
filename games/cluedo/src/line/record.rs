//! The record of a game, as lines of JSON: what is secret comes with the end, not before.

use serde::{Deserialize, Serialize};

/// The name of these rules.
pub const RULES: &str = "course";

/// A line of a record; times are microseconds since the server began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Entry {
    /// A game begins.
    Start {
        /// The format's version.
        version: u32,
        /// When.
        time: u64,
        /// The table.
        table: u64,
        /// The game, from 0.
        game: u64,
        /// `course`: three types of N + 1 cards, three for each player.
        rules: String,
        /// The name of each seat.
        seats: Vec<String>,
        /// Seats whose client has left.
        ghosts: Vec<usize>,
        /// Who begins.
        first: usize,
        /// The turn limit.
        limit: usize,
        /// SHA-256 of salt and deal, in hexadecimal.
        commitment: String,
    },
    /// A hypothesis.
    Hypothesis {
        /// When.
        time: u64,
        /// The table.
        #[serde(default)]
        table: u64,
        /// Who.
        seat: usize,
        /// Its cards as they were named.
        cards: [usize; 3],
    },
    /// A seat has none of the cards.
    Pass {
        /// When.
        time: u64,
        /// The table.
        #[serde(default)]
        table: u64,
        /// Who.
        seat: usize,
    },
    /// A seat showed a card; which one is in the last entry.
    Show {
        /// When.
        time: u64,
        /// The table.
        #[serde(default)]
        table: u64,
        /// Who.
        seat: usize,
    },
    /// An accusation; its cards are in the last entry.
    Accuse {
        /// When.
        time: u64,
        /// The table.
        #[serde(default)]
        table: u64,
        /// Who.
        seat: usize,
    },
    /// A client's fault.
    Fault {
        /// When.
        time: u64,
        /// The table.
        #[serde(default)]
        table: u64,
        /// Who.
        seat: usize,
        /// The number that was sent.
        code: u32,
        /// The line, escaped.
        line: String,
        /// What was asked: `T`, `C`, or nothing.
        open: String,
    },
    /// The end of a game, and everything that was secret.
    End {
        /// When.
        time: u64,
        /// The table.
        table: u64,
        /// The game.
        game: u64,
        /// Who won.
        winner: Option<usize>,
        /// The error that ended it; neither this nor a winner if the server was stopped.
        code: Option<u32>,
        /// The secret.
        secret: [usize; 3],
        /// The hands.
        hands: Vec<Vec<usize>>,
        /// The salt, in hexadecimal.
        salt: String,
        /// The cards that were shown, in the order of the entries.
        shown: Vec<usize>,
        /// The cards of accusations, in the order of the entries.
        accused: Vec<[usize; 3]>,
    },
}

impl Entry {
    /// The version of the format that this program writes.
    pub const VERSION: u32 = 1;

    /// Returns the table that it is about.
    #[must_use]
    pub const fn table(&self) -> u64 {
        match *self {
            Self::Start { table, .. }
            | Self::Hypothesis { table, .. }
            | Self::Pass { table, .. }
            | Self::Show { table, .. }
            | Self::Accuse { table, .. }
            | Self::Fault { table, .. }
            | Self::End { table, .. } => table,
        }
    }

    /// Returns the entry as a line of JSON.
    #[must_use]
    pub fn line(&self) -> String {
        // Strings, numbers and lists of them always have a form in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}
