use crate::SolveLimits;
use crate::table::ProofTable;

/// The share of the table's memory for sums of regions.
const SUMS: usize = 8;

/// The part of a search that its threads share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) table: ProofTable,
    /// Memory of each thread for sums of regions, in bytes.
    pub(crate) for_sums: usize,
}

impl Shared {
    pub(crate) fn new(limits: &SolveLimits) -> Self {
        let (threads, for_sums) = (limits.threads.get() as usize, limits.table_bytes / SUMS);
        Self { table: ProofTable::new(limits.table_bytes - for_sums), for_sums: for_sums / threads }
    }
}
