//! Text in the style of PGN, <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>, with moves of Amazons.
//!
//! Besides the seven tags there are `Board` (see [`crate::BoardName`], or `standard`), `SetUp` and `FEN`, `Termination`
//! with the names of endings, and `Detail`. `[%emt 0.012]`, `[%clk 14.9]` and `[%eval 0.31]` in comments are the
//! seconds for the move, the seconds left, and the player's evaluation from -1 to 1.

mod reader;
mod tokens;
mod writer;

pub(crate) use writer::write;

use crate::Format;
use crate::read_error::read_text;

/// Text in the style of PGN, for every board.
pub const PGN: Format = Format {
    name: "pgn",
    extensions: &["pgn"],
    writer: |game, _| Ok(write(game).into_bytes()),
    reader: Some(|bytes, number| read_text(bytes, number, reader::starts, reader::read)),
};
