use crate::Position;
use crate::perfect::{Solver, Stop};

/// The scores of the columns of a position, for the side to move: 0 is a draw, k a win with its k-th last stone, -k
/// such a loss.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnScores {
    scores: Vec<Option<i32>>,
}

impl ColumnScores {
    /// Takes the scores from left to right; a full column has none.
    pub const fn new(scores: Vec<Option<i32>>) -> Self {
        Self { scores }
    }

    pub fn compute(solver: &mut Solver, position: &Position, stop: &Stop<'_>) -> Option<Self> {
        let mut scores = vec![None; position.size().width() as usize];
        for (column, score) in solver.columns(position, stop)? {
            scores[column as usize] = Some(score);
        }
        Some(Self { scores })
    }

    /// Returns the scores from left to right; a full column has none.
    pub fn all(&self) -> &[Option<i32>] {
        &self.scores
    }

    /// Returns the score of a column, counted from 0, if it can be played.
    pub fn get(&self, column: u32) -> Option<i32> {
        self.scores.get(column as usize).copied().flatten()
    }

    /// Returns the score of best play: that of the position. `None` when the game is over.
    pub fn best_score(&self) -> Option<i32> {
        self.scores.iter().flatten().max().copied()
    }

    /// Returns the columns with the best score, the one to play first: nearest to the centre, then left.
    pub fn best(&self) -> Vec<u32> {
        let best = self.best_score();
        let width = self.width();
        let mut columns: Vec<u32> = (0..width).filter(|&column| best.is_some() && self.get(column) == best).collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(width));
        columns
    }

    fn width(&self) -> u32 {
        u32::try_from(self.scores.len()).unwrap_or(u32::MAX)
    }
}
