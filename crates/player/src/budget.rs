use std::time::Duration;

/// Free vertices that get an equal share of the time left. A player makes at most one move for two of them, and a move
/// may take three times its even share: early moves decide more, and most games are decided before the board is full.
const VERTICES: u32 = 6;

/// Minimum number of free vertices assumed: a move may take at most a quarter of the time left.
const MIN_FREE: u32 = 24;

/// The processor time that a player allows itself in a game if the server sets no limit.
///
/// Such a server may still have a clock: one allows 10 s for all moves of a player. The rest is a reserve for loading,
/// for time that a player cannot measure, and for moves that take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameBudget {
    left: Duration,
}

impl GameBudget {
    /// The time of all moves together.
    pub const TOTAL: Duration = Duration::from_secs(8);

    /// Makes a budget of another size.
    #[must_use]
    pub const fn new(left: Duration) -> Self {
        Self { left }
    }

    /// Returns the time left.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Returns the time for the next move with that many free vertices.
    #[must_use]
    pub fn per_move(&self, free: usize) -> Duration {
        self.left * VERTICES / u32::try_from(free).unwrap_or(u32::MAX).max(MIN_FREE)
    }

    /// Subtracts used time.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }
}

impl Default for GameBudget {
    fn default() -> Self {
        Self { left: Self::TOTAL }
    }
}
