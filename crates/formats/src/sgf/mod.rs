//! SGF FF[4] with GM[18], <https://www.red-bean.com/sgf/amazons.html>.
//!
//! What has no property there has a private one, which other programs skip: `XS` the shape of a board whose holes are
//! written as arrows, `XN` the number of the first full move, `XE` the exact ending, `XT` the seconds that a move took.

mod points;
mod reader;
mod tree;
mod writer;

use crate::{CannotWrite, Format, Game, Look, Reader};

/// The Smart Game Format, for boards of at most 52 columns and rows.
#[derive(Clone, Copy, Debug)]
pub struct Sgf;

impl Format for Sgf {
    fn name(&self) -> &'static str {
        "sgf"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["sgf"]
    }

    fn write(&self, game: &Game, _: &Look) -> Result<Vec<u8>, CannotWrite> {
        writer::write(game)
    }

    fn reader(&self) -> Option<Reader> {
        Some(reader::read)
    }
}
