//! The averaged search: a position is worth the average of its continuations, and wins and losses propagate.
//!
//! The rule, for the side that searches: a finished game is worth 1, -1 or 0, and so is a win of the side to move that
//! follows at once from any continuation; a position at the depth's end is worth 0; any other position is worth the sum
//! of its continuations, added from left to right, divided by their number. A search to the same depth gives the same
//! bits whoever computes it and however the work is divided.

mod evaluator;
mod plain;
mod table;

pub use evaluator::Evaluator;
pub use plain::Plain;
pub use table::Table;

use std::fmt;

use serde::de::{Error as _, Unexpected};
use serde::{Deserialize, Deserializer, Serialize};

use crate::{Ending, Position};

/// The value of a position, from the view of the searching side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Value {
    /// The side wins, whatever the other one does.
    Win,
    /// The side loses, whatever it does.
    Loss,
    /// The average, from -1 to 1, when nothing is proven.
    Guess(#[serde(deserialize_with = "average")] f64),
}

/// Reads an average, which another rank may have made up.
fn average<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let score = f64::deserialize(deserializer)?;
    let wrong = || D::Error::invalid_value(Unexpected::Float(score), &"an average from -1 to 1");
    (-1.0..=1.0).contains(&score).then_some(score).ok_or_else(wrong)
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => f.write_str("wins"),
            Self::Loss => f.write_str("loses"),
            Self::Guess(score) => score.fmt(f),
        }
    }
}

impl Value {
    /// Returns the value as a number from -1 to 1.
    pub const fn score(self) -> f64 {
        match self {
            Self::Win => 1.0,
            Self::Loss => -1.0,
            Self::Guess(score) => score,
        }
    }

    pub const fn is_proven(self) -> bool {
        !matches!(self, Self::Guess(_))
    }

    /// Returns the value of a score by the rule as it is written, where 1 and -1 are proofs.
    pub fn of_score(score: f64) -> Self {
        match score {
            1.0 => Self::Win,
            -1.0 => Self::Loss,
            _ => Self::Guess(score),
        }
    }

    /// Returns the value seen from the other side.
    pub fn reversed(self) -> Self {
        match self {
            Self::Win => Self::Loss,
            Self::Loss => Self::Win,
            // There is no negative zero.
            Self::Guess(score) => Self::Guess(0.0 - score),
        }
    }

    /// Returns the value of a finished game for the side to move.
    pub fn of_ending(ending: Ending, position: &Position) -> Self {
        match ending {
            Ending::Win(side) if side == position.turn() => Self::Win,
            Ending::Win(_) => Self::Loss,
            Ending::Draw => Self::Guess(0.0),
        }
    }

    /// Applies the rule to the continuations of a position, at least one, each seen from the side to move there.
    pub fn of_continuations(values: impl IntoIterator<Item = Self>) -> Self {
        let (mut sum, mut number, mut losses) = (0.0, 0_u32, 0);
        for value in values {
            match value {
                Self::Win => return Self::Win,
                Self::Loss => losses += 1,
                Self::Guess(_) => {}
            }
            sum += value.score();
            number += 1;
        }
        assert_ne!(number, 0, "a position that goes on has a continuation");
        if losses == number { Self::Loss } else { Self::Guess(sum / f64::from(number)) }
    }
}
