use serde::Serialize;

use crate::Position;
use crate::perfect::{Solver, Stop};

/// The scores of the columns of a position from left to right, for the side to move: 0 is a draw, k a win with its k-th
/// last stone, -k such a loss. A full column has none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ColumnScores(pub Vec<Option<i32>>);

impl ColumnScores {
    pub fn compute(solver: &mut Solver, position: &Position, stop: &Stop<'_>) -> Option<Self> {
        let mut scores = vec![None; position.size().width() as usize];
        for (column, score) in solver.columns(position, stop)? {
            scores[column as usize] = Some(score);
        }
        Some(Self(scores))
    }

    /// Returns the score of a column, counted from 0, if it can be played.
    pub fn get(&self, column: u32) -> Option<i32> {
        self.0.get(column as usize).copied().flatten()
    }

    /// Returns the score of best play: that of the position. `None` when the game is over.
    pub fn best_score(&self) -> Option<i32> {
        self.0.iter().flatten().max().copied()
    }

    /// Returns the columns with the best score, the one to play first: nearest to the centre, then left.
    pub fn best(&self) -> Vec<u32> {
        let (width, best) = (self.0.len(), self.best_score());
        let mut columns: Vec<u32> =
            (0..).zip(&self.0).filter(|it| it.1.is_some() && *it.1 == best).map(|it| it.0).collect();
        columns.sort_by_key(|&column| (2 * column as usize + 1).abs_diff(width));
        columns
    }
}
