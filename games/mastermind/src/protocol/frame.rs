use postcard::fixint::le;
use serde::{Deserialize, Serialize};

use super::order::Span;

/// The state of the sender, by which late frames are recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// The number of the game, from 0.
    #[serde(with = "le")]
    pub game: u16,
    /// The number of answers that the sender knows in this game.
    #[serde(with = "le")]
    pub round: u16,
    /// How many ranges the player has taken over in this game, besides its own part.
    #[serde(with = "le")]
    pub taken: u16,
    /// The number of frames from this sender to this receiver before this one.
    #[serde(with = "le")]
    pub number: u32,
}

/// A message between the master and a player, of at most 32 bytes: its kind, small numbers of a fixed length, a stamp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    pub body: Body,
    pub stamp: Stamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// A player proposes the code with this index in lexicographic order, after that many tests in this round.
    Propose {
        #[serde(with = "le")]
        index: u32,
        #[serde(with = "le")]
        tests: u64,
    },
    /// The master has evaluated a code; the stamp counts this answer too.
    Answer {
        #[serde(with = "le")]
        index: u32,
        blacks: u8,
        whites: u8,
    },
    /// A player has no code left, after that many tests. From the master: another player has none, give up half of yours.
    Empty {
        #[serde(with = "le")]
        tests: u64,
    },
    /// Search these codes too. From a player: these codes are given up, for others to search.
    Take(Span),
    /// The sender is at work. From a player: this is left of its range.
    Heartbeat(Span),
    End {
        /// Whether another game follows.
        is_more: bool,
        /// Whether a rank was lost: then ranks leave without waiting for each other.
        has_lost: bool,
    },
}

impl Body {
    /// A heartbeat of the master.
    pub const ALIVE: Self = Self::Heartbeat(Span::EMPTY);
}
