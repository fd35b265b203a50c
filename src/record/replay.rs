use amazons_rules::{BoardError, IllegalMove, Position, TextError, UnknownShape};
use amazons_solve::counted_winner;
use thiserror::Error;

use crate::participant::Participant;
use crate::record::{Record, Step};
use crate::referee::{Agreement, EndEvent, Ending, FaultEvent, MoveEvent, PlayerNumber, StartEvent, Termination};

/// Why a game did not end by counting.
const UNCOUNTED: &str = "counting does not decide the game here";

/// A contradiction in a record, to itself or to the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReplayError {
    #[error("start: {0}")]
    Shape(#[from] UnknownShape),
    /// There is no such board.
    #[error("start: {0}")]
    Board(#[from] BoardError),
    /// The starting position is invalid, or invalid on this board.
    #[error("start: {0}")]
    Position(#[from] TextError),
    /// A fact of the start does not follow from its board and position, or no game can have it.
    #[error("start: {0}")]
    Start(&'static str),
    /// A move is out of turn or miscounted.
    #[error("move {ply}: expected ply {ply} of {player}, found ply {found_ply} of {found_player}")]
    Turn {
        /// The expected ply.
        ply: u32,
        /// The expected player.
        player: PlayerNumber,
        /// The actual ply.
        found_ply: u32,
        /// The actual player.
        found_player: PlayerNumber,
    },
    /// A move follows the end of the game.
    #[error("move {ply}: {reason}")]
    Over {
        ply: u32,
        /// The reason for the end.
        reason: &'static str,
    },
    /// A move is illegal.
    #[error("move {ply}: {reason}")]
    Illegal { ply: u32, reason: IllegalMove },
    /// The text of a move contradicts its numbers.
    #[error("move {ply}: the numbers are {expected}, the text is '{found}'")]
    MoveText {
        ply: u32,
        /// The text of the numbers.
        expected: String,
        /// The actual text.
        found: String,
    },
    /// A time is missing that the server records for every move.
    #[error("move {ply}: a game that was played here has the times of every move")]
    Untold { ply: u32 },
    /// A player's evaluation is out of range.
    #[error("move {ply}: a value is from -1 to 1")]
    Value { ply: u32 },
    /// A fault is reported where it is impossible.
    #[error("fault of {player}: {reason}")]
    Fault {
        /// The player reported at fault.
        player: PlayerNumber,
        reason: &'static str,
    },
    /// The ending does not follow from the moves and faults.
    #[error("end: {0}")]
    Ending(String),
}

impl Record {
    /// Replays the record and accepts exactly what the referee can have written, in this order.
    pub fn verify(&self) -> Result<Position, ReplayError> {
        let mut game = Game::new(&self.start, self.starting_position()?);
        for step in &self.steps {
            match step {
                Step::Move(mv) => game.play(mv)?,
                Step::Fault(fault) => game.charge(fault)?,
            }
        }
        game.end(&self.end).map_err(ReplayError::Ending)?;
        Ok(game.position)
    }
}

/// The state of a replayed game.
pub(super) struct Game<'a> {
    pub(super) start: &'a StartEvent,
    pub(super) position: Position,
    pub(super) moves: u32,
    /// How long the players have agreed on who wins.
    pub(super) agreement: Agreement,
    /// Faults before `finalize`, which decide the game.
    pub(super) deciding: Vec<&'a FaultEvent>,
    /// The players that failed in `finalize`.
    pub(super) finalized: Vec<PlayerNumber>,
}

impl<'a> Game<'a> {
    fn new(start: &'a StartEvent, position: Position) -> Self {
        let agreement = Agreement::new(start.rules().resign);
        Self { start, position, moves: 0, agreement, deciding: Vec::new(), finalized: Vec::new() }
    }

    pub(super) fn to_move(&self) -> PlayerNumber {
        if self.moves.is_multiple_of(2) { self.start.first } else { self.start.first.opponent() }
    }

    /// Returns how the game ends here by its rules, if it does.
    fn ending(&self) -> Option<Ending> {
        self.start.rules().ending(&self.position, self.moves, self.to_move(), self.agreement)
    }

    /// Returns why the player to move is not asked for a move, if so.
    pub(super) fn over(&self) -> Option<&'static str> {
        if !self.deciding.is_empty() {
            return Some("a fault had decided the game");
        }
        if !self.finalized.is_empty() {
            return Some("the players had been finalised");
        }
        Some(match self.ending()?.termination {
            Termination::NoMoves => "the player to move is blocked",
            Termination::Counted => "counting had decided the game",
            Termination::Resign => "the players' values had decided the game",
            _ => "the move limit was reached",
        })
    }

    /// Returns whether this player's `finalize` is more than an echo of the fault that ended it.
    pub(super) fn can_finalize(&self, player: PlayerNumber) -> bool {
        let survives = |fault: &&FaultEvent| fault.player != player || fault.termination == Termination::IllegalMove;
        self.deciding.iter().all(survives)
    }

    fn play(&mut self, mv: &MoveEvent) -> Result<(), ReplayError> {
        let (ply, player) = (self.moves + 1, self.to_move());
        if let Some(reason) = self.over() {
            return Err(ReplayError::Over { ply, reason });
        }
        if (mv.ply, mv.player) != (ply, player) {
            return Err(ReplayError::Turn { ply, player, found_ply: mv.ply, found_player: mv.player });
        }
        let expected = self.position.board().move_text(mv.played());
        let times = [mv.wall_us, mv.cpu_us, mv.idle_cpu_us, mv.left_us];
        if self.start.source.is_none() && times.contains(&None) {
            return Err(ReplayError::Untold { ply });
        }
        if !mv.value.is_none_or(|value| (-1.0..=1.0).contains(&value)) {
            return Err(ReplayError::Value { ply });
        }
        if mv.text != expected {
            return Err(ReplayError::MoveText { ply, expected, found: mv.text.clone() });
        }
        self.position.try_play(mv.played()).map_err(|reason| ReplayError::Illegal { ply, reason })?;
        self.moves = ply;
        self.agreement.add(player, mv.value);
        Ok(())
    }

    fn end(&self, end: &EndEvent) -> Result<(), String> {
        if end.moves != self.moves {
            return Err(format!("{} moves are counted, {} are recorded", end.moves, self.moves));
        }
        let text = self.position.to_string();
        if end.position != text || end.hash != EndEvent::hash_of(&text) {
            return Err(format!("the final position is {text}, its hash {}", EndEvent::hash_of(&text)));
        }
        if self.start.source.is_some() {
            return self.end_elsewhere(end);
        }
        let Some(termination) = end.termination else {
            return Err("a game that was played here has a known end".to_owned());
        };
        if end.detail.is_some() != (termination == Termination::Void) {
            return Err("a void game needs a detail, no other has one".to_owned());
        }
        let expected = self.winner_of(termination)?;
        if end.winner != expected {
            let name =
                |player: Option<PlayerNumber>| player.map_or_else(|| "nobody".to_owned(), |player| player.to_string());
            return Err(format!("{} is recorded as winner, it is {}", name(end.winner), name(expected)));
        }
        Ok(())
    }

    /// Checks the end of a game not played here: its faults are unknown, but the rules still hold.
    fn end_elsewhere(&self, end: &EndEvent) -> Result<(), String> {
        let blocked = !self.position.has_moves();
        match end.termination {
            Some(Termination::NoMoves) if !blocked => Err("the player to move is not blocked".to_owned()),
            Some(Termination::NoMoves) if end.winner != Some(self.to_move().opponent()) => {
                Err(format!("the winner is {}", self.to_move().opponent()))
            }
            Some(Termination::Counted) => match counted_winner(&self.position) {
                None => Err(UNCOUNTED.to_owned()),
                Some(color) if end.winner != Some(self.start.player_of(color)) => {
                    Err(format!("counting proves that {color} wins"))
                }
                Some(_) => Ok(()),
            },
            Some(ending @ (Termination::MaxMoves | Termination::Void)) if end.winner.is_some() => {
                Err(format!("nobody wins when the ending is '{ending}'"))
            }
            _ => Ok(()),
        }
    }

    fn is_human(&self, player: PlayerNumber) -> bool {
        let file = self.start.players[player].file.as_deref();
        file.is_some_and(|file| Participant::parse(file).is_ok_and(|participant| participant.is_person()))
    }

    /// Returns the winner of a game that ends here in this way, or why it cannot.
    fn winner_of(&self, termination: Termination) -> Result<Option<PlayerNumber>, String> {
        let ended = self.ending();
        match (termination, &self.deciding[..]) {
            (Termination::Void, _) => {
                // A player without a call gives the server nothing to fail in.
                let plays_on = self.deciding.is_empty() && (self.moves == 0 || ended.is_none());
                let finalizes = |player| self.can_finalize(player) && !self.finalized.contains(&player);
                if plays_on || PlayerNumber::ALL.into_iter().any(finalizes) {
                    Ok(None)
                } else {
                    Err("no call was left in which the server can have failed".to_owned())
                }
            }
            (Termination::NoMoves | Termination::Resign | Termination::MaxMoves | Termination::Counted, [_, ..]) => {
                Err(format!("a fault had decided the game before '{termination}'"))
            }
            (_, []) if ended.is_some_and(|ended| ended.termination == termination) => {
                Ok(ended.and_then(|ended| ended.winner))
            }
            (Termination::NoMoves, []) => Err("the player to move is not blocked".to_owned()),
            (Termination::Counted, []) => Err(UNCOUNTED.to_owned()),
            (Termination::Resign | Termination::MaxMoves, []) if ended.is_some() => {
                Err(self.over().unwrap_or_default().to_owned())
            }
            (Termination::Resign, []) if !self.is_human(self.to_move()) => {
                Err(format!("{} is a program, which cannot resign", self.to_move()))
            }
            (Termination::Resign, []) => Ok(Some(self.to_move().opponent())),
            (Termination::MaxMoves, []) => Err(format!("the move limit is not {}", self.moves)),
            (_, [first, others @ ..]) if first.termination == termination => {
                Ok(others.is_empty().then(|| first.player.opponent()))
            }
            _ => Err(format!("no fault explains the ending '{termination}'")),
        }
    }
}
