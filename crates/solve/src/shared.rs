use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::SolveLimits;
use crate::state::Key;
use crate::table::ProofTable;

/// The share of the table's memory for sums of regions.
const SUMS: usize = 8;

/// Places for marks, of which few are in use at a time.
const MARKS: usize = 1 << 12;

/// The part of a search that its threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) table: ProofTable,
    /// Memory of each thread for sums of regions, in bytes.
    pub(crate) for_sums: usize,
    /// States that threads are at, none if there is one thread. A mark may be lost: it only saves work done twice.
    marks: Vec<AtomicU64>,
    /// Whether a thread has found the winner, or the search has ended without.
    pub(crate) is_over: AtomicBool,
}

impl Shared {
    pub(crate) fn new(limits: &SolveLimits) -> Self {
        let (threads, for_sums) = (limits.threads.get() as usize, limits.table_bytes / SUMS);
        let marks = if threads == 1 { 0 } else { MARKS };
        Self {
            table: ProofTable::new(limits.table_bytes - for_sums),
            for_sums: for_sums / threads,
            marks: std::iter::repeat_with(AtomicU64::default).take(marks).collect(),
            is_over: AtomicBool::new(false),
        }
    }

    pub(crate) fn mark(&self, key: Key) {
        if let Some((place, mark)) = self.place(key) {
            place.store(mark, Ordering::Relaxed);
        }
    }

    pub(crate) fn unmark(&self, key: Key) {
        if let Some((place, _)) = self.place(key) {
            place.store(0, Ordering::Relaxed);
        }
    }

    /// Returns whether a thread is at a state.
    pub(crate) fn is_marked(&self, key: Key) -> bool {
        self.place(key).is_some_and(|(place, mark)| place.load(Ordering::Relaxed) == mark)
    }

    fn place(&self, key: Key) -> Option<(&AtomicU64, u64)> {
        let hash = key.hash();
        let index = usize::try_from(hash >> 32).unwrap_or_default() % MARKS;
        Some((self.marks.get(index)?, hash | 1))
    }
}
