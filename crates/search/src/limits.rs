use std::thread::{self, ThreadId};
use std::time::Duration;

use crate::Player;

/// The usual times that a calm move may take: most end early, because they are settled. What an unsettled one gets
/// besides: for a best move that has just changed, and for each point of value lost, up to a limit.
const CALM: f64 = 1.6;
const CHANGE: f64 = 1.2;
const FALL: f64 = 7.0;
const MAX_FALL: f64 = 1.75;

/// The speed of a search is known after a fiftieth of the time left, or after this.
const MAX_TRIAL: Duration = Duration::from_millis(20);

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
    /// Nodes by which the best move leads the next one, and so does each further move of the same player: with fewer
    /// nodes to come, a best-first search will not change its mind. 0 for a depth-first search, which always may.
    pub lead: u64,
}

/// Watches how settled the choice of a best-first search is, to give its move more or less than the usual time.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    turn: Player,
    best: Option<u32>,
    /// When the best move last changed.
    changed: Duration,
    /// The mover's highest value of a best move.
    peak: f32,
    /// The time and the nodes from which on the speed is measured.
    start: (Duration, u64),
    /// The nodes at the last question.
    nodes: u64,
}

impl Choice {
    /// Watches a search for the player to move.
    pub fn new(turn: Player) -> Self {
        Self { turn, best: None, changed: Duration::ZERO, peak: -1.0, start: (Duration::ZERO, 0), nodes: u64::MAX }
    }

    /// Returns how many times its usual time the move may take: less if the best move has long been the same, more if it has
    /// just changed, or if its value has fallen.
    pub fn share(&mut self, progress: &Progress, used: Duration) -> f64 {
        // So far nothing was searched.
        if progress.best.is_none() || progress.depth == 0 {
            return 1.0;
        }
        let value = self.turn.sign() * progress.value;
        if progress.best != self.best {
            (self.best, self.changed) = (progress.best, used);
        }
        self.peak = self.peak.max(value);
        let change = self.changed.as_secs_f64() / used.as_secs_f64().max(f64::MIN_POSITIVE);
        CALM + CHANGE * change + (FALL * f64::from(self.peak - value)).min(MAX_FALL)
    }

    /// Returns whether the search will not change its mind in the time left, at the speed so far.
    pub fn is_settled(&mut self, progress: &Progress, [used, left]: [Duration; 2]) -> bool {
        // Making the old tree smaller takes a while before the first node, and a search that goes on counts anew.
        if progress.nodes < self.nodes {
            self.start = (used, progress.nodes);
        }
        self.nodes = progress.nodes;
        let (time, nodes) = (used.saturating_sub(self.start.0), progress.nodes - self.start.1);
        let is_known = time >= (left / 50).min(MAX_TRIAL);
        is_known && progress.lead as f64 * time.as_secs_f64() > nodes as f64 * left.as_secs_f64()
    }
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
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes, ..Self::default() }
    }

    /// Returns a budget of that many plies.
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
