//! Analysis of games: what each move gave away.

use crate::perfect::{Solver, Stop};
use crate::{ColumnScores, Ending, MovesError, Position, Side, Size};

/// A move's effect on its side's result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// No other column has a better score.
    Best,
    /// The result is the same, but a win takes longer or a loss comes sooner.
    Slower,
    /// A win became a draw, or a draw a loss.
    Mistake,
    /// A win became a loss.
    Blunder,
}

/// A move and the scores of all columns it could have been, for the side that played it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The column, counted from 0.
    pub column: u32,
    pub scores: ColumnScores,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Analysis {
    pub size: Size,
    /// The columns played, counted from 0.
    pub columns: Vec<u32>,
    /// The judgements of the last moves; earlier ones were not asked for.
    pub judged: Vec<Judged>,
    pub ending: Option<Ending>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AnalysisError {
    #[error(transparent)]
    Moves(#[from] MovesError),
    #[error("the analysis was stopped")]
    Stopped,
}

impl Analysis {
    /// Judges the moves of a game from the given number of plies on; `done` hears after each how many are left.
    ///
    /// The last move comes first: the scores of the end help with those before.
    pub fn new(
        size: Size,
        moves: &str,
        from: usize,
        solver: &mut Solver,
        stop: &Stop<'_>,
        mut done: impl FnMut(usize),
    ) -> Result<Self, AnalysisError> {
        let ending = Position::from_moves(size, moves)?.ending();
        let (mut position, mut positions, mut columns) = (Position::empty(size), Vec::new(), Vec::new());
        for name in moves.chars() {
            // They are known to be right.
            let Some(column) = (0..size.width()).find(|&column| size.column_name(column) == name) else { break };
            positions.push(position);
            columns.push(column);
            position.play_free(column);
        }
        let mut judged = Vec::new();
        for index in (from.min(columns.len())..columns.len()).rev() {
            let scores = ColumnScores::compute(solver, &positions[index], stop).ok_or(AnalysisError::Stopped)?;
            judged.push(Judged { column: columns[index], scores });
            done(index - from.min(index));
        }
        judged.reverse();
        Ok(Self { size, columns, judged, ending })
    }

    /// Returns the number of moves that were not judged: they come first.
    pub const fn skipped(&self) -> usize {
        self.columns.len() - self.judged.len()
    }

    /// Yields the judged moves with their numbers from 1 on, and who played them.
    pub fn moves(&self) -> impl Iterator<Item = (usize, Side, &Judged)> {
        self.judged.iter().enumerate().map(|(index, judged)| {
            let number = self.skipped() + index + 1;
            (number, if number % 2 == 1 { Side::First } else { Side::Second }, judged)
        })
    }

    pub fn position(&self, plies: usize) -> Position {
        let mut position = Position::empty(self.size);
        self.columns.iter().take(plies).for_each(|&column| position.play_free(column));
        position
    }
}

impl Judged {
    pub fn score(&self) -> i32 {
        self.scores.get(self.column).unwrap_or_default()
    }

    pub fn best_score(&self) -> i32 {
        self.scores.best_score().unwrap_or_default()
    }

    /// Returns how much more the best moves score.
    pub fn gave_away(&self) -> i32 {
        self.best_score() - self.score()
    }

    pub fn verdict(&self) -> Verdict {
        match self.best_score().signum() - self.score().signum() {
            0 if self.gave_away() == 0 => Verdict::Best,
            0 => Verdict::Slower,
            1 => Verdict::Mistake,
            _ => Verdict::Blunder,
        }
    }
}

impl Verdict {
    pub const fn word(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Slower => "slower",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
        }
    }

    /// Returns it as chess players write it.
    pub const fn mark(self) -> &'static str {
        match self {
            Self::Best => "",
            Self::Slower => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}
