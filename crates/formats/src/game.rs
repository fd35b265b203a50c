use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Board, Color, IllegalMove, Move, Position};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::apart::apart;
use crate::{BoardName, Ending, MoveNote};

/// A game that replays by the rules, with details and comments.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// The players, the date, the site.
    pub details: Details,
    /// The outcome, see [`Game::end`]; `None` if unknown or the game goes on.
    pub outcome: Option<GameOutcome>,
    /// The comment before the first move.
    pub comment: Option<String>,
    start: Position,
    moves: Vec<PlayedMove>,
    position: Position,
}

/// A game read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The game.
    pub game: Game,
    /// The number of games in the file.
    pub games: usize,
}

/// The details of a game besides its moves, unverified.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Details {
    /// The name of Black.
    #[serde(skip)]
    pub black: Option<String>,
    /// The name of White.
    #[serde(skip)]
    pub white: Option<String>,
    /// The event.
    pub event: Option<String>,
    /// Where it was played.
    pub site: Option<String>,
    /// When it was played, `2026-01-31` at best.
    pub date: Option<String>,
    /// The round of the event.
    pub round: Option<String>,
    /// The author of the comments.
    pub annotator: Option<String>,
    /// The program that wrote the record, with its version.
    pub program: Option<String>,
    /// The time limits as PGN writes them: `300+5`, or `1/15` for 15 seconds a move.
    pub time_control: Option<String>,
}

/// A move of a game, with annotations.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The comment on it.
    pub comment: Option<String>,
    /// The player's thinking time.
    pub time: Option<Duration>,
    /// The player's remaining time.
    pub left: Option<Duration>,
    /// The player's evaluation, from -1, lost, to 1, won.
    pub value: Option<f32>,
    /// An engine's evaluation.
    pub note: Option<Box<MoveNote>>,
}

impl PlayedMove {
    /// Returns the comment with what an engine says of a bad move, for formats without such notes.
    pub(crate) fn remarks(&self) -> Option<String> {
        let said = self.note.as_ref().map(|note| note.text()).filter(|text| !text.is_empty());
        let parts: Vec<String> = self.comment.iter().cloned().chain(said).collect();
        (!parts.is_empty()).then(|| parts.join("\n"))
    }
}

impl From<Move> for PlayedMove {
    fn from(mv: Move) -> Self {
        Self { mv, comment: None, time: None, left: None, value: None, note: None }
    }
}

/// How a game ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameOutcome {
    /// The winner, if there is one.
    pub winner: Option<Color>,
    /// The kind of ending; `None` when only the result is known.
    pub ending: Option<Ending>,
    /// A description in words.
    pub detail: Option<String>,
}

/// Why a game is invalid.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameError {
    /// The board came from a matrix, and no format can describe it.
    #[error("the board is neither a known shape nor a rectangle")]
    Board,
    /// A move is not legal.
    #[error("move {ply}: {reason}")]
    Illegal {
        /// The number of the move, from 1.
        ply: usize,
        /// The reason.
        reason: IllegalMove,
    },
    /// The outcome contradicts the last position.
    #[error("the result says that a player cannot move, but it can")]
    NotBlocked,
}

impl Game {
    /// Starts a game. Fails with [`GameError::Board`] when the board is not a grid.
    pub fn new(start: Position) -> Result<Self, GameError> {
        if BoardName::of(start.board()).is_none() {
            return Err(GameError::Board);
        }
        let position = start.clone();
        Ok(Self { details: Details::default(), outcome: None, comment: None, start, moves: Vec::new(), position })
    }

    /// Plays a move. Fails with [`GameError::Illegal`]; the game is then unchanged.
    pub fn push(&mut self, played: impl Into<PlayedMove>) -> Result<(), GameError> {
        let played = played.into();
        let ply = self.moves.len() + 1;
        self.position.try_play(played.mv).map_err(|reason| GameError::Illegal { ply, reason })?;
        self.moves.push(played);
        Ok(())
    }

    /// Ends the game; fills in the ending if only the winner is given and the loser is blocked. Fails with
    /// [`GameError::NotBlocked`] when the ending is [`Ending::NoMoves`] but the loser can move or is not to move.
    pub fn end(&mut self, mut outcome: GameOutcome) -> Result<(), GameError> {
        let loser = self.position.side_to_move();
        let is_blocked = !self.position.has_moves() && outcome.winner == Some(loser.opposite());
        match outcome.ending {
            None if is_blocked => outcome.ending = Some(Ending::NoMoves),
            Some(Ending::NoMoves) if !is_blocked => return Err(GameError::NotBlocked),
            _ => {}
        }
        self.outcome = Some(outcome);
        Ok(())
    }

    /// Cuts the game off after a number of moves, dropping the outcome of a longer game; `None` if it has fewer moves.
    pub fn until(&self, ply: usize) -> Option<Self> {
        if ply == self.moves.len() {
            return Some(self.clone());
        }
        let moves = self.moves.get(..ply)?.to_vec();
        let mut position = self.start.clone();
        moves.iter().for_each(|played| position.play_unchecked(played.mv));
        Some(Self { moves, position, outcome: None, start: self.start.clone(), ..self.clone() })
    }

    /// Returns the position before the first move.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the board.
    pub const fn board(&self) -> &Arc<Board> {
        self.start.board()
    }

    /// Returns the moves.
    pub fn moves(&self) -> &[PlayedMove] {
        &self.moves
    }

    /// Returns the last move, for comments.
    pub fn last_mut(&mut self) -> Option<&mut PlayedMove> {
        self.moves.last_mut()
    }

    /// Returns the position after the last move.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns every position with the move that led to it, the start first.
    pub fn positions(&self) -> impl Iterator<Item = (Option<&PlayedMove>, Position)> + '_ {
        let mut position = self.start.clone();
        let first = (None, position.clone());
        let rest = self.moves.iter().map(move |played| {
            position.play_unchecked(played.mv);
            (Some(played), position.clone())
        });
        std::iter::once(first).chain(rest)
    }

    /// Returns the result in words, if the game is over: who wins, and what the other player did.
    pub fn result(&self) -> Option<[String; 2]> {
        let GameOutcome { winner, ending, .. } = self.outcome.as_ref()?;
        let moves = self.moves.len();
        let after = format!("after {moves} {}", if moves == 1 { "move" } else { "moves" });
        let player = |color| match self.name(color) {
            Some(name) => format!("{} ({color})", apart(name)),
            None => color.to_string(),
        };
        let wins = match (winner, ending) {
            (Some(winner), _) => format!("{} wins", player(*winner)),
            (None, Some(_)) => "nobody wins".to_owned(),
            (None, None) => "the result is not known".to_owned(),
        };
        let how = match (winner, ending) {
            (Some(winner), Some(ending)) => format!("{} {after}", ending.told(Some(&player(winner.opposite())))),
            (None, Some(ending)) => format!("{} {after}", ending.told(None)),
            (_, None) => after,
        };
        Some([wins, how])
    }

    /// Describes a moment of the game: its result, or the move that led there.
    pub(crate) fn caption(&self, ply: usize) -> [String; 2] {
        let moves = self.moves.len();
        match (self.moves.get(ply.wrapping_sub(1)), self.result()) {
            (_, Some(result)) if ply == moves => result,
            (Some(played), _) => {
                let of = if ply < moves { format!(" of {moves}") } else { String::new() };
                [format!("move {ply}{of}"), self.board().move_text(played.mv)]
            }
            (None, _) => ["start".to_owned(), String::new()],
        }
    }

    /// Returns the name of a colour's player, or else the colour.
    pub(crate) fn name_or_color(&self, color: Color) -> String {
        self.name(color).map_or_else(|| color.to_string(), apart)
    }

    /// Returns the name of a colour's player.
    pub fn name(&self, color: Color) -> Option<&str> {
        match color {
            Color::Black => self.details.black.as_deref(),
            Color::White => self.details.white.as_deref(),
        }
    }
}
