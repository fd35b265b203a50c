use std::fmt;

use amazons_rules::{Move, Position};

use crate::host::HostError;
use crate::referee::{Answer, Call, CallError, Fault, HostFailure, Opinion, Sandbox, Seat};

/// Starts a player on a position where it is to move.
type Start = Box<dyn Fn(&Position) -> Result<Box<dyn Seat>, HostError>>;

/// A player that restarts when moves are taken back, because players themselves cannot go back.
pub struct RenewableSeat {
    seat: Box<dyn Seat>,
    start: Start,
    /// The earlier position, until the player is asked for a move again.
    back_at: Option<Position>,
    /// The output of its earlier processes.
    log: Vec<u8>,
    fault: Option<Fault>,
}

impl fmt::Debug for RenewableSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RenewableSeat").field("seat", &self.seat).finish_non_exhaustive()
    }
}

impl RenewableSeat {
    /// Wraps a player; `start` makes its replacements.
    pub fn new(seat: Box<dyn Seat>, start: Start) -> Self {
        Self { seat, start, back_at: None, log: Vec::new(), fault: None }
    }

    /// Starts the player on a position and asks it for a move.
    fn play_anew(&mut self, position: &Position) -> Result<Answer<Move>, CallError> {
        // However it ends, it is not asked again.
        let _ = self.seat.finalize();
        self.seat.end()?;
        self.log.extend(self.seat.log());
        self.seat = (self.start)(position)?;
        let ready = self.seat.load().and_then(|()| self.seat.initialize());
        ready.map_err(|error| self.blame(error))?;
        self.seat.play(None)
    }

    /// The game is already running, so failures now belong to its move.
    fn blame(&mut self, error: CallError) -> CallError {
        let CallError::Fault(fault) = error else { return error };
        let detail = format!("started again after moves were taken back: {}: {}", fault.call, fault.detail);
        let fault = Fault { call: Call::Play, detail, ..fault };
        self.fault = Some(fault.clone());
        CallError::Fault(fault)
    }
}

impl Seat for RenewableSeat {
    fn load(&mut self) -> Result<(), CallError> {
        self.seat.load()
    }

    fn initialize(&mut self) -> Result<Answer<()>, CallError> {
        self.seat.initialize()
    }

    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        self.seat.name()
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        let Some(mut position) = self.back_at.take() else { return self.seat.play(previous) };
        if let Some(previous) = previous {
            position.play_unchecked(previous);
        }
        self.play_anew(&position)
    }

    fn finalize(&mut self) -> Result<Answer<()>, CallError> {
        match &self.fault {
            Some(fault) => Err(CallError::Fault(fault.clone())),
            None => self.seat.finalize(),
        }
    }

    fn take_back(&mut self, position: &Position) {
        self.back_at = Some(position.clone());
    }

    fn end(&mut self) -> Result<(), HostFailure> {
        self.seat.end()
    }

    fn sandbox(&self) -> Option<Sandbox> {
        self.seat.sandbox()
    }

    fn opinion(&self) -> Opinion {
        self.seat.opinion()
    }

    fn log(&self) -> Vec<u8> {
        let mut log = self.log.clone();
        log.extend(self.seat.log());
        log
    }
}
