//! A player as an engine: lines of the [protocol](amazons_protocol) come in, a player's moves go out.
//!
//! [`talk`] reads all lines, and a second thread answers: lines are read while it thinks. A bundled player of this build
//! is searched with in this process; [`Session`] runs any other in its own process, as in a game.

mod ask;
mod info;
mod options;
mod out;
mod own_search;
mod reader;
mod session;
mod talk;
mod worker;

pub use session::{Reply, Session, Time, Trouble};
pub use talk::{Engine, talk};
pub use worker::Way;
