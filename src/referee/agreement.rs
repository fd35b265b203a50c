use super::PlayerNumber;

/// The moves in a row, of both players together, after which their agreement ends the game.
const MOVES: u32 = 6;

/// How long both players have agreed on who wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreement {
    winner: Option<PlayerNumber>,
    moves: u32,
}

impl Agreement {
    pub(crate) const fn new() -> Self {
        Self { winner: None, moves: 0 }
    }

    /// Looks at a move's value, from -1 to 1 in its player's view; `percent` is the chance to win that counts as won.
    pub(crate) fn add(&mut self, percent: u32, player: PlayerNumber, value: Option<f32>) {
        // Both are whole numbers of at most three digits.
        let sure = f32::from(u8::try_from(percent).unwrap_or(u8::MAX)) / 50.0 - 1.0;
        let winner = match value {
            Some(value) if value >= sure => Some(player),
            Some(value) if value <= -sure => Some(player.opponent()),
            _ => None,
        };
        self.moves = if winner == self.winner { self.moves + 1 } else { 1 };
        self.winner = winner;
    }

    /// Returns the winner, once the other player is taken to have resigned.
    pub(crate) fn decided(self) -> Option<PlayerNumber> {
        self.winner.filter(|_| self.moves >= MOVES)
    }
}
