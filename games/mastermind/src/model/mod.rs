//! The cost of a protocol, counted rather than timed: deterministic games in which a test is the unit of time.
//!
//! A *test* is one comparison of one code with one earlier answer. Making the next code, messages and the answer are
//! free, so that the figures are those of the search alone.

mod first_come;
mod seed;
mod shared;

pub use first_come::first_come;
pub use seed::seed;
pub use shared::{SharedLoad, shared};

use crate::code::Code;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The guesses, the last of which is the secret.
    pub guesses: Vec<Code>,
    /// The tests on the slowest path: how long the game takes.
    pub slowest: u64,
    /// The tests of all players.
    pub tests: u64,
    /// Proposals that are not codes, from players that have none left; in `first-come` the players that say so.
    pub fakes: u64,
    /// Proposals of codes that reach the master.
    pub proposals: u64,
}
