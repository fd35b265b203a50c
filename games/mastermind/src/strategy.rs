use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::ParseError;

/// A rule that chooses the next guess.
///
/// One or two codes left: the lowest. Otherwise the least key over the sizes of the parts that the answers make; among
/// equal keys a code that is still possible, then the lowest index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Strategy {
    /// The largest part.
    Minimax,
    /// The sum of the squares of the parts: the size of the part to expect.
    Expected,
    /// The sum of n log2 n over the parts.
    Entropy,
    /// Most parts.
    Parts,
    /// The lowest possible code.
    First,
}

impl Strategy {
    pub const ALL: [Self; 5] = [Self::First, Self::Minimax, Self::Expected, Self::Entropy, Self::Parts];
}

impl fmt::Display for Strategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Minimax => "minimax",
            Self::Expected => "expected",
            Self::Entropy => "entropy",
            Self::Parts => "parts",
            Self::First => "first",
        })
    }
}

impl FromStr for Strategy {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let is_named = |strategy: &Self| strategy.to_string() == text;
        Self::ALL.into_iter().find(is_named).ok_or_else(|| {
            ParseError(format!("unknown strategy {text:?}: one of minimax, expected, entropy, parts, first"))
        })
    }
}

/// The codes that may be guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Guesses {
    All,
    /// Only those that agree with all answers.
    Possible,
}

/// A guess and how it compares with others: the least choice is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Choice {
    pub key: i64,
    pub is_ruled_out: bool,
    pub index: u32,
}

/// Parts at most this large have their share of the key in a table.
const TABLE_MAX: usize = 1 << 16;
/// Sets at most this large have a key that grows code by code.
pub(crate) const SMALL: usize = 255;

/// The contribution of a part of each size to the key.
#[derive(Clone, Debug)]
pub(crate) struct PartKeys {
    strategy: Strategy,
    table: Vec<i64>,
    /// The contribution of one more code to a part of each size.
    pub(crate) steps: [i64; SMALL + 1],
}

impl PartKeys {
    /// Makes the keys for up to this many codes.
    pub(crate) fn new(strategy: Strategy, codes: usize) -> Self {
        let table = (0..=codes.clamp(SMALL + 1, TABLE_MAX)).map(|size| part_key(strategy, size)).collect::<Vec<_>>();
        let steps = std::array::from_fn(|size| table[size + 1] - table[size]);
        Self { strategy, table, steps }
    }

    /// Returns whether the key is the largest part instead of a sum.
    #[inline(always)]
    pub(crate) const fn is_largest(&self) -> bool {
        matches!(self.strategy, Strategy::Minimax)
    }

    #[inline(always)]
    pub(crate) fn key(&self, sizes: &[u32]) -> i64 {
        if self.is_largest() {
            return i64::from(sizes.iter().copied().max().unwrap_or(0));
        }
        let of = |&size: &u32| {
            let size = size as usize;
            self.table.get(size).copied().unwrap_or_else(|| part_key(self.strategy, size))
        };
        sizes.iter().map(of).sum()
    }

    /// Returns the key if each code has a part of its own.
    pub(crate) fn perfect(&self, codes: usize) -> i64 {
        if self.is_largest() { 1 } else { self.table[1] * i64::try_from(codes).expect("at most 10^8") }
    }
}

fn part_key(strategy: Strategy, size: usize) -> i64 {
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "sizes are at most 10^8")]
    let entropy = |size: usize| (size as f64 * (size as f64).log2() * f64::from(1 << 20)).round() as i64;
    let whole = |size| i64::try_from(size).expect("at most 10^8");
    match strategy {
        Strategy::Expected => whole(size) * whole(size),
        Strategy::Entropy if size > 1 => entropy(size),
        Strategy::Parts => -whole(size.min(1)),
        Strategy::Entropy | Strategy::Minimax | Strategy::First => 0,
    }
}
