//! An event or a ladder on the ranks of a job: rank 0, the runner, hands out pairs, the others play them.
//!
//! 1. Each worker sends [`Hello`]: its machine and the cores that it may use. [`seating`] gives it cores of its own.
//! 2. The runner opens the event and sends the plan. A worker checks that it sees the same folder and the same files of players.
//! 3. Pairs go out, games come back as lines of the journal, which the runner alone writes. Workers write records
//!    and logs into the folder that all share, so that messages stay short.
//! 4. A worker that fails, leaves or falls silent loses its unfinished pairs to the others.
//!
//! [`amazons_mpi::jobs`] hands out, watches for signs of life and for lost ranks; this module defines the jobs.

mod message;
mod runner;
mod seating;
mod worker;

pub use message::{Begin, Hello, Played, RankJob, SetUp};
pub use runner::RankPool;
pub use seating::{Crowded, seating};
pub use worker::{Left, serve};
