//! An event on the ranks of a job: rank 0, the runner, hands out pairs, the others play them.
//!
//! 1. Each worker says [`Hello`]: its machine and the cores that its launcher lets it use. [`seating`] gives it cores of its own.
//! 2. The runner opens the event and sends the plan. A worker checks that it sees the same folder and the same files of players.
//! 3. Pairs go out, games come back as lines of the journal, which the runner alone writes. Records and logs are written by
//!    whoever plays, into the folder that all share, so that messages stay short.
//! 4. A worker that fails, leaves or says nothing any more loses its unfinished pairs to the others.
//!
//! Handing out, signs of life and lost ranks are [`amazons_mpi::jobs`]'; here is what the jobs mean.

mod message;
mod runner;
mod seating;
mod worker;

pub use message::{Begin, Hello, Played};
pub use runner::RankPool;
pub use seating::{Crowded, seating};
pub use worker::{Left, serve};
