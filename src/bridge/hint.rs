use std::path::PathBuf;

use amazons_sandbox::{Program, ProgramConfig};

use crate::referee::{Call, CallError, Fault};

/// The end of a log that is looked through.
const LOG_LEN: usize = 8 << 10;

/// What programs print when the sandbox refuses something, in lower case.
const REFUSALS: [&str; 6] =
    ["permission denied", "not permitted", "permissionerror", "eacces", "eperm", "no usable temporary directory"];

/// Tells the author of a program that ended itself what the sandbox may have to do with it.
#[derive(Clone, Debug)]
pub(super) struct Hint {
    readable: Vec<PathBuf>,
}

impl Hint {
    pub(super) fn new(program: &ProgramConfig) -> Self {
        Self { readable: program.readable.clone() }
    }

    /// Adds the hint to a failure of a program that ended while it started, or after it was refused something.
    pub(super) fn added(&self, error: CallError, program: &Program) -> CallError {
        let CallError::Fault(mut fault) = error else { return error };
        let is_confined = program.sandbox().is_some_and(|sandbox| sandbox.landlock.is_some());
        if is_confined && is_own_end(&fault) && (fault.call == Call::Load || speaks_of_refusal(&program.log())) {
            let folders: String = self.readable.iter().map(|path| format!("{}, ", path.display())).collect();
            fault.detail += &format!(
                "; it may read only {folders}and the system's programs: add --allow-read PATH, or see 'What a program may \
                 not do' in docs/protocol.md"
            );
        }
        CallError::Fault(fault)
    }
}

fn is_own_end(fault: &Fault) -> bool {
    fault.exit_code.is_some_and(|status| status != 0) || fault.signal == Some(libc::SIGABRT)
}

fn speaks_of_refusal(log: &[u8]) -> bool {
    let end = String::from_utf8_lossy(&log[log.len().saturating_sub(LOG_LEN)..]).to_lowercase();
    REFUSALS.iter().any(|words| end.contains(words))
}
