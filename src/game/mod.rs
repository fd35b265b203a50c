//! Prepares and plays a game: from arguments to seats and a start event.
//!
//! [`GameArgs`] and [`GameSettings`] are a person's choices; [`GameConfig`] is their valid form. [`start_event`]
//! describes the game before it is played, and [`play`] gives the participants their seats and lets the referee play.

mod args;
mod choices;
mod config;
mod error;
mod own;
mod play;
mod seats;
mod settings;
mod start;

pub use args::{BoardArgs, GameArgs};
pub use choices::{DirectionsArg, FirstArg};
pub use config::{GameConfig, OwnConfig, starting_position};
pub use error::ConfigError;
pub use own::PlayerSettings;
pub use play::{GameFailure, PlayedGame, play};
pub use seats::Attachments;
pub(crate) use seats::program_config;
pub use settings::GameSettings;
pub use start::start_event;
