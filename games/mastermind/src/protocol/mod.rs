//! How a master and many players find one secret together.
//!
//! | | |
//! |---|---|
//! | [`Frame`] | a message of `seed` or `first-come` |
//! | [`Post`] | frames over any world of ranks, in the order of sending |
//! | [`Order`], [`Parts`], [`Span`] | codes by place, and who searches which |
//! | [`Searcher`] | a player's search, test by test |
//! | [`Master`], [`Player`] | `seed` and `first-come` as state machines |
//! | [`lead`], [`serve`] | one of them on a rank |
//! | [`SharedLeader`], [`SharedWorker`] | `shared`, by the jobs of [`amazons_mpi::jobs`] |

mod frame;
mod master;
mod order;
mod player;
mod post;
mod run;
mod searcher;
mod shared;

use std::fmt;
use std::str::FromStr;

use rand::seq::IteratorRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::ParseError;

pub use frame::{Body, Frame, Stamp};
pub use master::{Counts, Master, Proposal};
pub use order::{Order, Parts, Span, code_at};
pub use player::Player;
pub use post::{MASTERMIND_TAG, Post, ProtocolError};
pub use run::{Caller, Played, end_game, end_session, lead, serve};
pub use searcher::Searcher;
pub use shared::{Chunk, SharedLeader, SharedWorker};

/// How ranks divide the work of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// All ranks hold the same answers and score a part of the guesses each; the game is that of one process.
    Shared,
    /// Players search their parts and propose what they find at once; the first proposal that fits is evaluated.
    FirstCome,
    /// The report's: each round the master waits for a proposal of every player.
    Seed,
}

/// Which of the proposals of a round the master of `seed` evaluates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pick {
    /// That of the lowest rank.
    #[default]
    Lowest,
    Random,
}

impl Pick {
    /// Picks one of the codes that players have reported, in the order of their ranks.
    pub(crate) fn of(self, reports: &[Option<u32>], random: &mut Xoshiro256PlusPlus) -> Option<u32> {
        let mut codes = reports.iter().copied().flatten();
        match self {
            Self::Lowest => codes.next(),
            Self::Random => codes.choose(random),
        }
    }
}

impl Protocol {
    pub const ALL: [Self; 3] = [Self::Shared, Self::FirstCome, Self::Seed];

    /// Returns the usual parts of its players.
    pub const fn parts(self) -> Parts {
        match self {
            Self::Seed => Parts::FirstColour,
            Self::FirstCome | Self::Shared => Parts::Interleaved,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Shared => "shared",
            Self::FirstCome => "first-come",
            Self::Seed => "seed",
        })
    }
}

impl FromStr for Protocol {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let found = Self::ALL.into_iter().find(|one| one.to_string() == text);
        found.ok_or_else(|| ParseError(format!("unknown protocol {text:?}: one of shared, first-come, seed")))
    }
}
