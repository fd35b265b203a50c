//! Ladders: players come, are replaced and go while games are played, without an end.
//!
//! A [`Ladder`] follows from its journal, line by line, and from nothing else. Players are admitted from
//! a folder, [`choose`] decides who meets next, [`rate`] updates their ratings, and [`run`] does it all until it is
//! stopped. [`LadderTable`] and its files are derived from a ladder at any time.

mod arrivals;
mod forget;
mod lines;
mod matchmaking;
mod open;
mod rating;
mod runner;
mod settings;
mod state;
mod table;

pub use arrivals::{Arrivals, News, PlayersFolder};
pub use forget::forget;
pub use lines::{Joined, LadderHeader, LadderLine, Left, Meet, Refused, valid_name};
pub use matchmaking::{Candidate, choose, cost};
pub(crate) use open::ADMITTED;
pub use open::{OpenLadder, PLAYERS, open, read};
pub use rating::{Rating, rate};
pub use runner::{Goal, run};
pub use settings::{AdmissionSettings, LadderPlan, LadderSettings, read_settings};
pub use state::{Contender, Ladder, WrongLadderLine};
pub(crate) use table::alike;
pub use table::{LadderTable, Running};
