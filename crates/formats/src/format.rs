use thiserror::Error;

use crate::{Found, Game, Look, ReadError};

/// Reads a game from untrusted bytes; if the file holds several, the one with this number, from 1.
pub type Reader = fn(&[u8], usize) -> Result<Found, ReadError>;

/// A file format for games.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The name that commands use.
    pub name: &'static str,
    /// The file name extensions, the usual one first.
    pub extensions: &'static [&'static str],
    /// Writes a game, see [`Format::write`].
    pub writer: fn(&Game, &Look) -> Result<Vec<u8>, CannotWrite>,
    /// Reads a game; `None` for pictures and pages.
    pub reader: Option<Reader>,
}

impl Format {
    /// Writes a game.
    pub fn write(&self, game: &Game, look: &Look) -> Result<Vec<u8>, CannotWrite> {
        (self.writer)(game, look)
    }
}

/// Why a format cannot hold a game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CannotWrite {
    /// The board has more columns or rows than the format has letters for.
    #[error("{format} has no boards of {columns} x {rows}: at most {max} x {max}")]
    TooLarge {
        /// The format.
        format: &'static str,
        /// Number of columns.
        columns: u32,
        /// Number of rows.
        rows: u32,
        /// The largest side.
        max: u32,
    },
    /// The picture would have too many pixels.
    #[error("{0}: make the picture smaller, or cut the game off earlier")]
    Pixels(String),
    /// Anything else that the format cannot express.
    #[error("{0}")]
    Other(String),
}
