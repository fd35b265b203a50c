use std::time::{Duration, Instant};

use amazons_sandbox::{Interference, ProgramError};

use super::verdict::{beside, of_overrun};
use crate::referee::{Call, CallError, Fault, Termination};

/// A wait for another program, and its reason.
#[derive(Clone, Copy, Debug)]
pub struct Wait {
    /// The call to answer.
    pub call: Call,
    /// The deadline.
    pub end: Instant,
    /// The time allowed, for messages.
    pub limit: Duration,
}

impl Wait {
    /// Waits from now on, at most this long.
    pub fn new(call: Call, limit: Duration) -> Self {
        // No limit is large enough to overflow this.
        Self { call, end: Instant::now() + limit, limit }
    }

    /// Returns the program's fault if it fails during this wait.
    pub fn verdict(self, error: ProgramError) -> CallError {
        let detail = error.to_string();
        let (termination, signal, exit_code) = match error {
            ProgramError::NotRun(_) => (Termination::LoadError, None, None),
            ProgramError::Late(interference) => return self.late(self.limit, "on the clock", interference),
            ProgramError::Exhausted { limit, interference } => {
                return self.late(limit, "of processor time", interference);
            }
            ProgramError::Over(overrun) => (of_overrun(overrun), None, None),
            ProgramError::Killed { signal, is_violation: true } => (Termination::Violation, Some(signal), None),
            ProgramError::Killed { signal, .. } => (Termination::Crash, Some(signal), None),
            ProgramError::Exited(status) => (Termination::Exit, None, Some(status)),
            ProgramError::Ended | ProgramError::Disconnected | ProgramError::LongLine => {
                (Termination::ProtocolError, None, None)
            }
            ProgramError::Host(error) => return error.into(),
        };
        CallError::Fault(Fault { signal, exit_code, ..Fault::new(termination, self.call, detail) })
    }

    fn late(self, limit: Duration, clock: &str, interference: Interference) -> CallError {
        let detail = format!("{} did not end within {limit:?} {clock}", self.call);
        CallError::Fault(beside(Fault::new(Termination::Timeout, self.call, detail), interference, Duration::MAX))
    }
}
