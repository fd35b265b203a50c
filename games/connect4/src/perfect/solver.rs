use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use super::in_flight::InFlight;
use super::questions::{self, limits};
use super::search::{Search, Shared};
use super::table::Table;
use crate::geometry::{AnySize, Geometry, Standard};
use crate::jobs::{BoundQuestion, Reply};
use crate::{BookChoice, Position, Size};

/// Bytes of a near table: what fits the cache of one core.
const NEAR_BYTES: u64 = 1 << 20;
/// Bytes of the first table. It grows with the work, for new memory costs time before it saves any.
const FIRST_BYTES: u64 = 1 << 24;
/// Bytes of a table over those of the one before.
const GROWTH: u64 = 8;
/// So many positions searched for each byte of its table make a solver ask for a larger one.
const FULL: u64 = 2;
/// With fewer free cells, starting a thread takes longer than the search.
const THREADS_LEFT: u32 = 24;

/// Returns true to stop a search; asked every few thousand positions, by any thread.
pub type Stop<'a> = dyn Fn() -> bool + Sync + 'a;

/// Computes scores. What it learns of a position helps with the next ones.
///
/// Results are `None` if the search was stopped. They depend neither on threads nor on memory.
#[derive(Debug)]
pub struct Solver {
    size: Size,
    table: Arc<Table>,
    bytes: u64,
    /// The table may grow up to this.
    max_bytes: u64,
    /// The positions searched when the table was made.
    nodes_before: u64,
    /// A table for each thread.
    near: Vec<Table>,
    in_flight: InFlight,
    book: BookChoice,
    nodes: u64,
}

impl Solver {
    /// Makes a solver whose table grows up to so many bytes; each thread has a little more.
    pub fn new(size: Size, bytes: u64, threads: usize) -> io::Result<Self> {
        let first = bytes.min(FIRST_BYTES);
        Self::with_table(size, Arc::new(Table::new(size, first)?), first, bytes, threads)
    }

    /// Makes a solver with a table of so many bytes from the start, for long work and for companions.
    pub fn with_full_table(size: Size, bytes: u64, threads: usize) -> io::Result<Self> {
        Self::with_table(size, Arc::new(Table::new(size, bytes)?), bytes, bytes, threads)
    }

    fn with_table(size: Size, table: Arc<Table>, bytes: u64, max_bytes: u64, threads: usize) -> io::Result<Self> {
        let near = (0..threads.max(1)).map(|_| Table::new(size, NEAR_BYTES)).collect::<io::Result<_>>()?;
        let (in_flight, book) = (InFlight::new(), BookChoice::Nothing);
        Ok(Self { size, table, bytes, max_bytes, nodes_before: 0, near, in_flight, book, nodes: 0 })
    }

    /// Makes another solver on this one's table: they learn together, and the table no longer grows.
    pub fn companion(&self, threads: usize) -> io::Result<Self> {
        let solver = Self::with_table(self.size, Arc::clone(&self.table), self.bytes, self.bytes, threads)?;
        Ok(solver.with_book(self.book.clone()))
    }

    /// Looks positions up in a book; one of another size is not used.
    pub fn with_book(self, book: impl Into<BookChoice>) -> Self {
        Self { book: book.into(), ..self }
    }

    pub const fn size(&self) -> Size {
        self.size
    }

    /// Returns the number of positions searched so far, by all threads.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    pub fn clear(&mut self) {
        self.table.clear();
        self.near.iter().for_each(Table::clear);
    }

    /// Returns the score of a position of this size.
    pub fn score(&mut self, position: &Position, stop: &Stop<'_>) -> Option<i32> {
        questions::score(position, self.questions(stop)).ok()
    }

    /// Returns who wins: 1 for the side to move, -1 for its opponent, 0 for neither.
    pub fn winner(&mut self, position: &Position, stop: &Stop<'_>) -> Option<i32> {
        questions::winner(position, self.questions(stop)).ok()
    }

    /// Returns the score of each free column, from left to right: that of the side to move if it plays there.
    pub fn columns(&mut self, position: &Position, stop: &Stop<'_>) -> Option<Vec<(u32, i32)>> {
        position.columns().map(|column| Some((column, -self.score(&position.after(column), stop)?))).collect()
    }

    /// Returns the column with the highest score; of equal ones the nearest to the centre, then the left one. `None`
    /// also if the game is over.
    pub fn best(&mut self, position: &Position, stop: &Stop<'_>) -> Option<u32> {
        questions::best(position, self.questions(stop)).ok().flatten().map(|(column, _)| column)
    }

    fn questions(&mut self, stop: &Stop<'_>) -> impl FnMut(&Position, i32, i32) -> Result<i32, ()> {
        move |position, alpha, beta| self.bound(position, alpha, beta, stop).ok_or(())
    }

    /// Returns a bound of the score of a position of this size: at least `beta`, or at most `alpha`, or the score
    /// between them.
    pub fn bound(&mut self, position: &Position, alpha: i32, beta: i32, stop: &Stop<'_>) -> Option<i32> {
        assert_eq!(position.size(), self.size, "a solver is for one size");
        let (lower, upper) = limits(position);
        if lower == upper || lower >= beta {
            return Some(lower);
        }
        if upper <= alpha {
            return Some(upper);
        }
        if self.size == Size::STANDARD {
            self.search(Standard, position, alpha, beta, stop)
        } else {
            self.search(AnySize::new(self.size), position, alpha, beta, stop)
        }
    }

    /// Answers another rank's question.
    pub fn answer(&mut self, question: &BoundQuestion, stop: &Stop<'_>) -> Option<Reply> {
        let (nodes, beta) = (self.nodes, question.beta);
        let bound = self.bound(&question.position, beta.saturating_sub(1), beta, stop)?;
        Some(Reply::Perfect { bound, nodes: self.nodes - nodes })
    }

    /// Takes a larger table when this one is full. What the old one knew is soon found again.
    fn grow(&mut self) {
        let is_full = self.nodes - self.nodes_before > FULL * self.bytes;
        if is_full && self.bytes < self.max_bytes && Arc::strong_count(&self.table) == 1 {
            let bytes = self.max_bytes.min(self.bytes * GROWTH);
            match Table::new(self.size, bytes) {
                Ok(table) => (self.table, self.bytes, self.nodes_before) = (Arc::new(table), bytes, self.nodes),
                // Then it goes on with the table it has.
                Err(_) => self.max_bytes = self.bytes,
            }
        }
    }

    /// Searches on all threads; the first to end decides.
    fn search<G: Geometry>(
        &mut self,
        geometry: G,
        position: &Position,
        alpha: i32,
        beta: i32,
        stop: &Stop<'_>,
    ) -> Option<i32> {
        self.grow();
        let is_large = self.size.cells() - position.plies() >= THREADS_LEFT;
        let threads = if is_large { self.near.len() } else { 1 };
        let is_done = AtomicBool::new(false);
        let stop = || is_done.load(Ordering::Relaxed) || stop();
        let in_flight = (threads > 1).then_some(&self.in_flight);
        let shared = Shared { table: &self.table, book: self.book.book_for(position), in_flight, stop: &stop };
        let result = Mutex::new((None, 0));
        let run = |near| {
            let mut search = Search::new(geometry, shared, near);
            let bound = search.search(position.own(), position.stones(), alpha, beta);
            let mut result = result.lock().unwrap_or_else(PoisonError::into_inner);
            result.1 += search.nodes;
            if !search.is_stopped {
                result.0 = Some(bound);
                is_done.store(true, Ordering::Relaxed);
            }
        };
        thread::scope(|scope| {
            for near in &self.near[1..threads] {
                scope.spawn(|| run(near));
            }
            run(&self.near[0]);
        });
        let (bound, nodes) = result.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.nodes += nodes;
        bound
    }
}
