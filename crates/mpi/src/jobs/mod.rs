//! Jobs that rank 0 hands out, and whoever is free does.
//!
//! A job and its result are bytes of the caller's. Every worker has a few jobs in hand, so that none waits for the next one to
//! arrive. Whoever is free gets the oldest job that waits. A worker that fails, ends or says nothing for too long loses its
//! jobs to the others; jobs that somebody cancels are forgotten.
//!
//! | | |
//! |---|---|
//! | [`map`] | a sequence of jobs, results in its order |
//! | [`lead`] | many rounds of jobs: rank 0 runs a function with a [`Dispatcher`], all others serve |
//! | [`Dispatcher`], [`Worker`] | the two sides, for callers with loops of their own |
//! | [`InOrder`] | results in the order of their jobs |
//!
//! **What is lost.** Whatever has been handed out and is neither answered nor mentioned in a worker's signs of life is sent
//! again, so lost, late and repeated messages change no result. That a rank has ended shows at once over threads; over MPI it shows
//! by its silence, if the launcher lets the others live at all.

mod compute;
mod dispatcher;
mod frame;
mod in_order;
mod peer;
mod session;
mod worker;

use std::time::Duration;

pub use compute::Task;
pub use dispatcher::{Dispatcher, Event, NobodyLeft};
pub use frame::JobId;
pub use in_order::InOrder;
pub use session::{lead, map, serve};
pub use worker::{Order, ServeError, Worker};

use crate::message::{TAG_MAX, Tag};

/// The tag of all messages about jobs.
pub const JOBS_TAG: Tag = TAG_MAX + 16;

/// A rank whose threads are busy leaves them the core: their results wake it, and other ranks can wait this long.
const SHORTEST_NAP: Duration = Duration::from_micros(200);

/// How jobs are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many jobs a rank does at a time, each on a thread of its own.
    pub threads: usize,
    /// Whether rank 0 does jobs too; where it is the only rank, it does in any case.
    pub leader_works: bool,
    /// How many jobs a rank has in hand for each thread: those that it is at, and the next ones.
    pub in_hand: usize,
    /// When ranks are taken for lost.
    pub timeouts: Timeouts,
}

impl Default for Options {
    fn default() -> Self {
        Self { threads: 1, leader_works: true, in_hand: 2, timeouts: Timeouts::default() }
    }
}

/// How ranks notice that others are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// How often each says that it lives.
    pub alive_every: Duration,
    /// A worker that says nothing for this long is lost. Rank 0 may be busy for five times as long.
    pub lost_after: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self { alive_every: Duration::from_secs(2), lost_after: Duration::from_secs(60) }
    }
}

/// How a job's ranks part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dismissal {
    /// All are there to leave together, as [`MpiWorld::leave`](crate::MpiWorld::leave) needs it.
    Together,
    /// Some are lost: MPI would wait for them for ever.
    Scattered,
}
