//! SGF FF[4] with GM[18], <https://www.red-bean.com/sgf/amazons.html>.
//!
//! What has no property there has a private one, which other programs skip: `XS` the shape of a board whose holes are
//! written as arrows, `XN` the number of the first full move, `XE` the exact ending, `XT` the seconds that a move took.

mod points;
mod reader;
mod tree;
mod writer;

use crate::Format;

/// The Smart Game Format, for boards of at most 52 columns and rows.
pub const SGF: Format =
    Format { name: "sgf", extensions: &["sgf"], writer: |game, _| writer::write(game), reader: Some(reader::read) };
