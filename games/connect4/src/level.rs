use std::fmt;
use std::str::FromStr;

use crate::excerpt;

/// Maximum depth of `average` and `alphabeta`, in plies.
const MAX_DEPTH: u32 = 60;

/// Maximum number of visits of `mcts`, which take a quarter of an hour.
const MAX_VISITS: u64 = 1_000_000_000;

const LEVELS: &str = "random, average:DEPTH, alphabeta:DEPTH, mcts:VISITS or perfect";

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

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, argument) = text.split_once(':').map_or((text, None), |(name, number)| (name, Some(number)));
        let number = |name, most: u64, example| {
            let text = argument.unwrap_or_default();
            let number = text.parse().ok().filter(|number| (1..=most).contains(number));
            let wanted = format!("expected a number from 1 to {most}, as in {name}:{example}");
            number.ok_or_else(|| format!("{name}: {wanted}, got {:?}", excerpt(text)))
        };
        let depth = |name, example| Ok(u32::try_from(number(name, MAX_DEPTH.into(), example)?).unwrap_or(MAX_DEPTH));
        match (name, argument) {
            ("random", None) => Ok(Self::Random),
            ("perfect", None) => Ok(Self::Perfect),
            ("average", _) => depth("average", 8).map(Self::Average),
            ("alphabeta", _) => depth("alphabeta", 10).map(Self::AlphaBeta),
            ("mcts", _) => number("mcts", MAX_VISITS, 10_000).map(Self::Mcts),
            _ => Err(format!("unknown player {:?}: expected human, web, {LEVELS}", excerpt(text))),
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
