//! People as players.
//!
//! [`HumanSeat`] asks for a move at the terminal, where Tab offers [`completions`], or at a [`WebSession`], through the
//! viewer. Both give a [`hint()`]. When a person takes moves back, a [`RenewableSeat`] restarts the other player.

mod completion;
mod entry;
mod hint;
mod input;
mod prompt;
mod renewable;
mod seat;
mod terminal;
mod web_session;

pub use completion::completions;
pub use entry::HumanCommand;
pub use hint::{Hint, hint};
pub use renewable::RenewableSeat;
pub use seat::HumanSeat;
pub use web_session::{RefusedReply, Turn, WebSession};
