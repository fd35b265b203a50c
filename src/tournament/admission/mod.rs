//! Admission: whether a player that was handed in may play.
//!
//! Ladders find players in a folder, courses in their journal. Both hand them to a pool, which works on many at a
//! time so that none holds the others back, and there to a [`Checker`], which tries a player out in other processes.

mod checker;
mod pool;

pub use checker::{Checked, Checker, Trial, check_words};
pub(crate) use pool::{AdmissionPool, Source, Turn, Turns};
