//! The result of a block.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accusation {
    pub seat: usize,
    /// The chance of these cards: bot 4's own; for others counted from all that the seat had seen, at tables of at most
    /// six.
    pub chance: Option<f64>,
    pub right: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultNote {
    pub seat: usize,
    pub code: u32,
    /// Its answer, escaped.
    pub sent: String,
    /// The request: `B`, `T`, `C`, or empty.
    pub asked: String,
    /// Why nothing came, and the end of what it printed to standard error.
    pub why: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    pub seats: Vec<usize>,
    pub winner: Option<usize>,
    pub turns: Vec<u32>,
    /// For each seat, the turns at which the secret followed from what it had seen, and those of them at which it
    /// accused rightly.
    pub certain: Vec<[u32; 2]>,
    pub accusations: Vec<Accusation>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultNote>,
    /// The times of the answers of each seat in microseconds; of bots of this program they are not taken.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<Vec<u64>>,
}

/// A block: the games of one deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockResult {
    pub matchup: u64,
    pub block: u64,
    pub games: Vec<GameResult>,
}

impl BlockResult {
    /// Returns the half points of a program in a match of two: 2 for a game that one of its seats won, 1 for a game that
    /// nobody won.
    pub fn half_points(&self, program: usize) -> usize {
        let points = |game: &GameResult| game.winner.map_or(1, |seat| usize::from(game.seats[seat] == program) * 2);
        self.games.iter().map(points).sum()
    }
}
