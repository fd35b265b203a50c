use std::num::NonZeroU32;
use std::thread::{self, ThreadId};
use std::time::Duration;

use amazons_search::{Budget, Progress};
use rustix::time::{ClockId, clock_gettime};

/// What may be spent on one position; without any limit a search ends when the outcome is proven.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Processor time of the calling thread.
    pub time: Option<Duration>,
    /// Visits of the tree.
    pub nodes: Option<u64>,
    /// Threads on the tree.
    pub threads: NonZeroU32,
}

impl Effort {
    pub(super) fn start(self) -> Running {
        Running { nodes: self.nodes, time: self.time, start: thread_time(), leader: thread::current().id() }
    }
}

/// An effort that is being made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Running {
    nodes: Option<u64>,
    time: Option<Duration>,
    start: Duration,
    /// Whose time it is.
    leader: ThreadId,
}

impl Running {
    pub(super) fn spent(&self) -> Duration {
        thread_time().saturating_sub(self.start)
    }
}

impl Budget for Running {
    fn exhausted(&mut self, _: &Progress) -> bool {
        self.time.is_some_and(|time| thread::current().id() == self.leader && self.spent() >= time)
    }

    fn max_nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }
}

/// The processor time of this thread.
fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}
