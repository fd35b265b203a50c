//! Best-first search on a tree in memory.
//!
//! Monte-Carlo tree search without playouts: PUCT (C. Rosin, "Multi-armed bandits with episode context", 2011) selects,
//! an [`Evaluator`] evaluates all children of a node when it is expanded, proven outcomes spread as in M. Winands, Y.
//! Björnsson, J.-T. Saito, "Monte-Carlo tree search solver", 2008.

mod arena;
mod avoid;
mod config;
mod free;
mod history;
mod lines;
mod node;
mod report;
mod select;
mod sweep;
mod worker;

use std::cell::Cell;
use std::sync::Mutex;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};

pub use config::MctsConfig;

use crate::{Avoid, Budget, Evaluator, Game, Progress, SearchLine, SearchReport, Searcher};
use arena::Arena;
use history::History;
use sweep::Sweep;
use worker::Worker;

/// A best-first searcher; it keeps its tree between searches.
#[derive(Debug)]
pub struct Mcts<G: Game, E> {
    config: MctsConfig,
    /// One per thread.
    evaluators: Vec<(E, History)>,
    arena: Arena,
    sweep: Sweep,
    /// The position at the root; `None` before the first search.
    root: Option<G>,
}

impl<G: Game, E: Evaluator<G> + Clone> Mcts<G, E> {
    /// Makes a searcher without a tree; the tree's memory is allocated as it grows. Panics if `threads` or
    /// `expand_after` is 0.
    pub fn new(config: MctsConfig, evaluator: E) -> Self {
        assert!(config.threads > 0, "a search needs a thread");
        assert!(config.expand_after > 0, "a node is expanded at its first visit at the earliest");
        let evaluators = vec![(evaluator, History::new()); config.threads];
        let arena = Arena::new(config.memory_bytes);
        Self { config, evaluators, arena, sweep: Sweep::default(), root: None }
    }
}

impl<G: Game, E> Mcts<G, E> {
    /// Returns the number of nodes in the tree, gaps between chunks included.
    pub fn tree_nodes(&self) -> usize {
        self.arena.used() as usize
    }

    /// Returns the bytes allocated for the tree: a multiple of 2.5 MiB, at most [`MctsConfig::memory_bytes`].
    pub fn tree_bytes(&self) -> usize {
        self.arena.bytes()
    }
}

impl<G: Game + Send, E: Evaluator<G> + Clone + Send> Searcher<G> for Mcts<G, E> {
    /// Visits leaves until the budget ends or the root is proven.
    fn search_avoiding(&mut self, game: &G, budget: &mut dyn Budget, avoided: Avoid<G::Move>) -> SearchReport<G::Move> {
        if let Some(outcome) = game.outcome() {
            return SearchReport::over(outcome);
        }
        let mut goes_on = self.set_root(game, budget);
        let (mut share, mut can_grow) = (ThreadTotals::default(), true);
        while goes_on {
            let part = self.run(game, budget, share, can_grow);
            share = share.and(part);
            let progress = report::progress(&self.arena, &self.config, game, share.visits, share.depth);
            goes_on = can_grow && part.is_starved && !budget.exhausted(&progress);
            if goes_on {
                can_grow = self.sweep.run(&self.arena);
            }
        }
        let report = report::report(&self.arena, &self.config, game, share.visits, share.depth);
        match avoided {
            Some(avoided) => avoid::choose(&self.arena, &self.config, game, report, avoided),
            None => report,
        }
    }

    /// Clears the tree; its memory stays allocated.
    fn clear(&mut self) {
        self.root = None;
    }

    fn fullness(&self) -> Option<f32> {
        Some(self.arena.used() as f32 / self.arena.capacity() as f32)
    }

    /// Keeps the tree below the moves and frees the rest. Moves not in the tree leave it empty.
    fn advance(&mut self, moves: &[G::Move]) {
        let Some(game) = &mut self.root else { return };
        let mut place = Some(0);
        for &mv in moves {
            game.play(mv);
            place = place.and_then(|place| self.arena.child(place, G::pack(mv)));
        }
        match place {
            Some(place) => self.arena.compact(place),
            None => self.forget(),
        }
    }

    /// Returns what the search would play if the earlier lines, with their visits and proofs, were not in the tree.
    /// Where the tree is too shallow, lines have fewer moves. Nothing is searched for this; without a tree there are no
    /// lines, and searching a finished game leaves the tree unchanged.
    fn lines(&self, plies: u32, count: usize) -> Vec<SearchLine<G::Move>> {
        let Some(game) = &self.root else { return Vec::new() };
        lines::lines(&self.arena, &self.config, game, plies, count)
    }
}

impl<G: Game + Send, E: Evaluator<G> + Clone + Send> Mcts<G, E> {
    /// Visits leaves until the budget ends, the root is proven or, with `shall_grow`, the tree is full.
    fn run(&mut self, game: &G, budget: &mut dyn Budget, before: ThreadTotals, shall_grow: bool) -> ThreadTotals {
        let (arena, config) = (&self.arena, &self.config);
        let max_visits = budget.max_nodes().saturating_sub(before.visits);
        let root = game.clone();
        let ask = move |nodes, depth| {
            let progress = report::progress(arena, config, &root, before.visits + nodes, depth);
            budget.exhausted(&progress)
        };
        let run = Run {
            max_visits,
            // All threads together check as often as one.
            effort_per_question: config.effort_per_question.saturating_mul(config.threads as u64),
            shall_grow,
            ask: Mutex::new(ask),
            granted: CacheAligned(AtomicU64::new(0)),
            stop: CacheAligned(AtomicBool::new(false)),
        };
        let (first, others) = self.evaluators.split_first_mut().expect("a thread has an evaluator");
        let mut lead = || run.work(Worker::new(arena, config, first, game.clone()));
        // Without helpers, no threading code runs: a library that has used it can never be unloaded.
        if others.is_empty() {
            return lead();
        }
        std::thread::scope(|scope| {
            let helper = |evaluator| {
                let (run, game) = (&run, game.clone());
                scope.spawn(move || run.work(Worker::new(arena, config, evaluator, game)))
            };
            let helpers: Vec<_> = others.iter_mut().map(helper).collect();
            let share = lead();
            let joined = helpers.into_iter().map(|helper| match helper.join() {
                Ok(share) => share,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            joined.fold(share, ThreadTotals::and)
        })
    }

    /// Empties the tree.
    fn forget(&mut self) {
        self.arena.clear();
        self.evaluators.iter_mut().for_each(|(_, history)| history.clear());
    }

    /// Makes `game` the tree's root, with children for all its moves; returns false if the budget ends before that.
    fn set_root(&mut self, game: &G, budget: &mut dyn Budget) -> bool {
        if self.root.as_ref().is_none_or(|root| root.key() != game.key()) {
            self.forget();
        }
        // The tree, and so the places, may have changed since the last search.
        self.sweep.restart();
        self.root = Some(game.clone());
        let Self { config, evaluators, arena, .. } = self;
        let mut worker = Worker::new(arena, config, &mut evaluators[0], game.clone());
        let begun = Progress { nodes: 0, depth: 0, best: None, value: 0.0, lead: 0 };
        let has_ended = Cell::new(false);
        let mut is_over = || {
            has_ended.set(has_ended.get() || budget.exhausted(&begun));
            has_ended.get()
        };
        if arena.root().is_partial() {
            worker.complete(arena.root(), &mut is_over);
        } else if arena.children(arena.root()).is_empty() {
            worker.expand(arena.root(), usize::MAX, &mut is_over);
        }
        // A full tree may have been advanced to a leaf; an empty one has room for every position's children.
        if !has_ended.get() && (arena.root().is_partial() || arena.children(arena.root()).is_empty()) {
            arena.clear();
            worker.expand(arena.root(), usize::MAX, &mut is_over);
        }
        !has_ended.get()
    }
}

/// The shared state of a search's threads besides the tree.
struct Run<A> {
    max_visits: u64,
    effort_per_question: u64,
    /// Whether all threads stop when the tree is full, to make room.
    shall_grow: bool,
    /// Returns whether to stop after a number of visits at a depth. Any running thread calls it.
    ask: Mutex<A>,
    /// Visits granted to threads; those beyond `max_visits` are not made.
    granted: CacheAligned<AtomicU64>,
    stop: CacheAligned<AtomicBool>,
}

/// A value that many threads write, in its own cache line.
#[derive(Debug)]
#[repr(align(64))]
struct CacheAligned<T>(T);

/// One thread's part in a search.
#[derive(Clone, Copy, Default)]
struct ThreadTotals {
    visits: u64,
    depth: u32,
    /// Whether the tree had no room for more nodes.
    is_starved: bool,
}

impl ThreadTotals {
    fn and(self, other: Self) -> Self {
        Self {
            visits: self.visits + other.visits,
            depth: self.depth.max(other.depth),
            is_starved: self.is_starved | other.is_starved,
        }
    }
}

/// Visits granted at a time, to reduce contention on the counter.
const GRANT: u64 = 32;

impl<A: FnMut(u64, u32) -> bool> Run<A> {
    /// Visits until a thread stops.
    fn work<G: Game, E: Evaluator<G>>(&self, mut worker: Worker<G, E>) -> ThreadTotals {
        let guard = StopOnDrop(&self.stop.0);
        let (mut visits, mut asked_at) = (0, 0);
        'work: loop {
            let others = self.granted.0.fetch_add(GRANT, Relaxed) - visits;
            let grant = self.max_visits.saturating_sub(others + visits).min(GRANT);
            if grant == 0 {
                // The other threads may use up their grants.
                std::mem::forget(guard);
                break;
            }
            for _ in 0..grant {
                if self.stop.0.load(Relaxed) || worker.is_done() || worker.is_starved && self.shall_grow {
                    break 'work;
                }
                let effort = worker.effort();
                if effort - asked_at >= self.effort_per_question {
                    asked_at = effort;
                    if self.is_over(others + visits, worker.depth) {
                        break 'work;
                    }
                }
                let (made, depth) = (others + visits, worker.depth);
                worker.visit(&mut || self.is_over(made, depth));
                visits += 1;
            }
        }
        worker.finish();
        ThreadTotals { visits, depth: worker.depth, is_starved: worker.is_starved }
    }

    /// Checks even while another thread is checking: that one may have lost its processor.
    fn is_over(&self, visits: u64, depth: u32) -> bool {
        let Ok(mut ask) = self.ask.lock() else { return true };
        self.stop.0.load(Relaxed) || ask(visits, depth)
    }
}

/// Stops all threads when one stops or panics: the search waits for them.
struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
