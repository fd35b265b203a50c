use std::io;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use amazons_memory::LineFile;
use amazons_mpi::jobs::Task;

use crate::Size;
use crate::average::{Evaluator, Plain, Table, Value};
use crate::geometry::{AnySize, Geometry, Standard};
use crate::jobs::{Answer, Job, Method, Question, Reply};

/// Returns the processor time of the calling thread.
pub type Clock = fn() -> Duration;

/// Computes tasks for rank 0; one for all threads of a rank.
#[derive(Debug)]
pub struct Computer {
    clock: Clock,
    /// The table of the latest search, and its number.
    table: Mutex<Option<(u32, Arc<Table>)>>,
    /// Where the ranks of this machine have their tables.
    file: OnceLock<Arc<LineFile>>,
    max_bits: u32,
}

/// The binary logarithm of the number of entries of the largest table.
const MAX_BITS: u32 = 24;

/// Each search has its own lines, so that none finds what another one has left: an entry has 16 bytes, a line 64.
const LINES_OF_A_SEARCH: u64 = 1 << (MAX_BITS - 2);

/// A search's number has 32 bits; the file needs memory only for what is in use.
const LINES: u64 = LINES_OF_A_SEARCH << 32;

impl Default for Computer {
    /// Makes one that measures no time.
    fn default() -> Self {
        Self::new(|| Duration::ZERO)
    }
}

impl Computer {
    /// Makes one that measures its tasks by this clock.
    pub const fn new(clock: Clock) -> Self {
        Self { clock, table: Mutex::new(None), file: OnceLock::new(), max_bits: MAX_BITS }
    }

    /// Limits the binary logarithm of the number of entries of its tables.
    pub fn with_max_bits(self, max_bits: u32) -> Self {
        Self { max_bits, ..self }
    }

    /// Makes tables from now on that other ranks of this machine can share; returns the job that tells them where.
    pub fn share_tables(&self) -> io::Result<Job> {
        let file = LineFile::create(LINES)?;
        let job = Job::Tables(file.address());
        // Whoever comes second keeps the first file, and the other ranks find none at this address.
        let _ = self.file.set(Arc::new(file));
        Ok(job)
    }

    /// Does a job of the averaged search, for [`amazons_mpi::jobs`].
    pub fn work(&self, task: Task<'_, Job>) -> Result<Reply, String> {
        match task.job {
            Job::Average(question) if question.is_sound() => {
                // Any answer will do if it is no longer wanted.
                Ok(Reply::Average(self.answer(question, &|| !task.is_cancelled())))
            }
            Job::Tables(address) => {
                // On another machine it keeps to its own.
                if let Ok(file) = LineFile::open(address, LINES) {
                    let _ = self.file.set(Arc::new(file));
                }
                Ok(Reply::Tables)
            }
            Job::Average(_) | Job::Perfect(_) => Err("rank 0 sent a job that cannot be done".to_owned()),
        }
    }

    /// Returns the answer to a question; any, if it is no longer wanted.
    pub fn answer(&self, question: &Question, is_wanted: &dyn Fn() -> bool) -> Answer {
        let start = (self.clock)();
        let (value, calls) = if question.position.size() == Size::STANDARD {
            self.evaluate(Standard, question, is_wanted)
        } else {
            self.evaluate(AnySize::new(question.position.size()), question, is_wanted)
        };
        let cpu = (self.clock)().saturating_sub(start);
        Answer { value: value.unwrap_or(Value::Guess(0.0)), calls, cpu }
    }

    /// Returns the value of a task, `None` if it was no longer wanted, and its calls.
    fn evaluate(
        &self,
        geometry: impl Geometry,
        question: &Question,
        is_wanted: &dyn Fn() -> bool,
    ) -> (Option<Value>, u64) {
        let (own, stones, depth) = (question.position.own(), question.position.stones(), question.depth);
        match question.method {
            Method::Plain => {
                let mut plain = Plain::new(geometry).while_wanted(is_wanted);
                // The rule speaks of the side that has just moved.
                let value = plain.evaluate(own ^ stones, stones, depth, false).map(Value::of_score);
                (value, plain.calls)
            }
            Method::Table => {
                let table = self.table(question);
                let mut evaluator = Evaluator::new(geometry, &table).while_wanted(is_wanted);
                (evaluator.evaluate(own, stones, depth), evaluator.nodes)
            }
        }
    }

    fn table(&self, question: &Question) -> Arc<Table> {
        let mut latest = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some((search, table)) if *search == question.search => Arc::clone(table),
            _ => Arc::clone(&latest.insert((question.search, Arc::new(self.new_table(question)))).1),
        }
    }

    fn new_table(&self, question: &Question) -> Table {
        // A larger table saves up to two thirds of the positions of a deep search but no time: it is read from farther
        // away. The size follows from the whole search, so that all its tasks share one table, wherever the tree is cut.
        let bits = self.max_bits.min(8 + question.whole_depth);
        let shared = |file| Table::shared(file, LINES_OF_A_SEARCH * u64::from(question.search), bits).ok();
        self.file.get().and_then(shared).unwrap_or_else(|| Table::new(bits))
    }
}
