use amazons_rules::{Board, Move};

/// The vocabulary of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// Our own: any board, moves as `d1-d7/g7`.
    #[default]
    Aep,
    /// Fairy-Stockfish's: moves as `d1d7,d7g7`.
    Uci,
}

impl Dialect {
    /// Returns the text of a move.
    #[must_use]
    pub fn move_text(self, board: &Board, mv: Move) -> String {
        match self {
            Self::Aep => board.move_text(mv),
            Self::Uci => {
                let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| board.square(vertex));
                format!("{from}{to},{to}{arrow}")
            }
        }
    }
}
