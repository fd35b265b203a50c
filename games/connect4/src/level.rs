use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::excerpt;

/// Maximum depth of `average` and `alphabeta`, in plies.
const DEEPEST: u32 = 60;

/// Maximum number of visits of `mcts`, which take a quarter of an hour.
const VISITS_MAX: u64 = 1_000_000_000;

/// A way to choose moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any free column.
    Random,
    /// The averaged search, to so many plies.
    Average(u32),
    /// Minimax with cut-offs, to so many plies; open lines of four decide beyond.
    AlphaBeta(u32),
    /// Best first, for so many visits.
    Mcts(u64),
    /// Never gives away a win or a draw.
    Perfect,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LevelError {
    #[error(
        "unknown player {0:?}: expected human, web, random, average:DEPTH, alphabeta:DEPTH, mcts:VISITS or perfect"
    )]
    Unknown(String),
    #[error("{name}: expected a number from 1 to {most}, as in {name}:{example}, got {text:?}")]
    Number {
        name: &'static str,
        /// The text after the colon.
        text: String,
        most: u64,
        example: u32,
    },
}

impl FromStr for Level {
    type Err = LevelError;

    fn from_str(text: &str) -> Result<Self, LevelError> {
        let (name, argument) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let number = |name, most: u64, example| {
            let text = argument.unwrap_or_default();
            let number = text.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| LevelError::Number { name, text: excerpt(text), most, example })
        };
        let depth = |name, example| Ok(u32::try_from(number(name, DEEPEST.into(), example)?).unwrap_or(DEEPEST));
        match (name, argument) {
            ("random", None) => Ok(Self::Random),
            ("perfect", None) => Ok(Self::Perfect),
            ("average", _) => depth("average", 8).map(Self::Average),
            ("alphabeta", _) => depth("alphabeta", 10).map(Self::AlphaBeta),
            ("mcts", _) => number("mcts", VISITS_MAX, 10_000).map(Self::Mcts),
            _ => Err(LevelError::Unknown(excerpt(text))),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Average(depth) => write!(f, "average:{depth}"),
            Self::AlphaBeta(depth) => write!(f, "alphabeta:{depth}"),
            Self::Mcts(visits) => write!(f, "mcts:{visits}"),
            Self::Perfect => f.write_str("perfect"),
        }
    }
}
