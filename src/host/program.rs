use std::time::{Duration, Instant};

use amazons_sandbox::{Program, ProgramError};

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
    /// The processor time allowed, if that is what judges.
    computing: Option<Duration>,
}

impl Wait {
    /// Waits from now on, at most this long.
    pub fn new(call: Call, limit: Duration) -> Self {
        // No limit is large enough to overflow this.
        Self { call, end: Instant::now() + limit, limit, computing: None }
    }

    /// Lets a program compute for at most `cpu` in its call, too.
    #[must_use]
    pub const fn computing(self, program: &mut Program, cpu: Duration) -> Self {
        program.limit_computing(cpu);
        Self { computing: Some(cpu), ..self }
    }

    /// Returns the program's fault if it fails during this wait.
    pub fn verdict(self, error: ProgramError) -> CallError {
        let late = match error {
            ProgramError::Late(interference) => Some((self.limit, "on the clock", interference)),
            ProgramError::Exhausted(interference) => {
                Some((self.computing.unwrap_or(self.limit), "of processor time", interference))
            }
            _ => None,
        };
        if let Some((limit, clock, interference)) = late {
            let detail = format!("{} did not end within {limit:?} {clock}", self.call);
            return CallError::Fault(beside(Fault::new(Termination::Timeout, self.call, detail), interference, false));
        }
        let detail = error.to_string();
        let (termination, signal, exit_code) = match error {
            ProgramError::NotRun(_) => (Termination::LoadError, None, None),
            ProgramError::Late(_) | ProgramError::Exhausted(_) => (Termination::Timeout, None, None),
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
}
