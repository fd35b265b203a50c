//! The record of a game: its events, one JSON object a line.

mod reader;
mod replay;
mod writer;

pub use reader::{ReadError, Record};
pub use replay::ReplayError;
pub use writer::JsonLines;

/// The version of the format that this server writes and reads.
pub const FORMAT: u32 = 1;
