use std::fmt;
use std::time::Duration;

use amazons_rules::{Move, Position};

use crate::referee::{Answer, Call, CallError, Fault, Termination, Usage};

/// A place that asks a person for moves.
pub(super) trait Prompt: fmt::Debug {
    fn begin(&mut self) {}

    /// Asks for a legal move and measures the person's time.
    fn ask(&mut self, position: &Position, can_take_back: bool) -> Result<Answer<Move>, CallError>;

    fn end(&mut self) {}
}

/// Returns a person's move; its cost is the time on the wall clock.
pub(super) fn answer(value: Move, wall: Duration, limit: Option<Duration>) -> Answer<Move> {
    Answer { value, usage: Usage { wall, ..Usage::default() }, left: limit.unwrap_or_default().saturating_sub(wall) }
}

/// Returns the error for a person who takes too long.
pub(super) const fn too_late(detail: String) -> CallError {
    CallError::Fault(Fault::new(Termination::Timeout, Call::Play, detail))
}
