use amazons_rules::{Board, Move, TextError};

/// The vocabulary of a conversation.
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

    /// Reads a move in either notation; legality is not checked.
    ///
    /// # Errors
    /// When the text is not a move; the error shows where.
    pub fn parse_move(board: &Board, text: &str) -> Result<Move, TextError> {
        match uci_squares(text) {
            Some([from, to, arrow]) => board.parse_move(&format!("{from}-{to}/{arrow}")),
            None => board.parse_move(text),
        }
    }
}

/// Splits `a4a5,a5b5`, where the second queen's square is redundant.
fn uci_squares(text: &str) -> Option<[&str; 3]> {
    let (step, shot) = text.split_once(',')?;
    let ((from, to), (origin, arrow)) = (two_squares(step)?, two_squares(shot)?);
    (to == origin).then_some([from, to, arrow])
}

/// Splits where a letter follows a digit.
fn two_squares(text: &str) -> Option<(&str, &str)> {
    let digit = text.find(|character: char| character.is_ascii_digit())?;
    let (_, behind) = text.split_at_checked(digit)?;
    let letter = digit + behind.find(|character: char| character.is_ascii_alphabetic())?;
    text.split_at_checked(letter)
}
