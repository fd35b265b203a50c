use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::geometry::{AnySize, Geometry};
use crate::{Ending, Side, Size, excerpt};

/// A position: the stones of the side to move, and those of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "(u32, u32, u64, u64)", try_from = "(u32, u32, u64, u64)")]
pub struct Position {
    size: Size,
    own: u64,
    stones: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MoveError {
    #[error("no column {0:?}: columns are {first} to {last}", first = .1.column_name(0), last = .1.column_name(.1.width() - 1))]
    NoColumn(String, Size),
    #[error("column {0} is full")]
    Full(char),
    #[error("the game is over")]
    Over,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{error} at move {number}")]
pub struct MovesError {
    pub number: usize,
    pub error: MoveError,
}

impl Position {
    pub const fn empty(size: Size) -> Self {
        Self { size, own: 0, stones: 0 }
    }

    /// Plays moves from the empty board: a character for each column, first player first.
    pub fn from_moves(size: Size, moves: &str) -> Result<Self, MovesError> {
        let mut position = Self::empty(size);
        for (index, name) in moves.chars().enumerate() {
            let played = position.column(name.encode_utf8(&mut [0; 4])).and_then(|column| position.play(column));
            played.map_err(|error| MovesError { number: index + 1, error })?;
        }
        Ok(position)
    }

    /// Returns a position from its stones: those of the side to move, and those of both.
    ///
    /// `None` if a stone hangs in the air or is beyond the board, or if one side has too many stones.
    pub fn from_stones(size: Size, own: u64, stones: u64) -> Option<Self> {
        let geometry = AnySize::new(size);
        let plies = stones.count_ones();
        let stand = stones & !geometry.cells() == 0 && (stones + geometry.bottom()) & stones == 0;
        (stand && own & !stones == 0 && own.count_ones() == plies / 2).then_some(Self { size, own, stones })
    }

    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the stones of the side to move.
    pub const fn own(&self) -> u64 {
        self.own
    }

    /// Returns the stones of both sides.
    pub const fn stones(&self) -> u64 {
        self.stones
    }

    pub const fn plies(&self) -> u32 {
        self.stones.count_ones()
    }

    pub const fn turn(&self) -> Side {
        if self.plies().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// Returns the side whose stone is on a cell, counted from 0 from the left and from below.
    pub fn stone(&self, column: u32, row: u32) -> Option<Side> {
        let cell = 1_u64 << (column * (self.size.height() + 1) + row);
        match (self.stones & cell != 0, self.own & cell != 0) {
            (false, _) => None,
            (true, true) => Some(self.turn()),
            (true, false) => Some(self.turn().opponent()),
        }
    }

    pub fn ending(&self) -> Option<Ending> {
        let geometry = AnySize::new(self.size);
        // Only the last move can have made a four.
        if geometry.has_four(self.own ^ self.stones) {
            return Some(Ending::Win(self.turn().opponent()));
        }
        (self.stones == geometry.cells()).then_some(Ending::Draw)
    }

    /// Returns all cells of fours in a row, as column and row from 0.
    pub fn fours(&self) -> Vec<(u32, u32)> {
        let (step, last) = (self.size.height() + 1, self.own ^ self.stones);
        let mut cells = 0;
        for by in [1, step - 1, step, step + 1] {
            let firsts = last & (last >> by) & (last >> (2 * by)) & (last >> (3 * by));
            cells |= firsts | firsts << by | firsts << (2 * by) | firsts << (3 * by);
        }
        (0..self.size.cells() + self.size.width())
            .filter(|bit| cells >> bit & 1 != 0)
            .map(|bit| (bit / step, bit % step))
            .collect()
    }

    /// Returns the column of that name, counted from 0.
    pub fn column(&self, name: &str) -> Result<u32, MoveError> {
        let mut characters = name.chars();
        let character = characters.next().filter(|_| characters.next().is_none());
        let column =
            character.and_then(|character| (0..self.size.width()).find(|&it| self.size.column_name(it) == character));
        column.ok_or_else(|| MoveError::NoColumn(excerpt(name), self.size))
    }

    /// Returns the columns with a free cell from the centre outwards, of two the left one first; none when the game is over.
    pub fn columns_from_centre(&self) -> impl Iterator<Item = u32> {
        let is_over = self.ending().is_some();
        self.size.from_centre().into_iter().filter(move |&column| !is_over && self.is_free(column))
    }

    pub fn is_free(&self, column: u32) -> bool {
        let geometry = AnySize::new(self.size);
        column < self.size.width() && self.stones & geometry.column(column) != geometry.column(column)
    }

    /// Returns the columns with a free cell, from left to right; none when the game is over.
    pub fn columns(&self) -> impl Iterator<Item = u32> + use<> {
        let (position, is_over) = (*self, self.ending().is_some());
        (0..self.size.width()).filter(move |&column| !is_over && position.is_free(column))
    }

    /// Plays a column, counted from 0.
    pub fn play(&mut self, column: u32) -> Result<(), MoveError> {
        if self.ending().is_some() {
            return Err(MoveError::Over);
        }
        if !self.is_free(column) {
            return Err(MoveError::Full(self.size.column_name(column)));
        }
        self.play_free(column);
        Ok(())
    }

    /// Plays a column with a free cell, in a game that is not over.
    pub fn play_free(&mut self, column: u32) {
        let geometry = AnySize::new(self.size);
        self.own ^= self.stones;
        self.stones |= (self.stones + geometry.bottom()) & geometry.column(column);
    }

    /// Returns the position after a column with a free cell, in a game that is not over.
    pub fn after(&self, column: u32) -> Self {
        let mut next = *self;
        next.play_free(column);
        next
    }

    /// Takes back the last move, which was this column.
    pub fn take_back(&mut self, column: u32) {
        let geometry = AnySize::new(self.size);
        let stones = self.stones & geometry.column(column);
        // The highest stone of the column: it has none above it.
        self.stones ^= stones & !(stones >> 1);
        self.own = (self.own ^ self.stones) & self.stones;
    }

    pub fn mirrored(&self) -> Self {
        let geometry = AnySize::new(self.size);
        Self { size: self.size, own: geometry.mirrored(self.own), stones: geometry.mirrored(self.stones) }
    }
}

impl From<Position> for (u32, u32, u64, u64) {
    fn from(Position { size, own, stones }: Position) -> Self {
        (size.width(), size.height(), own, stones)
    }
}

impl TryFrom<(u32, u32, u64, u64)> for Position {
    type Error = &'static str;

    fn try_from((width, height, own, stones): (u32, u32, u64, u64)) -> Result<Self, Self::Error> {
        let position = Size::new(width, height).ok().and_then(|size| Self::from_stones(size, own, stones));
        position.ok_or("stones that no game leads to")
    }
}

/// Returns the letter of a side's stones.
pub const fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

impl fmt::Display for Position {
    /// Draws the board in plain letters: X is the first player, O the second.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..self.size.height()).rev() {
            for column in 0..self.size.width() {
                write!(f, "{}", self.stone(column, row).map_or('.', letter))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
