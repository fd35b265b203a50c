//! Text in the style of PGN, <https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm>, with moves of Amazons.
//!
//! Besides the seven tags there are `Board` (see [`crate::BoardName`], or `standard`), `SetUp` and `FEN`, `Termination`
//! with the names of endings, and `Detail`. `[%emt 0:00:00.012]`, `[%clk 0:00:14.9]` and `[%value 0.31]` in comments are
//! the time for the move, the time left, and the player's evaluation from -1 to 1; other commands stay comments, such as
//! `[%eval]`, which elsewhere is White's view in pawns.

mod reader;
mod tokens;
mod writer;

pub(crate) use writer::write;

use crate::Format;
use crate::read_error::{read_text, text_of};

/// Text in the style of PGN, for every board.
pub const PGN: Format = Format {
    name: "pgn",
    extensions: &["pgn"],
    writer: |game, _| Ok(write(game).into_bytes()),
    reader: Some(|bytes, number| read_text(&text_of(bytes), number, reader::starts, reader::read)),
};
