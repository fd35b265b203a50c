use std::num::NonZeroU32;
use std::time::Duration;

use amazons_player::thread_time;
use amazons_search::Limits;

/// Limits on the analysis of one position; without a limit a search ends when the outcome is proven.
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
    /// Returns the limits of a search that starts now on this thread.
    pub(super) fn limits(self) -> Limits {
        let limits = self.nodes.map_or_else(Limits::default, Limits::nodes);
        self.time.map_or(limits, |time| limits.with_time(time, thread_time))
    }
}
