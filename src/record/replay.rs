use amazons_rules::{BoardError, Color, IllegalMove, Position, TextError, UnknownShape};
use amazons_solve::counted_winner;
use thiserror::Error;

use crate::participant::Participant;
use crate::record::{Record, Step};
use crate::referee::{Agreement, EndEvent, Ending, FaultEvent, MoveEvent, PlayerNumber, StartEvent, Termination};

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
    #[error("move {ply}: expected ply {ply} of {player}, found ply {found_ply} of {found_player}")]
    Turn { ply: u32, player: PlayerNumber, found_ply: u32, found_player: PlayerNumber },
    /// A move follows the end of the game.
    #[error("move {ply}: {reason}")]
    Over { ply: u32, reason: &'static str },
    /// A move is illegal.
    #[error("move {ply}: {reason}")]
    Illegal { ply: u32, reason: IllegalMove },
    #[error("move {ply}: the numbers are {expected}, the text is '{found}'")]
    MoveText { ply: u32, expected: String, found: String },
    #[error("move {ply}: a game that was played here has the times of every move")]
    Untold { ply: u32 },
    #[error("move {ply}: a value is from -1 to 1")]
    Value { ply: u32 },
    /// A fault is reported where it is impossible.
    #[error("fault of {player}: {reason}")]
    Fault { player: PlayerNumber, reason: &'static str },
    #[error("end: {counted} moves are counted, {recorded} are recorded")]
    Count { counted: u32, recorded: u32 },
    #[error("end: the final position is {text}, its hash {}", EndEvent::hash_of(text))]
    Last { text: String },
    #[error("end: a game that was played here has a known end")]
    Unknown,
    #[error("end: a void game needs a detail, no other has one")]
    Detail,
    #[error("end: {} is recorded as winner, it is {}", name(*.found), name(*.expected))]
    Winner { found: Option<PlayerNumber>, expected: Option<PlayerNumber> },
    #[error("end: the winner is {0}")]
    LastMover(PlayerNumber),
    #[error("end: the player to move is not blocked")]
    NotBlocked,
    #[error("end: counting does not decide the game here")]
    Uncounted,
    #[error("end: counting proves that {0} wins")]
    Counted(Color),
    #[error("end: nobody wins when the ending is '{0}'")]
    NoWinner(Termination),
    #[error("end: no call was left in which the server can have failed")]
    NoCall,
    #[error("end: a fault had decided the game before '{0}'")]
    Decided(Termination),
    /// It ended in another way before.
    #[error("end: {0}")]
    Ended(&'static str),
    #[error("end: {0} is a program, which cannot resign")]
    Program(PlayerNumber),
    #[error("end: the move limit is not {0}")]
    MoveLimit(u32),
    #[error("end: no fault explains the ending '{0}'")]
    NoFault(Termination),
}

fn name(player: Option<PlayerNumber>) -> String {
    player.map_or_else(|| "nobody".to_owned(), |player| player.to_string())
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
        game.end(&self.end)?;
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

    fn end(&self, end: &EndEvent) -> Result<(), ReplayError> {
        if end.moves != self.moves {
            return Err(ReplayError::Count { counted: end.moves, recorded: self.moves });
        }
        let text = self.position.to_string();
        if end.position != text || end.hash != EndEvent::hash_of(&text) {
            return Err(ReplayError::Last { text });
        }
        if self.start.source.is_some() {
            return self.end_elsewhere(end);
        }
        let termination = end.termination.ok_or(ReplayError::Unknown)?;
        if end.detail.is_some() != (termination == Termination::Void) {
            return Err(ReplayError::Detail);
        }
        let expected = self.winner_of(termination)?;
        if end.winner != expected {
            return Err(ReplayError::Winner { found: end.winner, expected });
        }
        Ok(())
    }

    /// Checks the end of a game not played here: its faults are unknown, but the rules still hold.
    fn end_elsewhere(&self, end: &EndEvent) -> Result<(), ReplayError> {
        let (blocked, last) = (!self.position.has_moves(), self.to_move().opponent());
        match end.termination {
            Some(Termination::NoMoves) if !blocked => Err(ReplayError::NotBlocked),
            Some(Termination::NoMoves) if end.winner != Some(last) => Err(ReplayError::LastMover(last)),
            Some(Termination::Counted) => match counted_winner(&self.position) {
                None => Err(ReplayError::Uncounted),
                Some(color) if end.winner != Some(self.start.player_of(color)) => Err(ReplayError::Counted(color)),
                Some(_) => Ok(()),
            },
            Some(ending @ (Termination::MaxMoves | Termination::Void)) if end.winner.is_some() => {
                Err(ReplayError::NoWinner(ending))
            }
            _ => Ok(()),
        }
    }

    fn is_human(&self, player: PlayerNumber) -> bool {
        let file = self.start.players[player].file.as_deref();
        file.is_some_and(|file| Participant::parse(file).is_ok_and(|participant| participant.is_person()))
    }

    /// Returns the winner of a game that ends here in this way, or why it cannot.
    fn winner_of(&self, termination: Termination) -> Result<Option<PlayerNumber>, ReplayError> {
        let ended = self.ending();
        match (termination, &self.deciding[..]) {
            (Termination::Void, _) => {
                // A player without a call gives the server nothing to fail in.
                let plays_on = self.deciding.is_empty() && (self.moves == 0 || ended.is_none());
                let finalizes = |player| self.can_finalize(player) && !self.finalized.contains(&player);
                if plays_on || PlayerNumber::ALL.into_iter().any(finalizes) {
                    Ok(None)
                } else {
                    Err(ReplayError::NoCall)
                }
            }
            (Termination::NoMoves | Termination::Resign | Termination::MaxMoves | Termination::Counted, [_, ..]) => {
                Err(ReplayError::Decided(termination))
            }
            (_, []) if ended.is_some_and(|ended| ended.termination == termination) => {
                Ok(ended.and_then(|ended| ended.winner))
            }
            (Termination::NoMoves, []) => Err(ReplayError::NotBlocked),
            (Termination::Counted, []) => Err(ReplayError::Uncounted),
            (Termination::Resign | Termination::MaxMoves, []) if ended.is_some() => {
                Err(ReplayError::Ended(self.over().unwrap_or_default()))
            }
            (Termination::Resign, []) if !self.is_human(self.to_move()) => Err(ReplayError::Program(self.to_move())),
            (Termination::Resign, []) => Ok(Some(self.to_move().opponent())),
            (Termination::MaxMoves, []) => Err(ReplayError::MoveLimit(self.moves)),
            (_, [first, others @ ..]) if first.termination == termination => {
                Ok(others.is_empty().then(|| first.player.opponent()))
            }
            _ => Err(ReplayError::NoFault(termination)),
        }
    }
}
