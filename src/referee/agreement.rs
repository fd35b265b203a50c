use super::PlayerNumber;

/// The moves in a row, of both players together, after which their agreement ends the game.
const MOVES: u32 = 6;

/// How long both players have agreed on who wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Agreement {
    /// The chance to win in percent that counts as won; without one, no agreement counts.
    percent: Option<u32>,
    winner: Option<PlayerNumber>,
    moves: u32,
}

impl Agreement {
    pub(crate) const fn new(percent: Option<u32>) -> Self {
        Self { percent, winner: None, moves: 0 }
    }

    /// Looks at a move's value, from -1 to 1 in its player's view.
    pub(crate) fn add(&mut self, player: PlayerNumber, value: Option<f32>) {
        let Some(percent) = self.percent else { return };
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
