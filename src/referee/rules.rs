use amazons_rules::Position;
use amazons_solve::counted_winner;

use crate::referee::{Agreement, PlayerNumber, Termination};

/// The rules of a match beyond those of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRules {
    /// The player that moves first.
    pub first: PlayerNumber,
    /// The number of moves after which the game stops without a winner.
    pub max_moves: Option<u32>,
    /// Whether the game ends once counting proves who wins.
    pub adjudicate: bool,
    /// The chance in percent at which both players' values make one of them resign.
    pub resign: Option<u32>,
}

/// How a game ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    pub(crate) winner: Option<PlayerNumber>,
    pub(crate) termination: Termination,
}

impl MatchRules {
    /// Returns how a game ends before a player is asked for a move, if it does.
    pub(crate) fn ending(
        &self,
        position: &Position,
        moves: u32,
        to_move: PlayerNumber,
        agreement: Agreement,
    ) -> Option<Ending> {
        let won = |winner, termination| Some(Ending { winner: Some(winner), termination });
        if !position.has_moves() {
            won(to_move.opponent(), Termination::NoMoves)
        } else if let Some(winner) = self.counted_winner(position, to_move) {
            won(winner, Termination::Counted)
        } else if let Some(winner) = agreement.decided() {
            won(winner, Termination::Resign)
        } else if self.max_moves == Some(moves) {
            Some(Ending { winner: None, termination: Termination::MaxMoves })
        } else {
            None
        }
    }

    /// Returns the winner by counting, if the game ends so and it is proven.
    pub(crate) fn counted_winner(&self, position: &Position, to_move: PlayerNumber) -> Option<PlayerNumber> {
        let winner = if self.adjudicate { counted_winner(position) } else { None }?;
        Some(if winner == position.side_to_move() { to_move } else { to_move.opponent() })
    }
}
