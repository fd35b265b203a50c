use std::sync::{Mutex, PoisonError};

use crate::sum::Sums;
use crate::table::ProofTable;
use crate::{Filler, SolveLimits};

/// The share of the table's memory for sums of regions.
const SUMS: usize = 8;

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
    pub(crate) fn new(limits: &SolveLimits) -> Self {
        let (threads, for_sums) = (limits.threads.get() as usize, limits.table_bytes / SUMS);
        let table = ProofTable::new(limits.table_bytes - for_sums);
        Self { table, for_sums: for_sums / threads, known: Mutex::default() }
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
