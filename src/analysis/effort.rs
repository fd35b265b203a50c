use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use amazons_player::thread_time;
use amazons_search::{Budget, Limits, Progress};

/// Limits on the analysis of one position; without a limit a search ends when the outcome is proven.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Processor time of the calling thread.
    pub time: Option<Duration>,
    /// Visits of the tree.
    pub nodes: Option<u64>,
    /// Half-moves of the longest line.
    pub depth: Option<u32>,
    /// Threads on the tree.
    pub threads: NonZeroU32,
}

/// The time for a position where no limit was given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// The number of moves of a position to tell where none was given.
pub const DEFAULT_LINES: u32 = 3;

impl Effort {
    /// Sets these limits, or the default time if there are none.
    pub fn new(time: Option<Duration>, nodes: Option<u64>, depth: Option<u32>, threads: Option<NonZeroU32>) -> Self {
        let is_limited = nodes.is_some() || depth.is_some();
        let time = time.or((!is_limited).then_some(DEFAULT_TIME));
        Self { time, nodes, depth, threads: threads.unwrap_or(NonZeroU32::MIN) }
    }
}

impl Default for Effort {
    /// One thread without a limit.
    fn default() -> Self {
        Self { time: None, nodes: None, depth: None, threads: NonZeroU32::MIN }
    }
}

/// Follows a search, and may stop it.
#[derive(Clone, Copy, Debug)]
pub struct Reports<'a> {
    /// Whether to stop now: checked about every millisecond.
    pub stop: &'a AtomicBool,
    /// How often to report the evaluation so far; never if `None`. Reports make a search with a limit of nodes inexact.
    pub every: Option<Duration>,
}

/// The rest of the limits of a search that may be interrupted for reports.
pub(super) struct Remaining<'a> {
    limits: Limits,
    nodes: u64,
    depth: u32,
    reports: Reports<'a>,
    next_report: Option<Instant>,
    /// Whether the search is over, and not only interrupted.
    pub(super) is_over: bool,
}

impl<'a> Remaining<'a> {
    /// Starts the limits now, on this thread.
    pub(super) fn new(effort: Effort, reports: Reports<'a>) -> Self {
        let limits = effort.time.map_or_else(Limits::default, |time| Limits::default().with_time(time, thread_time));
        let (nodes, depth) = (effort.nodes.unwrap_or(u64::MAX), effort.depth.unwrap_or(u32::MAX));
        Self { limits, nodes, depth, reports, next_report: None, is_over: false }
    }

    /// Begins a part of the search, until the next report.
    pub(super) fn begin(&mut self) -> &mut Self {
        self.next_report = self.reports.every.map(|every| Instant::now() + every);
        self
    }

    /// Counts the visits of a part; returns whether the search is over.
    pub(super) fn spend(&mut self, nodes: u64) -> bool {
        self.nodes -= nodes.min(self.nodes);
        // A part that ended before its report had nothing left to search.
        let was_interrupted = self.next_report.is_some_and(|report| Instant::now() >= report);
        self.is_over || self.nodes == 0 || !was_interrupted
    }
}

impl Budget for Remaining<'_> {
    fn exhausted(&mut self, progress: &Progress) -> bool {
        self.is_over |= self.reports.stop.load(Ordering::Relaxed)
            || progress.depth >= self.depth
            || self.limits.exhausted(progress);
        self.is_over || self.next_report.is_some_and(|report| Instant::now() >= report)
    }

    fn max_nodes(&self) -> u64 {
        self.nodes
    }
}
