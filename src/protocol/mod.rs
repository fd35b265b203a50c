//! The Amazons engine protocol: lines of text between a program that plays and one that asks it to.
//!
//! [`Command`] is what is asked, [`Report`] what is answered; `docs/protocol.md` specifies both. The server stands on either
//! side: `engine` answers with a player's moves, `bridge` asks other programs.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod command;
mod lines;
mod notation;
mod report;

pub use command::{Command, CommandError, Go};
pub use lines::{LINE_MAX, Lines};
pub use notation::Dialect;
pub use report::Report;

/// The version of the protocol that this server speaks.
pub const VERSION: u32 = 1;
