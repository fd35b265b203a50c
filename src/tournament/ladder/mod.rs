//! Ladders: players come, are replaced and go while games are played, without an end.
//!
//! A [`Ladder`] is what a journal comes to, line by line; nothing else is known of it. The [`Admission`] watches the folder of
//! players and admits them, [`choose`] says who meets next, [`rate`] what that does to their ratings, and [`run`] does it all
//! until somebody stops it. [`Table`] and what it is written as are derived from a ladder at any time.

mod admission;
mod lines;
mod matchmaking;
mod open;
mod rating;
mod runner;
mod settings;
mod state;
mod table;

pub use admission::{Admission, News};
pub use lines::{Joined, LadderHeader, LadderLine, Left, Meet, Refused, valid_name};
pub use matchmaking::{Candidate, choose, cost};
pub use open::{LadderError, OpenLadder, PLAYERS, read};
pub use rating::{Rating, rate};
pub use runner::{Goal, run};
pub use settings::{AdmissionSettings, LadderPlan, LadderSettings, read_settings};
pub use state::{Contender, Ladder};
pub use table::{Row, Table, page};
