//! Perfect play on many ranks: the positions some plies ahead are solved anywhere, their bounds come back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use amazons_mpi::jobs::{Dispatcher, Event, JobId};
use amazons_mpi::{Deadline, World};

use super::questions::{self, limits};
use super::search::STOP_EVERY;
use super::{Solver, Stop};
use crate::Position;
use crate::jobs::{BoundQuestion, Job, Reply, SearchError};

/// A good number of positions for [`Frontier::trying_alone`]: less than a tenth of a second.
pub const ALONE: u64 = 1 << 20;

/// How often to ask whether to stop.
const POLL_EVERY: Duration = Duration::from_millis(100);
/// Positions of the frontier for each thread that searches, at least.
const POSITIONS_PER_THREAD: usize = 8;
/// Plies between a position and its frontier, at most.
const MAX_PLIES: u32 = 6;

/// Rank 0's side: it knows bounds of the frontier, and asks the ranks for those it lacks.
pub struct Frontier<'a, W> {
    dispatcher: &'a mut Dispatcher<W, Job, Reply>,
    threads: usize,
    /// Scores are at least and at most these, for the side to move; mirror images share them.
    bounds: HashMap<(u64, u64), (i32, i32)>,
    running: HashMap<JobId, BoundQuestion>,
    /// Positions searched for answers that came back, and by this rank alone.
    pub nodes: u64,
    /// Rank 0's own solver, and how many positions it may search before the ranks are asked.
    alone: Option<(&'a mut Solver, u64)>,
    note: &'a dyn Fn(&str),
}

impl<'a, W: World> Frontier<'a, W> {
    /// Solves with the ranks of a session, which have so many threads together.
    pub fn new(dispatcher: &'a mut Dispatcher<W, Job, Reply>, threads: usize) -> Self {
        let (bounds, running) = (HashMap::new(), HashMap::new());
        Self { dispatcher, threads, bounds, running, nodes: 0, alone: None, note: &|_| () }
    }

    /// Lets this solver search so many positions before the ranks are asked: messages take longer than small questions.
    pub fn trying_alone(self, solver: &'a mut Solver, positions: u64) -> Self {
        Self { alone: Some((solver, positions)), ..self }
    }

    /// Calls this with a line for each rank that leaves.
    pub fn with_notes(self, note: &'a dyn Fn(&str)) -> Self {
        Self { note, ..self }
    }

    pub fn score(&mut self, position: &Position, stop: &Stop<'_>) -> Result<i32, SearchError> {
        questions::score(position, |position, alpha, beta| self.bound(position, alpha, beta, stop))
    }

    /// Returns who wins: 1 for the side to move, -1 for its opponent, 0 for neither.
    pub fn winner(&mut self, position: &Position, stop: &Stop<'_>) -> Result<i32, SearchError> {
        questions::winner(position, |position, alpha, beta| self.bound(position, alpha, beta, stop))
    }

    /// Returns the column with the highest score and that score; of equal ones the nearest to the centre, then the left
    /// one, as [`Solver::best`] does. `None` if the game is over.
    pub fn best(&mut self, position: &Position, stop: &Stop<'_>) -> Result<Option<(u32, i32)>, SearchError> {
        questions::best(position, |position, alpha, beta| self.bound(position, alpha, beta, stop))
    }

    /// Tries to answer a question without the ranks; `None` if it is too large for that.
    fn bound_alone(&mut self, root: &Position, alpha: i32, beta: i32, stop: &Stop<'_>) -> Option<i32> {
        let (solver, positions) = self.alone.as_mut()?;
        let (before, asked) = (solver.nodes(), AtomicU64::new(0));
        let is_enough = || STOP_EVERY * asked.fetch_add(1, Ordering::Relaxed) >= *positions || stop();
        let bound = solver.bound(root, alpha, beta, &is_enough);
        self.nodes += solver.nodes() - before;
        bound
    }

    /// Answers a question about a position: at least `beta` if its score is at least that, else at most `alpha`.
    fn bound(&mut self, root: &Position, alpha: i32, beta: i32, stop: &Stop<'_>) -> Result<i32, SearchError> {
        if let Some(bound) = self.bound_alone(root, alpha, beta, stop) {
            return Ok(bound);
        }
        if stop() {
            return Err(SearchError::Stopped);
        }
        let plies = self.plies(root);
        let result = loop {
            let mut open = Vec::new();
            if let Some(is_reached) = self.reaches(root, plies, beta, &mut open) {
                break Ok(if is_reached { beta } else { alpha });
            }
            // An answer may have made other questions superfluous.
            for (job, _) in self.running.extract_if(|_, question| !open.contains(question)) {
                self.dispatcher.cancel(job);
            }
            open.retain(|question| self.running.values().all(|it| it != question));
            let room = self.dispatcher.room();
            for question in open.into_iter().take(room) {
                let job = self.dispatcher.push(&Job::Perfect(question));
                self.running.insert(job, question);
            }
            if stop() {
                break Err(SearchError::Stopped);
            }
            self.receive(Deadline::after(POLL_EVERY))?;
        };
        // Whatever still runs answers a question that is answered.
        for (job, _) in self.running.drain() {
            self.dispatcher.cancel(job);
        }
        result
    }

    /// Keeps in touch with the ranks while there is nothing to solve: to be called every few seconds.
    pub fn idle(&mut self) -> Result<(), SearchError> {
        self.receive(Deadline::after(Duration::ZERO))
    }

    fn receive(&mut self, deadline: Deadline) -> Result<(), SearchError> {
        match self.dispatcher.next_event(deadline)? {
            Some(Event::Result { job, rank, answer }) => {
                let Some(question) = self.running.remove(&job) else { return Ok(()) };
                let Reply::Perfect { bound, nodes } = answer else {
                    return Err(SearchError::another_kind(rank));
                };
                self.nodes += nodes;
                let known = self.known(&question.position);
                let (lower, upper) = if bound >= question.beta { (bound, known.1) } else { (known.0, bound) };
                self.bounds.insert(key(&question.position), (lower.max(known.0), upper.min(known.1)));
                Ok(())
            }
            Some(Event::Left { rank, reason: Some(reason) }) => {
                (self.note)(&format!("rank {rank} is lost ({reason}): the others do its work"));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn known(&self, position: &Position) -> (i32, i32) {
        self.bounds.get(&key(position)).copied().unwrap_or_else(|| limits(position))
    }

    /// Returns whether the score is at least `beta`, if the bounds of the frontier tell; adds the questions that may
    /// tell, the likely best moves first.
    fn reaches(&self, position: &Position, plies: u32, beta: i32, open: &mut Vec<BoundQuestion>) -> Option<bool> {
        let (lower, upper) = self.known(position);
        if lower >= beta || upper < beta {
            return Some(lower >= beta);
        }
        if plies == 0 {
            let question = BoundQuestion { position: *position, beta };
            if !open.contains(&question) {
                open.push(question);
            }
            return None;
        }
        let mut result = Some(false);
        let start = open.len();
        for column in position.columns_from_centre() {
            // The successor's score is below this if the move reaches beta.
            match self.reaches(&position.after(column), plies - 1, 1 - beta, open) {
                Some(false) => {
                    open.truncate(start);
                    return Some(true);
                }
                Some(true) => {}
                None => result = None,
            }
        }
        result
    }

    /// Returns the plies to a frontier with enough positions for all threads.
    fn plies(&self, root: &Position) -> u32 {
        let (mut layer, mut plies) = (HashMap::from([(key(root), *root)]), 0);
        while plies < MAX_PLIES && layer.len() < self.threads * POSITIONS_PER_THREAD && !layer.is_empty() {
            let open = layer.values().filter(|position| limits(position).0 < limits(position).1);
            let next = open.flat_map(|position| position.columns().map(|column| position.after(column)));
            layer = next.map(|next| (key(&next), next)).collect();
            plies += 1;
        }
        plies
    }
}

/// Returns what a position and its mirror image have in common, and no other position.
fn key(position: &Position) -> (u64, u64) {
    let mirrored = position.mirrored();
    (position.own(), position.stones()).min((mirrored.own(), mirrored.stones()))
}
