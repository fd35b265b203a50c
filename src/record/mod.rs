//! The record of a game: its events, one JSON object a line.

mod fault;
mod reader;
mod replay;
mod start;
mod writer;

pub use reader::{ReadError, Record, Step};
pub use replay::ReplayError;
pub use writer::JsonLines;

/// The version of the format that this server writes and reads.
pub const FORMAT: u32 = 2;
