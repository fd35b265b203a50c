use std::fmt;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One of the two players, as numbered on the command line; written as 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum PlayerNumber {
    /// The first file on the command line.
    One,
    /// The second file on the command line.
    Two,
}

/// A number of no player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("player {0} does not exist: use 1 or 2")]
pub struct UnknownPlayer(u8);

impl PlayerNumber {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::One, Self::Two];

    /// Returns the other player.
    pub const fn opponent(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    /// Returns 1 or 2.
    pub const fn number(self) -> u8 {
        match self {
            Self::One => 1,
            Self::Two => 2,
        }
    }
}

impl fmt::Display for PlayerNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "player {}", self.number())
    }
}

impl From<PlayerNumber> for u8 {
    fn from(player: PlayerNumber) -> Self {
        player.number()
    }
}

impl TryFrom<u8> for PlayerNumber {
    type Error = UnknownPlayer;

    fn try_from(number: u8) -> Result<Self, UnknownPlayer> {
        Self::ALL.into_iter().find(|player| player.number() == number).ok_or(UnknownPlayer(number))
    }
}

impl<T> Index<PlayerNumber> for [T; 2] {
    type Output = T;

    fn index(&self, player: PlayerNumber) -> &T {
        let [one, two] = self;
        match player {
            PlayerNumber::One => one,
            PlayerNumber::Two => two,
        }
    }
}

impl<T> IndexMut<PlayerNumber> for [T; 2] {
    fn index_mut(&mut self, player: PlayerNumber) -> &mut T {
        let [one, two] = self;
        match player {
            PlayerNumber::One => one,
            PlayerNumber::Two => two,
        }
    }
}
