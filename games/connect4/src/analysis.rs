//! Analysis of games: what each move gave away.

use crate::perfect::{Solver, Stop};
use crate::record::Record;
use crate::{ColumnScores, Position, Side};

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
    /// The columns played, counted from 0.
    pub columns: Vec<u32>,
    /// The judgements of the last moves; earlier ones were not asked for.
    pub judged: Vec<Judged>,
    /// The position at the end.
    pub last: Position,
}

impl Analysis {
    /// Judges the moves of a game from the given number of plies on; `done` hears after each how many are left. `None` if
    /// stopped.
    ///
    /// The last move comes first: the scores of the end help with those before.
    pub fn new(
        game: &Record,
        from: usize,
        solver: &mut Solver,
        stop: &Stop<'_>,
        mut done: impl FnMut(usize),
    ) -> Option<Self> {
        let (mut last, mut positions, mut columns) = (Position::empty(game.size), Vec::new(), Vec::new());
        for name in game.all_moves().chars() {
            let column = last.column(name.encode_utf8(&mut [0; 4])).expect("a record has legal moves");
            positions.push(last);
            columns.push(column);
            last.play_free(column);
        }
        let mut judged = Vec::new();
        for index in (from.min(columns.len())..columns.len()).rev() {
            let scores = ColumnScores::compute(solver, &positions[index], stop)?;
            judged.push(Judged { column: columns[index], scores });
            done(index - from.min(index));
        }
        judged.reverse();
        Some(Self { columns, judged, last })
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
    /// Returns its mark, as chess players write it, and a word.
    pub const fn words(self) -> [&'static str; 2] {
        match self {
            Self::Best => ["", "best"],
            Self::Slower => ["?!", "slower"],
            Self::Mistake => ["?", "mistake"],
            Self::Blunder => ["??", "blunder"],
        }
    }
}
