use std::sync::{Mutex, PoisonError};

use crate::sum::Sums;
use crate::table::{ProofTable, TableFile};
use crate::{Filler, SolveLimits};

/// The part of a search that its threads share.
#[derive(Debug)]
pub(crate) struct Shared<const W: usize> {
    pub(crate) table: ProofTable,
    /// Memory of each thread for sums of regions, in bytes.
    pub(crate) for_sums: usize,
    /// Knowledge of earlier searches about regions, one for each that ran at the same time.
    known: Mutex<Vec<Known<W>>>,
}

/// Knowledge of a search about regions: their values and fillings.
#[derive(Debug)]
pub(crate) struct Known<const W: usize> {
    pub(crate) filler: Filler<W>,
    pub(crate) sums: Sums<W>,
}

impl<const W: usize> Shared<W> {
    /// Makes the part, its table in a file if there is one.
    pub(crate) fn new(limits: &SolveLimits, file: Option<&TableFile>) -> Self {
        let (threads, bytes) = (limits.threads.get() as usize, limits.for_table());
        let table = file.and_then(|file| ProofTable::of_file(file, bytes).ok());
        let for_sums = (limits.table_bytes - bytes) / threads;
        Self { table: table.unwrap_or_else(|| ProofTable::new(bytes)), for_sums, known: Mutex::default() }
    }

    /// Takes the knowledge of an earlier search, if no other uses it now.
    pub(crate) fn take_known(&self) -> Option<Known<W>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Leaves it to later searches.
    pub(crate) fn leave_known(&self, known: Known<W>) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).push(known);
    }
}
