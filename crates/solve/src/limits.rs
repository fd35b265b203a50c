use std::num::NonZeroU32;

/// The share of the table's memory for sums of regions.
const SUMS: usize = 8;

/// Steps between two calls of the caller's `go_on`.
const STEPS: u32 = 64;

/// Limits on the cost of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// Maximum number of positions whose moves are tried.
    pub nodes: u64,
    /// Size of the table of proven positions in bytes.
    pub table_bytes: usize,
    /// A proof with more positions is not counted; 0 counts none.
    pub proof_positions: usize,
    /// Threads that may search at a time, for their shares of the memory.
    pub threads: NonZeroU32,
    /// Sums of regions are decided by the regions' values if they have this many free vertices together, or more.
    pub valued_from: u32,
}

/// A limit that ended the search, or the counting of its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`SolveLimits::nodes`].
    Nodes,
    /// The caller's `go_on` returned false.
    Time,
    /// [`SolveLimits::proof_positions`].
    Proof,
}

/// Asks the caller now and then whether to go on.
pub(crate) struct Clock<'a> {
    go_on: &'a mut dyn FnMut() -> bool,
    /// Positions judged and moves tried so far.
    steps: u32,
    is_over: bool,
}

impl<'a> Clock<'a> {
    pub(crate) fn new(go_on: &'a mut dyn FnMut() -> bool) -> Self {
        Self { go_on, steps: 0, is_over: false }
    }

    /// Counts a step, of some microseconds at most, and returns whether to go on.
    pub(crate) fn goes_on(&mut self) -> bool {
        if self.steps.is_multiple_of(STEPS) && !self.is_over {
            self.is_over = !(self.go_on)();
        }
        self.steps = self.steps.wrapping_add(1);
        !self.is_over
    }
}

impl SolveLimits {
    /// Returns the bytes of the table itself.
    pub(crate) const fn for_table(&self) -> usize {
        self.table_bytes - self.table_bytes / SUMS
    }
}

impl Default for SolveLimits {
    /// No limit of nodes, 1 GiB, one thread, a million positions; smaller sums than of 14 vertices are searched sooner
    /// than valued.
    fn default() -> Self {
        Self {
            nodes: u64::MAX,
            table_bytes: 1 << 30,
            proof_positions: 1_000_000,
            threads: NonZeroU32::MIN,
            valued_from: 14,
        }
    }
}
