use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a search has come when it asks its [`Budget`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Nodes visited by this search, all threads together.
    pub nodes: u64,
    /// Plies of the last finished iteration, or of the deepest line of the tree.
    pub depth: u32,
    /// The best move so far, packed.
    pub best: Option<u32>,
    /// The value of the best move, seen from First.
    pub value: f32,
    /// Nodes by which the best move leads the next one: with fewer nodes to come, a best-first search will not
    /// change its mind. 0 for a depth-first search, which can always do so.
    pub lead: u64,
}

/// Says when a search ends; whoever implements it owns the clock.
pub trait Budget: Send {
    /// Returns whether to stop now; asked every few hundred nodes, by any of the search's threads but one at a time, and
    /// after each iteration of a depth-first search.
    fn exhausted(&mut self, progress: &Progress) -> bool;

    /// Returns the number of nodes after which the search stops by itself, without asking.
    fn max_nodes(&self) -> u64 {
        u64::MAX
    }

    /// Returns the depth, in plies, after which a depth-first search stops; a best-first search ignores it.
    fn max_depth(&self) -> u32 {
        u32::MAX
    }
}

/// A question alone is a budget, too: whether to stop now.
impl<F: FnMut(&Progress) -> bool + Send> Budget for F {
    fn exhausted(&mut self, progress: &Progress) -> bool {
        self(progress)
    }
}

/// A budget without a clock: nodes, depth, and a flag that any thread may raise. The default has no limit.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Nodes to visit; `None` for no limit.
    pub nodes: Option<u64>,
    /// Plies to search; `None` for no limit.
    pub depth: Option<u32>,
    /// Ends every search that shares it once it is true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// Returns a budget of so many nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns a budget of so many plies.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }
}

impl Budget for Limits {
    fn exhausted(&mut self, _: &Progress) -> bool {
        self.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed))
    }

    fn max_nodes(&self) -> u64 {
        self.nodes.unwrap_or(u64::MAX)
    }

    fn max_depth(&self) -> u32 {
        self.depth.unwrap_or(u32::MAX)
    }
}
