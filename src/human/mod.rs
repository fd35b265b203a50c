//! A person at the terminal as a player.
//!
//! [`HumanSeat`] asks for a move and explains what is wrong with what was typed; [`completions`] are what Tab offers. A
//! game in which moves are taken back goes on with [`RenewableSeat`]s, which start their players anew.

mod completion;
mod entry;
mod input;
mod renewable;
mod seat;

pub use completion::completions;
pub use entry::Entry;
pub use renewable::RenewableSeat;
pub use seat::HumanSeat;
