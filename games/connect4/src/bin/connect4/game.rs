use connect4::record::{GameResult, Played};
use connect4::{Ending, MoveError, Position, Side};

/// A game that is played: its moves can be taken back and played again.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    before: String,
    position: Position,
    moves: Vec<(u32, Played)>,
    /// Moves that were taken back, the last one last.
    undone: Vec<(u32, Played)>,
    /// A result other than the board's.
    given_up: Option<GameResult>,
}

impl Game {
    /// Starts from a position, which these moves lead to.
    pub(crate) fn new(position: Position, before: &str) -> Self {
        Self { before: before.to_owned(), position, moves: Vec::new(), undone: Vec::new(), given_up: None }
    }

    pub(crate) fn restarted(&self) -> Self {
        let position = Position::from_moves(self.position.size(), &self.before);
        Self::new(position.unwrap_or_else(|_| Position::empty(self.position.size())), &self.before)
    }

    pub(crate) const fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn played(&self) -> impl Iterator<Item = &Played> {
        self.moves.iter().map(|(_, played)| played)
    }

    /// Returns all moves from the empty board.
    pub(crate) fn all_moves(&self) -> String {
        self.played().fold(self.before.clone(), |moves, played| moves + &played.column)
    }

    /// Returns the column of the last move.
    pub(crate) fn last(&self) -> Option<u32> {
        let before = || self.before.chars().last().and_then(|name| self.position.column(&name.to_string()).ok());
        self.moves.last().map(|(column, _)| *column).or_else(before)
    }

    pub(crate) fn result(&self) -> Option<GameResult> {
        self.given_up.or_else(|| self.ending().map(GameResult::of))
    }

    pub(crate) fn ending(&self) -> Option<Ending> {
        self.position.ending()
    }

    pub(crate) fn turn(&self) -> Option<Side> {
        self.result().is_none().then(|| self.position.turn())
    }

    /// Plays a move; what was taken back is forgotten.
    pub(crate) fn play(&mut self, column: u32, played: Played) -> Result<(), MoveError> {
        if self.result().is_some() {
            return Err(MoveError::Over);
        }
        self.position.play(column)?;
        self.moves.push((column, played));
        self.undone.clear();
        Ok(())
    }

    pub(crate) const fn give_up(&mut self, result: GameResult) {
        self.given_up = Some(result);
    }

    /// Takes back moves until one of this kind of side is taken back; returns how many, or 0 without such a move.
    pub(crate) fn undo(&mut self, is_own: impl Fn(Side) -> bool) -> usize {
        let first = self.position.plies() as usize - self.moves.len();
        let side = |ply: usize| if (first + ply).is_multiple_of(2) { Side::First } else { Side::Second };
        let Some(left) = (0..self.moves.len()).rev().find(|&ply| is_own(side(ply))) else { return 0 };
        let plies = self.moves.len() - left;
        for (column, played) in self.moves.drain(left..).rev() {
            self.position.take_back(column);
            self.undone.push((column, played));
        }
        self.given_up = None;
        plies
    }

    /// Plays moves that were taken back again, up to the next turn of this kind of side; returns them.
    pub(crate) fn redo(&mut self, is_own: impl Fn(Side) -> bool) -> Vec<Played> {
        let mut again = Vec::new();
        while let Some((column, played)) = self.undone.pop() {
            self.position.play_free(column);
            self.moves.push((column, played.clone()));
            again.push(played);
            if self.turn().is_none_or(&is_own) {
                break;
            }
        }
        again
    }
}
