//! The record of a game, as lines of JSON: what is secret comes with the end, not before.

use serde::{Deserialize, Serialize};

use crate::game::Event;
use crate::line::options::Options;

pub const RULES: &str = "course";

/// When something happened, in microseconds since the server began, and at which table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct At {
    pub time: u64,
    #[serde(default)]
    pub table: u64,
}

/// The same, and at which seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct By {
    #[serde(flatten)]
    pub at: At,
    pub seat: usize,
}

/// A line of a record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Entry {
    /// A game begins; games count from 0.
    Start {
        version: u32,
        #[serde(flatten)]
        at: At,
        game: u64,
        /// [`RULES`]: three types of N + 1 cards, three for each player.
        rules: String,
        seats: Vec<String>,
        /// The client in each seat; empty in records of earlier versions.
        #[serde(default)]
        clients: Vec<Client>,
        /// The options that clients notice; missing in records of earlier versions.
        #[serde(default)]
        options: Option<Options>,
        /// Seats whose client has left.
        ghosts: Vec<usize>,
        /// The seat with the first turn.
        first: usize,
        limit: usize,
        /// SHA-256 of salt and deal, in hexadecimal.
        commitment: String,
    },
    /// A hypothesis, its cards as they were named.
    Hypothesis {
        #[serde(flatten)]
        by: By,
        cards: [usize; 3],
    },
    /// A seat has none of the cards.
    Pass(By),
    /// A seat showed a card; which one is in the last entry.
    Show(By),
    /// An accusation; its cards are in the last entry.
    Accuse(By),
    Fault {
        #[serde(flatten)]
        by: By,
        /// The number that was sent.
        code: u32,
        /// The line, escaped.
        line: String,
        /// The open request: `T`, `C`, or empty.
        open: String,
    },
    /// The end of a game, and everything that was secret.
    End {
        #[serde(flatten)]
        at: At,
        game: u64,
        winner: Option<usize>,
        /// The error that ended it; neither this nor a winner if the server was stopped.
        code: Option<u32>,
        secret: [usize; 3],
        hands: Vec<Vec<usize>>,
        salt: String,
        /// The cards that were shown, in the order of the entries.
        shown: Vec<usize>,
        /// The cards of accusations, in the order of the entries.
        accused: Vec<[usize; 3]>,
    },
}

/// The client in a seat, as far as the server knows it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    /// The address that it connects from; `stdio` for a program that the server has started.
    pub address: String,
    /// The file of that program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

impl Entry {
    /// The version of the format that this program writes.
    pub const VERSION: u32 = 1;

    pub const fn table(&self) -> u64 {
        match self {
            Self::Start { at, .. } | Self::End { at, .. } => at.table,
            Self::Pass(by) | Self::Show(by) | Self::Accuse(by) => by.at.table,
            Self::Hypothesis { by, .. } | Self::Fault { by, .. } => by.at.table,
        }
    }

    /// Returns the event that it tells, with the cards that are no secret; `to` has made the last hypothesis.
    pub const fn event(&self, to: usize) -> Option<Event> {
        Some(match *self {
            Self::Hypothesis { by: By { seat, .. }, cards } => Event::Suggest { seat, cards },
            Self::Pass(By { seat, .. }) => Event::Pass { seat },
            Self::Show(By { seat, .. }) => Event::Show { seat, to, card: None },
            Self::Accuse(By { seat, .. }) => Event::Accuse { seat, cards: None, is_right: false },
            Self::Fault { by: By { seat, .. }, code, .. } => Event::Fault { seat, code },
            Self::Start { .. } | Self::End { .. } => return None,
        })
    }

    /// Returns the entry as a line of JSON.
    pub fn line(&self) -> String {
        // Strings, numbers and lists of them always have a form in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}
