//! Jobs that rank 0 hands out to all ranks.
//!
//! Jobs and answers are any types that serde can write and read. A free worker gets the oldest waiting job, and every worker has a few
//! jobs in hand, so it never waits for the next one to arrive. A worker that fails, ends or is silent for too long
//! loses its jobs to the others; cancelled jobs are forgotten.
//!
//! | | |
//! |---|---|
//! | [`lead`] | rounds of jobs: rank 0 runs a function with a [`Dispatcher`], all others serve |
//! | [`Dispatcher`], [`Worker`] | the two sides, for callers with loops of their own |
//! | [`InOrder`] | results in the order of their jobs |
//!
//! **Losses.** A job that a worker neither answers nor lists in its heartbeats is sent again, so lost, late and
//! repeated messages change no result. The end of a rank shows at once with threads, and with MPI on the machine
//! of rank 0; on others only its silence shows it, if the launcher lets the others live at all.

mod compute;
mod dispatcher;
mod frame;
mod in_order;
mod session;
mod worker;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use compute::Task;
pub use dispatcher::{Dispatcher, Event, NobodyLeft};
pub use frame::JobId;
pub use in_order::InOrder;
pub use session::{lead, serve};
pub use worker::{Order, ServeError, Worker};

use crate::message::{TAG_MAX, Tag};

/// The tag of all messages about jobs.
pub const JOBS_TAG: Tag = TAG_MAX + 16;

/// How long a rank with busy threads leaves them the core; results wake it earlier, and other ranks can wait this long.
const MIN_SLEEP: Duration = Duration::from_micros(200);

/// How jobs are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many jobs a rank does at a time, each on its own thread.
    pub threads: usize,
    /// Whether rank 0 also does jobs; if it is the only rank, it always does.
    pub leader_works: bool,
    /// How many jobs a rank has in hand for each thread: the current one and the next ones.
    pub in_hand: usize,
    /// When ranks count as lost.
    pub timeouts: Timeouts,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, leader_works: true, in_hand: 2, timeouts: Timeouts::default() }
    }
}

/// How ranks detect lost ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// The time between heartbeats.
    pub alive_every: Duration,
    /// A worker silent for this long is lost. Rank 0 may be busy for five times as long.
    pub lost_after: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { alive_every: Duration::from_secs(2), lost_after: Duration::from_secs(60) }
    }
}

/// How the ranks of a job separate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dismissal {
    /// All ranks can leave together, as [`MpiWorld::leave`](crate::MpiWorld::leave) requires.
    Together,
    /// Some are lost, and MPI would wait for them forever.
    Scattered,
}
