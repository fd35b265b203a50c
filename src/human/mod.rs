//! People as players.
//!
//! [`HumanSeat`] asks for a move at the terminal and explains what is wrong with what was typed; [`completions`] are what
//! Tab offers. [`BrowserSeat`] asks at a [`WebSession`], where the viewer lets a person answer. Both can be told a [`hint()`]. A game
//! in which moves are taken back goes on with [`RenewableSeat`]s, which start their players anew.

mod browser_seat;
mod completion;
mod cost;
mod entry;
mod hint;
mod input;
mod renewable;
mod seat;
mod web_session;

pub use browser_seat::BrowserSeat;
pub use completion::completions;
pub use entry::Entry;
pub use hint::{Hint, hint};
pub use renewable::RenewableSeat;
pub use seat::HumanSeat;
pub use web_session::{Refused, Said, Turn, WebSession};
