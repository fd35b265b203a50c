use std::time::Duration;

use crate::referee::{Answer, Call, CallError, Fault, Termination};

/// An answer that cost nothing.
pub(super) fn at_once<T>(value: T) -> Answer<T> {
    let none = Duration::ZERO;
    Answer { value, wall: none, cpu: none, idle_cpu: none, left: none }
}

/// What becomes of a person who thinks for too long.
pub(super) const fn too_late(detail: String) -> CallError {
    CallError::Fault(Fault {
        termination: Termination::Timeout,
        call: Call::Play,
        detail,
        signal: None,
        exit_code: None,
        backtrace: Vec::new(),
    })
}
