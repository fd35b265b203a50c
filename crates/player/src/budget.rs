use std::time::Duration;

/// Free vertices for a whole share of what is left. A player makes at most one move for two of them; it may take three times
/// its even share for each, because early moves decide more, and most games are decided before the board is full.
const VERTICES: u32 = 6;

/// As if no fewer were free: a quarter of what is left is the most that a move may take.
const FEWEST: u32 = 24;

/// The processor time that a player allows itself in a game whose server sets no limit.
///
/// Such a server may have a clock all the same: there is one that allows 10 s for all moves of a player. What is kept
/// back is for loading, for what a player cannot measure, and for a move that takes longer than it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameBudget {
    left: Duration,
}

impl GameBudget {
    /// The time of all moves together, however many there are.
    pub const TOTAL: Duration = Duration::from_secs(8);

    /// Returns the time that is left.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Returns the time of the next move on a board with so many free vertices.
    #[must_use]
    pub fn per_move(&self, free: usize) -> Duration {
        self.left * VERTICES / u32::try_from(free).unwrap_or(u32::MAX).max(FEWEST)
    }

    /// Takes used time away.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }
}

impl Default for GameBudget {
    fn default() -> Self {
        Self { left: Self::TOTAL }
    }
}
