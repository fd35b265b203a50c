use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::classic::tally::{Cell, Tally};

/// Some games of a cell, as a job for any rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    pub cell: Cell,
    pub seed: u64,
    pub games: Range<u64>,
}

impl Batch {
    pub fn play(&self) -> Tally {
        self.cell.play(self.seed, self.games.clone())
    }
}
