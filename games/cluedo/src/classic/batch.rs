use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::classic::tally::{Cell, Tally};

/// Some games of a cell, as a job for any rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// The kind of game.
    pub cell: Cell,
    /// The seed of all games.
    pub seed: u64,
    /// The numbers of the games.
    pub games: Range<u64>,
}

impl Batch {
    /// Plays the games.
    pub fn play(&self) -> Tally {
        self.cell.play(self.seed, self.games.clone())
    }
}
