/// Limits on the cost of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// The most positions whose moves are tried.
    pub nodes: u64,
    /// Size of the table of proven positions in bytes.
    pub table_bytes: usize,
    /// A proof with more positions is not counted.
    pub proof_positions: usize,
}

impl Default for SolveLimits {
    /// No limit of nodes, 1 GiB, a million positions.
    fn default() -> Self {
        Self { nodes: u64::MAX, table_bytes: 1 << 30, proof_positions: 1_000_000 }
    }
}
