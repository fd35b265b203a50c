//! Text in the style of PGN, <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>, with moves of Amazons.
//!
//! Besides the seven tags there are `Board` (see [`crate::BoardName`], or `standard`), `SetUp` and `FEN`, `Termination` with
//! the names of endings, and `Detail`. `[%emt 0.012]`, `[%clk 14.9]` and `[%eval 0.31]` in comments are the seconds of the
//! move, what is left, and what its player thought, from -1 to 1.

mod reader;
mod tokens;
mod writer;

use crate::{CannotWrite, Format, Game, Look, Reader};

/// Text in the style of PGN, for every board.
#[derive(Clone, Copy, Debug)]
pub struct Pgn;

impl Format for Pgn {
    fn name(&self) -> &'static str {
        "pgn"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pgn"]
    }

    fn write(&self, game: &Game, _: &Look) -> Result<Vec<u8>, CannotWrite> {
        Ok(writer::write(game).into_bytes())
    }

    fn reader(&self) -> Option<Reader> {
        Some(reader::read)
    }
}
