use std::thread::{self, ThreadId};
use std::time::Duration;

/// The progress of a search, for its [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Nodes visited by this search, by all threads together.
    pub nodes: u64,
    /// Plies of the last finished iteration, or of the deepest line of the tree.
    pub depth: u32,
    /// The best move so far, packed.
    pub best: Option<u32>,
    /// The value of the best move, seen from First.
    pub value: f32,
    /// Nodes by which the best move leads the next one: with fewer nodes to come, a best-first search will not change
    /// its mind. 0 for a depth-first search, which always may.
    pub lead: u64,
}

/// Decides when a search ends, by any clock.
pub trait Budget: Send {
    /// Returns whether to stop now; called every few hundred nodes, by one thread at a time, and after each iteration
    /// of a depth-first search.
    fn exhausted(&mut self, progress: &Progress) -> bool;

    /// Returns the number of nodes after which the search stops without calling [`Budget::exhausted`].
    fn max_nodes(&self) -> u64 {
        u64::MAX
    }

    /// Returns the depth, in plies, after which a depth-first search stops; a best-first search ignores it.
    fn max_depth(&self) -> u32 {
        u32::MAX
    }
}

/// A closure is also a budget: whether to stop now.
impl<F: FnMut(&Progress) -> bool + Send> Budget for F {
    fn exhausted(&mut self, progress: &Progress) -> bool {
        self(progress)
    }
}

/// A budget of nodes, plies and time. The default has no limit.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    nodes: u64,
    depth: u32,
    deadline: Option<Deadline>,
}

/// A point in time on a clock.
#[derive(Clone, Copy, Debug)]
struct Deadline {
    end: Duration,
    clock: fn() -> Duration,
    /// The thread whose clock it is.
    thread: ThreadId,
}

impl Limits {
    /// Returns a budget of that many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Returns a budget of that many plies.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth, ..Self::default() }
    }

    /// Adds a time limit starting now, by a clock that only the calling thread reads: it may count that thread's time.
    #[must_use]
    pub fn with_time(self, time: Duration, clock: fn() -> Duration) -> Self {
        let deadline = Deadline { end: clock() + time, clock, thread: thread::current().id() };
        Self { deadline: Some(deadline), ..self }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { nodes: u64::MAX, depth: u32::MAX, deadline: None }
    }
}

impl Budget for Limits {
    fn exhausted(&mut self, _: &Progress) -> bool {
        self.deadline.is_some_and(|Deadline { end, clock, thread }| thread::current().id() == thread && clock() >= end)
    }

    fn max_nodes(&self) -> u64 {
        self.nodes
    }

    fn max_depth(&self) -> u32 {
        self.depth
    }
}
