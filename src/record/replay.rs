use std::sync::Arc;

use amazons_rules::{Board, BoardError, Directions, IllegalMove, Move, Position, Shape, TextError, UnknownShape};
use thiserror::Error;

use crate::record::Record;
use crate::referee::{BoardEvent, Call, EndEvent, FaultEvent, MoveEvent, PlayerNumber, QueensEvent, Termination};

/// Says in what a record contradicts itself or the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    /// The shape is not known.
    #[error("start: {0}")]
    Shape(#[from] UnknownShape),
    /// There is no such board.
    #[error("start: {0}")]
    Board(#[from] BoardError),
    /// The starting position is none, or none on this board.
    #[error("start: {0}")]
    Position(#[from] TextError),
    /// A fact of the start does not follow from its board and position.
    #[error("start: the {0} do not match the board and position")]
    Start(&'static str),
    /// A move is out of turn or miscounted.
    #[error("move {ply}: expected ply {ply} of {player}, found ply {found_ply} of {found_player}")]
    Turn {
        /// The ply that should come.
        ply: u32,
        /// Who should move.
        player: PlayerNumber,
        /// The ply that is there.
        found_ply: u32,
        /// Who is there.
        found_player: PlayerNumber,
    },
    /// A move is not legal.
    #[error("move {ply}: {reason}")]
    Illegal {
        /// The ply.
        ply: u32,
        /// Why not.
        reason: IllegalMove,
    },
    /// The text of a move does not say the same as its numbers.
    #[error("move {ply}: the numbers are {expected}, the text is '{found}'")]
    MoveText {
        /// The ply.
        ply: u32,
        /// The text of the numbers.
        expected: String,
        /// The text that is there.
        found: String,
    },
    /// A fault is reported where it cannot have happened.
    #[error("fault of {player}: {reason}")]
    Fault {
        /// Who is said to be at fault.
        player: PlayerNumber,
        /// Why that cannot be.
        reason: &'static str,
    },
    /// The ending does not follow from the moves and faults.
    #[error("end: {0}")]
    Ending(String),
}

impl Record {
    /// Returns the starting position.
    ///
    /// # Errors
    /// When the start does not describe one position.
    pub fn starting_position(&self) -> Result<Position, ReplayError> {
        let board = &self.start.board;
        let position = match board.shape {
            Some(code) if board.columns == board.rows => {
                let shape: Shape = code.to_string().parse()?;
                Position::parse_on(Arc::new(Board::new(shape, board.columns)?), &self.start.position)?
            }
            Some(_) => return Err(ReplayError::Start("columns and rows")),
            None => {
                let rectangle = Board::rectangle(board.columns, board.rows)?;
                Position::parse_on(Arc::new(rectangle), &self.start.position)?
            }
        };
        let rebuilt = BoardEvent {
            directions: board.directions.clone(),
            ..BoardEvent::new(position.board(), Directions::default())
        };
        if rebuilt != *board {
            return Err(ReplayError::Start("holes"));
        }
        let sorted = |queens: &QueensEvent| {
            let mut lists = [queens.black.clone(), queens.white.clone()];
            lists.iter_mut().for_each(|list| list.sort_unstable());
            lists
        };
        if sorted(&self.start.queens) != sorted(&QueensEvent::new(&position)) {
            return Err(ReplayError::Start("queens"));
        }
        let first = position.side_to_move();
        let colors = [(self.start.first, first), (self.start.first.opponent(), first.opposite())];
        if colors.into_iter().any(|(player, color)| self.start.players[player].color != color.to_string()) {
            return Err(ReplayError::Start("colours of the players"));
        }
        Ok(position)
    }

    /// Plays the record again and checks each move, each fault that the rules can judge, and the end.
    ///
    /// # Errors
    /// Says in what the record is wrong.
    pub fn verify(&self) -> Result<Position, ReplayError> {
        let mut position = self.starting_position()?;
        let turns = [self.start.first, self.start.first.opponent()].into_iter().cycle();
        for ((ply, mv), player) in (1..).zip(&self.moves).zip(turns) {
            if (mv.ply, mv.player) != (ply, player) {
                return Err(ReplayError::Turn { ply, player, found_ply: mv.ply, found_player: mv.player });
            }
            verify_move(&mut position, ply, mv)?;
        }
        for fault in &self.faults {
            self.verify_fault(&position, fault)?;
        }
        self.verify_end(&position)?;
        Ok(position)
    }

    fn to_move(&self) -> PlayerNumber {
        if self.moves.len().is_multiple_of(2) { self.start.first } else { self.start.first.opponent() }
    }

    fn verify_fault(&self, position: &Position, fault: &FaultEvent) -> Result<(), ReplayError> {
        let wrong = |reason| Err(ReplayError::Fault { player: fault.player, reason });
        if fault.ply.is_some() && fault.player != self.to_move() {
            return wrong("the other player was to move");
        }
        match (fault.termination, fault.answer) {
            (Termination::NoMoves | Termination::MaxMoves | Termination::Void, _) => {
                wrong("this ending is nobody's fault")
            }
            (Termination::IllegalMove, None) => wrong("the illegal move is missing"),
            (Termination::IllegalMove, Some([from, to, arrow])) => match position.is_legal(Move { from, to, arrow }) {
                Ok(()) => wrong("the move is legal"),
                Err(_) => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn verify_end(&self, position: &Position) -> Result<(), ReplayError> {
        let end = &self.end;
        let ending = |reason: String| Err(ReplayError::Ending(reason));
        if end.moves as usize != self.moves.len() {
            return ending(format!("{} moves are counted, {} are recorded", end.moves, self.moves.len()));
        }
        let text = position.to_string();
        if end.position != text || end.hash != EndEvent::hash_of(&text) {
            return ending(format!("the final position is {text}, its hash {}", EndEvent::hash_of(&text)));
        }
        let blocked = !position.has_moves();
        let (termination, winner) = (end.termination, end.winner);
        let expected_winner = match termination {
            Termination::Void => None,
            Termination::NoMoves if blocked => Some(self.to_move().opponent()),
            Termination::NoMoves => return ending("the player to move is not blocked".to_owned()),
            Termination::MaxMoves if blocked => return ending("the player to move is blocked".to_owned()),
            Termination::MaxMoves if self.start.limits.max_moves != Some(end.moves) => {
                return ending(format!("the move limit is not {}", end.moves));
            }
            Termination::MaxMoves => None,
            _ => {
                let deciding: Vec<&FaultEvent> =
                    self.faults.iter().filter(|fault| fault.call != Call::Finalize).collect();
                match deciding[..] {
                    [fault] if fault.termination == termination => Some(fault.player.opponent()),
                    [first, second] if first.termination == termination && first.player != second.player => None,
                    _ => return ending(format!("no fault explains the ending '{termination}'")),
                }
            }
        };
        if winner != expected_winner {
            let name =
                |player: Option<PlayerNumber>| player.map_or_else(|| "nobody".to_owned(), |player| player.to_string());
            return ending(format!("{} is recorded as winner, it is {}", name(winner), name(expected_winner)));
        }
        Ok(())
    }
}

fn verify_move(position: &mut Position, ply: u32, mv: &MoveEvent) -> Result<(), ReplayError> {
    let expected = position.board().move_text(mv.played());
    if mv.text != expected {
        return Err(ReplayError::MoveText { ply, expected, found: mv.text.clone() });
    }
    position.try_play(mv.played()).map_err(|reason| ReplayError::Illegal { ply, reason })
}
