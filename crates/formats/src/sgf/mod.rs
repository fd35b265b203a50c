//! SGF FF[4] with GM[18], <https://www.red-bean.com/sgf/amazons.html>.
//!
//! Private properties, which other programs skip, hold the rest: `XS` the shape of a board whose holes are written as
//! arrows, `XN` the number of the first full move, `XE` the exact ending, `XT` the seconds for a move.

mod charset;
mod points;
mod reader;
mod tree;
mod writer;

pub(crate) use writer::write;

use crate::Format;
use crate::read_error::read_text;

/// The Smart Game Format, for boards of at most 52 columns and rows.
pub const SGF: Format = Format {
    name: "sgf",
    extensions: &["sgf"],
    writer: |game, _| write(game).map(String::into_bytes),
    reader: Some(|bytes, number| read_text(&charset::decode(bytes)?, number, tree::starts, reader::read)),
};
