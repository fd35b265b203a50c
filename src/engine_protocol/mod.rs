//! A player as an engine: lines of the [protocol](amazons_protocol) come in, a player's moves go out.
//!
//! [`talk`] reads all lines; [`Session`] runs the player in its own process, as in a game, on its own thread: lines are
//! read while it thinks.

mod session;
mod talk;

pub use session::{Reply, Session, Time, Trouble};
pub use talk::talk;
