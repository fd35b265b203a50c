use std::fmt;

use amazons_rules::{Color, Move, Position};

use crate::analysis::{Analyst, Certain, Judgement};

/// A grade for a bad move, by its loss of winning probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`: at least 5 percentage points.
    Dubious,
    /// `?`: at least 10.
    Mistake,
    /// `??`: at least 20, or a proven win turned into a proven loss.
    Blunder,
}

impl Mark {
    /// All marks, mildest first.
    pub const ALL: [Self; 3] = [Self::Dubious, Self::Mistake, Self::Blunder];

    /// Returns the minimum loss for the mark, in percentage points.
    pub const fn threshold(self) -> f32 {
        match self {
            Self::Dubious => 5.0,
            Self::Mistake => 10.0,
            Self::Blunder => 20.0,
        }
    }

    /// Returns the mark of a move that loses this many percentage points.
    pub fn of(loss: f32) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|mark| loss >= mark.threshold())
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Dubious => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        })
    }
}

/// A move of a game, with the engine's evaluation.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The number of the move in the game, from 1.
    pub ply: u32,
    /// The side that played it.
    pub color: Color,
    pub played: Move,
    /// The evaluation of the position before.
    pub before: Judgement,
    /// The engine's move, if different.
    pub better: Option<Move>,
    /// By how many percentage points the move lowered its player's winning probability; 0 for the engine's own.
    pub loss: f32,
    /// Whether a proven win became a proven loss.
    pub win_thrown_away: bool,
}

impl Annotation {
    /// Returns the move's mark.
    pub fn mark(&self) -> Option<Mark> {
        Mark::of(self.loss)
    }
}

/// A summary of a side's moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct SideReview {
    /// Number of moves.
    pub moves: u32,
    /// The sum of the losses, in percentage points.
    loss: f64,
    marks: [u32; Mark::ALL.len()],
}

impl SideReview {
    fn add(&mut self, annotation: &Annotation) {
        self.moves += 1;
        self.loss += f64::from(annotation.loss);
        if let Some(mark) = annotation.mark() {
            self.marks[mark as usize] += 1;
        }
    }

    /// Returns the mean loss per move in percentage points; `None` without moves.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss / f64::from(self.moves))
    }

    /// Returns the number of moves with a mark.
    pub const fn count(&self, mark: Mark) -> u32 {
        self.marks[mark as usize]
    }
}

/// A summary of a game.
#[derive(Clone, Debug)]
pub struct Review {
    /// Black's moves and White's.
    pub tallies: [SideReview; 2],
    /// The evaluation of the last position.
    pub last: Judgement,
    /// The last position.
    pub position: Position,
}

/// Evaluates every position of a game, and passes each move to `tell` once the position after it is evaluated.
///
/// A move's loss is the difference between the evaluations before and after it, both searched equally deep. The tree of
/// each search is kept for the next.
///
/// # Errors
/// Those of `tell`.
///
/// # Panics
/// May panic when a move is illegal.
pub fn annotate<E>(
    analyst: &mut Analyst,
    start: &Position,
    moves: &[Move],
    mut tell: impl FnMut(&Annotation, &Position) -> Result<(), E>,
) -> Result<Review, E> {
    let mut position = start.clone();
    let mut tallies = [SideReview::default(); 2];
    let mut before = analyst.judge(&position, 1);
    for (ply, &played) in (1..).zip(moves) {
        let earlier = position.clone();
        position.play_unchecked(played);
        let after = analyst.judge(&position, 1);
        let annotation = compare(ply, earlier.side_to_move(), played, before, &after);
        tallies[annotation.color.index()].add(&annotation);
        tell(&annotation, &earlier)?;
        before = after;
    }
    Ok(Review { tallies, last: before, position })
}

fn compare(ply: u32, color: Color, played: Move, before: Judgement, after: &Judgement) -> Annotation {
    let better = before.candidates.first().and_then(|best| best.moves.first().copied()).filter(|&best| best != played);
    let given_away = 100.0 * (before.win - (1.0 - after.win));
    let loss = if better.is_some() { given_away.max(0.0) } else { 0.0 };
    let is_won_by = |certain: Option<Certain>, winner| certain.is_some_and(|certain| certain.winner == winner);
    let win_thrown_away = is_won_by(before.certain, color) && is_won_by(after.certain, color.opposite());
    Annotation { ply, color, played, before, better, loss, win_thrown_away }
}
