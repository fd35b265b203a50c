//! The Amazons engine protocol: lines of text between a client and an engine.
//!
//! A [`Command`] goes to the engine, an [`EngineMessage`] comes back; `docs/protocol.md` specifies both.
//! Moves and some words differ in UCI: see [`Dialect`].
//!
//! ```
//! use amazons_protocol::{Command, EngineMessage};
//!
//! assert_eq!(Command::parse("isready").unwrap(), Command::IsReady);
//! assert_eq!(EngineMessage::parse("bestmove d1-d7/g7"), EngineMessage::BestMove(Some("d1-d7/g7".to_owned())));
//! ```
#![warn(missing_docs)]
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod error;
mod go;
mod lines;
mod notation;
mod parse_go;
mod report;

pub use command::{Command, Start};
pub use error::{CommandError, shorten};
pub use go::Go;
pub use lines::{LINE_MAX, Lines, TooLong};
pub use notation::{Dialect, read_move};
pub use report::{EngineMessage, info_text};

/// The version of the protocol, as `aep` and `aepok` state it.
pub const VERSION: u32 = 1;
