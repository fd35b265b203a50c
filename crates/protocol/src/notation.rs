use amazons_rules::{Board, Move, Position, TextError};

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

/// Reads a move in any usual notation, or in one of those that sites have sent to engines: `d1d7pg7`, and `d1d7 P@g7`.
/// The error is the character at which the text stops being a move.
pub fn read_move(position: &Position, text: &str) -> Result<Move, TextError> {
    position.parse_move(text).or_else(|error| {
        // The last letter that can be such a p stands before the arrow's rank and file.
        let at = text.rfind(|letter: char| !letter.is_ascii_digit()).filter(|&at| at > 0);
        let drop = at.and_then(|at| text.get(..at)?.rfind(['p', 'P']));
        let (step, arrow) = drop.map_or(("", ""), |at| (&text[..at], text[at + 1..].trim_start_matches('@')));
        let board = position.board();
        let mv = board.parse_square(arrow).and_then(|_| board.parse_move(&format!("{} {arrow}", step.trim_end())));
        mv.map_err(|_| error)
    })
}

/// Returns whether a word puts an arrow down, such as `P@g7`.
pub(crate) fn is_drop(word: &str) -> bool {
    word.starts_with("P@") || word.starts_with("p@")
}
