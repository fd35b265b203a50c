use std::time::Duration;

/// A move takes at most one of so many shares of what is left, so that something is left for the next.
const FEWEST_SHARES: u32 = 4;

/// A player makes at most one move for two free vertices, and may take three times its even share for each: early moves
/// decide more, and most games are over or decided before the board is full.
const VERTICES_PER_SHARE: usize = 6;

/// The processor time that a player allows itself in a game whose server tells no limit.
///
/// Such a server may have a clock all the same: there is one that allows 10 s for all moves of a player. What is kept
/// back is for loading, for what a player cannot measure, and for a move that takes longer than it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameBudget {
    left: Duration,
}

impl GameBudget {
    /// What all moves may take together, however many there are.
    pub const TOTAL: Duration = Duration::from_secs(8);

    /// What is left of it.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// What the next move may take on a board with so many free vertices.
    #[must_use]
    pub fn per_move(&self, free: usize) -> Duration {
        self.left / u32::try_from(free / VERTICES_PER_SHARE).unwrap_or(u32::MAX).max(FEWEST_SHARES)
    }

    /// Takes away what was used.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }
}

impl Default for GameBudget {
    fn default() -> Self {
        Self { left: Self::TOTAL }
    }
}
