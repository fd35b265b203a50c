use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use amazons_mpi::jobs::Task;

use super::{Solver, Stop};
use crate::book::Opening;
use crate::jobs::{Job, Reply};
use crate::{BookChoice, Size};

/// Maximum size of a small table: enough for [`ALONE`](super::frontier::ALONE) positions.
const SMALL_BYTES: u64 = 16 << 20;

/// The solvers of a rank: one for each of its threads, all with one table.
#[derive(Debug)]
pub struct Solvers {
    bytes: u64,
    pool: Mutex<Pool>,
}

#[derive(Debug, Default)]
struct Pool {
    /// The one whose table the others share; made when it is first needed.
    first: Option<Solver>,
    idle: Vec<Solver>,
    book: BookChoice,
}

impl Solvers {
    /// Prepares solvers whose table has so many bytes, and a book. It takes no memory before the first question.
    pub fn new(bytes: u64, book: BookChoice) -> Self {
        Self { bytes, pool: Mutex::new(Pool { book, ..Pool::default() }) }
    }

    /// Returns an idle solver, or a new one.
    fn take(&self, size: Size) -> io::Result<Solver> {
        let mut pool = self.pool();
        if pool.first.as_ref().is_none_or(|first| first.size() != size) {
            pool.first = Some(Solver::with_full_table(size, self.bytes, 1)?.with_book(pool.book.clone()));
            pool.idle.clear();
        }
        match pool.idle.pop() {
            Some(solver) => Ok(solver),
            None => pool.first.as_ref().map(|first| first.companion(1)).ok_or(io::ErrorKind::NotFound)?,
        }
    }

    /// Returns a solver with a small table of its own, for questions that need no other.
    pub fn small(&self, size: Size) -> io::Result<Solver> {
        Ok(Solver::new(size, self.bytes.min(SMALL_BYTES), 1)?.with_book(self.pool().book.clone()))
    }

    /// Does a job of perfect play, for [`amazons_mpi::jobs`]; fails for other jobs, and when cancelled.
    pub fn work(&self, task: Task<'_, Job>) -> Result<Reply, String> {
        let Job::Perfect(question) = task.job else { return Err("rank 0 sent a job that cannot be done".to_owned()) };
        self.with_one(question.position.size(), |solver| solver.answer(question, &|| task.is_cancelled()))
    }

    /// Lets a solver work on boards of a size; fails if there is no room for one, and if it was cancelled.
    pub fn with_one<T>(&self, size: Size, work: impl FnOnce(&mut Solver) -> Option<T>) -> Result<T, String> {
        let mut solver = self.take(size).map_err(|error| format!("no room for a solver: {error}"))?;
        let result = work(&mut solver);
        let mut pool = self.pool();
        if pool.first.as_ref().is_some_and(|first| first.size() == size) {
            pool.idle.push(solver);
        }
        result.ok_or_else(|| "it was cancelled".to_owned())
    }

    /// Computes the scores of some of a book's openings, by their places.
    pub fn scores(&self, openings: &[Opening], places: Range<usize>, stop: &Stop<'_>) -> Result<Vec<i8>, String> {
        let openings = openings.get(places).ok_or("a batch of another book")?;
        let Some(first) = openings.first() else { return Ok(Vec::new()) };
        self.with_one(first.position.size(), |solver| {
            let mut score = |opening: &Opening| i8::try_from(solver.score(&opening.position, stop)?).ok();
            openings.iter().map(&mut score).collect()
        })
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
