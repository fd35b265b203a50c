use amazons_program::Exit;
use clap::Args;
use connect4::{Position, Size, excerpt};

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
    /// Returns the position after the moves.
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

/// Reads the seed of random choices from the command line.
pub(crate) fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("a seed is a number from 0 to {}", u64::MAX))
}
