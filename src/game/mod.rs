//! A game made ready: from what was typed to seats and a start event, and played.
//!
//! [`GameConfig`] is a valid game; [`start_event`] describes it before it is played, and [`play`] gives the participants
//! their seats and lets the referee play.

mod config;
mod error;
mod play;
mod seats;
mod start;

pub use config::{GameConfig, starting_position};
pub use error::ConfigError;
pub use play::{GameFailure, PlayedGame, play};
pub use seats::Attachments;
pub(crate) use seats::program_config;
pub use start::start_event;
