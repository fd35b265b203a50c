use amazons_program::Exit;
use clap::Args;
use connect4::{Ending, Position, Size, excerpt};

/// A board, and the moves that are played already.
#[derive(Args, Clone, Debug)]
pub(crate) struct BoardArgs {
    /// Columns and rows
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value_t)]
    pub(crate) size: Size,
    /// Moves that are played already, such as 4453
    #[arg(long, value_name = "MOVES", default_value = "", hide_default_value = true)]
    pub(crate) position: String,
}

impl BoardArgs {
    pub(crate) fn position(&self) -> Result<Position, Exit> {
        let position = Position::from_moves(self.size, &self.position);
        position.map_err(|error| Exit::Usage(format!("--position {}: {error}", excerpt(&self.position))))
    }
}

/// Returns the position after these moves of a game that goes on.
pub(crate) fn open_position(size: Size, moves: &str) -> Result<Position, Exit> {
    let wrong = |error| Exit::Usage(format!("position {:?}: {error}", excerpt(moves)));
    let position = Position::from_moves(size, moves).map_err(wrong)?;
    match position.ending() {
        None => Ok(position),
        Some(_) => Err(Exit::Usage(format!("position {moves:?}: the game is over: name a shorter one"))),
    }
}

/// A position as people write it: moves, with or without blanks and commas; moves and a score, as published sets have
/// them; or the letters of all cells.
pub(crate) struct Asked {
    pub(crate) text: String,
    pub(crate) position: Position,
    /// The score that is said to be right.
    pub(crate) score: Option<i32>,
}

impl Asked {
    /// Reads a position of a game that goes on.
    pub(crate) fn parse(size: Size, line: &str) -> Result<Self, String> {
        let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | '[' | ']');
        let words: Vec<&str> = line.split(is_gap).filter(|word| !word.is_empty()).collect();
        let cells = size.cells() as usize;
        let is_single = words.first().is_some_and(|word| word.len() == 1);
        let letters: String = words.iter().take(if is_single { cells } else { 1 }).copied().collect();
        if let Some(position) = board(size, &letters.to_lowercase()) {
            return Self { text: letters, position, score: None }.open();
        }
        let (text, score) = match words[..] {
            [moves, score] if moves.len() > 1 => match score.parse::<i32>() {
                Ok(score) if score.unsigned_abs() as usize <= cells.div_ceil(2) => (moves.to_owned(), Some(score)),
                _ => (words.concat(), None),
            },
            _ => (words.concat(), None),
        };
        let position = Position::from_moves(size, &text).map_err(|error| error.to_string())?;
        Self { text, position, score }.open()
    }

    fn open(self) -> Result<Self, String> {
        match self.position.ending() {
            None => Ok(self),
            Some(Ending::Win(_)) => Err(format!("the game is over at move {}", self.position.plies())),
            Some(Ending::Draw) => Err("the board is full".to_owned()),
        }
    }
}

/// Reads all cells: x, o and b column by column from below, as the set of the UCI has them, or 1, 2 and 0 row by row
/// from above, as in Kaggle's competition.
fn board(size: Size, letters: &str) -> Option<Position> {
    let (width, height, is_by_rows) = (size.width(), size.height(), letters.contains('0'));
    let mut stones = [0_u64; 3];
    for (place, letter) in (0..).zip(letters.replace('.', "b").chars()) {
        let side = if is_by_rows { "012" } else { "bxo" }.find(letter)?;
        let (column, row) = if is_by_rows {
            (place % width, height.checked_sub(1 + place / width)?)
        } else {
            (place / height, place % height)
        };
        stones[side] |= 1_u64.checked_shl(column * (height + 1) + row)?;
    }
    let [_, first, second] = stones;
    let own = if first.count_ones() == second.count_ones() { first } else { second };
    let is_whole = letters.chars().count() == size.cells() as usize;
    Position::from_stones(size, own, first | second).filter(|_| is_whole)
}

pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a number from 0 to {}", u64::MAX))
}
