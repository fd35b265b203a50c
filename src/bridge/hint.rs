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
        // The system's folders are open anyway.
        let is_own = |path: &&PathBuf| !["/usr", "/bin", "/sbin"].iter().any(|system| path.starts_with(system));
        Self { readable: program.readable.iter().filter(is_own).cloned().collect() }
    }

    /// Adds the hint to a failure of a program that ended while it started, or after it was refused something.
    pub(super) fn added(&self, error: CallError, program: &Program) -> CallError {
        let CallError::Fault(mut fault) = error else { return error };
        let Some(sandbox) = program.sandbox().filter(|sandbox| sandbox.landlock.is_some()) else {
            return CallError::Fault(fault);
        };
        if is_own_end(&fault) && (fault.call == Call::Load || speaks_of_refusal(&program.log())) {
            let mut folders: Vec<String> = self.readable.iter().map(|path| path.display().to_string()).collect();
            folders.push("the system's programs".to_owned());
            let user = if sandbox.user.is_changed() { ", as a user without rights" } else { "" };
            fault.detail += &format!(
                "; it may read only {}{user}: add --allow-read PATH, or see 'What a program may not do' in docs/protocol.md",
                folders.join(" and ")
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
