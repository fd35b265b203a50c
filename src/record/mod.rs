//! The record of a game: its events, one JSON object per line.

mod convert;
mod fault;
mod format;
mod reader;
mod replay;
mod start;
mod writer;

pub(crate) use convert::outcome;
pub use format::RECORD_FORMAT;
pub use reader::{LINE_MAX, ReadError, Record, Step, begins_with_event};
pub use replay::ReplayError;
pub use writer::{JsonLines, RecordFile};

/// The version of the format.
pub const FORMAT: u32 = 4;
