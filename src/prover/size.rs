/// Minimum number of positions of a job.
const LEAST: u64 = 20_000;

/// Maximum number of positions of a job, a second or two.
pub(super) const MOST: u64 = 500_000;

/// The share of the latest job in the sums.
const LATEST: u64 = 32;

/// How many positions a job may search: fewer as long as most go into jobs that were too much.
#[derive(Clone, Copy, Debug)]
pub(super) struct JobSize {
    /// Maximum number of positions of the next job.
    pub(super) most: u64,
    /// Positions of late jobs that found a winner, and of those that did not.
    solved: u64,
    open: u64,
}

impl JobSize {
    pub(super) const fn new() -> Self {
        Self { most: MOST, solved: 0, open: 0 }
    }

    /// Notes the positions of a job; one that only weighed has none.
    pub(super) fn note(&mut self, nodes: u64, is_solved: bool) {
        if nodes == 0 && !is_solved {
            return;
        }
        self.solved -= self.solved / LATEST;
        self.open -= self.open / LATEST;
        *if is_solved { &mut self.solved } else { &mut self.open } += nodes;
        self.most = if self.open > self.solved { self.most / 2 } else { self.most * 2 }.clamp(LEAST, MOST);
    }
}
