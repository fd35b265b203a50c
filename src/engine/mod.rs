//! A player as an engine: lines of the [protocol](amazons_protocol) come in, a player's moves go out.
//!
//! [`talk`] reads lines until there are no more; [`Session`] runs the player, in a process of its own as in a game, on a
//! thread of its own, so that lines are read while it thinks.

mod session;
mod talk;

pub use session::{Reply, Session, Time, Trouble};
pub use talk::talk;
