use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::board::Index;

/// A set to solve: the codes that answer a first guess alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    pub(super) first: Index,
    pub(super) answer: u8,
    /// The guess to try; `None` for all.
    pub(super) second: Option<Index>,
    /// Costs from here on are of no interest.
    pub(super) limit: u32,
    /// The number of the proof, from 0: nothing is remembered from one to the next.
    pub(super) run: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Solved {
    /// A cost below the limit of the job, or else a lower bound.
    pub(super) cost: u32,
    pub(super) guess: Option<Index>,
    pub(super) nodes: u64,
    /// How long it took, by the worker's clock.
    pub(super) spent: Duration,
}

impl Job {
    /// Returns whether a game has these codes.
    pub(super) fn belongs_to(self, codes: usize) -> bool {
        let has = |code: Index| usize::from(code) < codes;
        has(self.first) && self.second.is_none_or(has)
    }
}
