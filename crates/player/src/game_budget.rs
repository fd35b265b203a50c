use std::time::Duration;

use amazons_rules::{Color, DistanceMap, Position};

/// Open vertices that get an equal share of the time left. A player makes at most one move for two of them, and a move
/// may take four times its even share: early moves decide more, and most games are decided before the board is full.
const VERTICES: u32 = 8;

/// Minimum number of open vertices assumed: a move usually takes at most a sixth of the time left.
const MIN_OPEN: u32 = 48;

/// The time that a player has left for all moves of a game.
///
/// If the server sets no limit, a player allows itself processor time: such a server may still have a clock. One allows
/// 10 s for all moves of a player. The rest is a reserve for loading, for time that a player cannot measure, and for
/// moves that take too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameBudget {
    left: Duration,
    /// The time gained with each move.
    increment: Duration,
}

impl GameBudget {
    /// The time of all moves together if no limit is set.
    pub const TOTAL: Duration = Duration::from_secs(8);

    /// Makes a budget of what is left.
    #[must_use]
    pub const fn new(left: Duration, increment: Duration) -> Self {
        Self { left, increment }
    }

    /// Returns the time left.
    #[must_use]
    pub const fn left(&self) -> Duration {
        self.left
    }

    /// Returns the time for the next move with that many [`open_vertices`].
    #[must_use]
    pub fn per_move(&self, open: usize) -> Duration {
        let share = self.left * VERTICES / u32::try_from(open).unwrap_or(u32::MAX).max(MIN_OPEN);
        // What a move gains comes after it.
        (share + self.increment * 9 / 10).min(self.left / 2)
    }

    /// Returns the time for a move that takes longer than usual.
    #[must_use]
    pub fn most_per_move(&self, open: usize) -> Duration {
        self.per_move(open).max(self.left / 3)
    }

    /// Subtracts the time of a move, and adds what it gains.
    pub fn finish_move(&mut self, used: Duration) {
        self.spend(used);
        self.left = self.left.saturating_add(self.increment);
    }

    /// Subtracts used time.
    pub fn spend(&mut self, used: Duration) {
        self.left = self.left.saturating_sub(used);
    }
}

impl Default for GameBudget {
    fn default() -> Self {
        Self::new(Self::TOTAL, Duration::ZERO)
    }
}

/// Returns the number of free vertices that both sides reach: the others are worth a count, not a thought.
#[must_use]
pub fn open_vertices(position: &Position) -> usize {
    let mut map = DistanceMap::new(position.board());
    let black = map.queen_distances(position, Color::Black).to_vec();
    let white = map.queen_distances(position, Color::White);
    black.iter().zip(white).filter(|&(&black, &white)| black.max(white) != DistanceMap::UNREACHABLE).count()
}
