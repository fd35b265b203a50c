use std::path::PathBuf;

use amazons_sandbox::Program;

use crate::referee::{Call, CallError};
use crate::text::telling_lines;

/// Phrases that programs print when the sandbox refuses something, in lower case.
const REFUSALS: [&str; 5] = ["permission denied", "not permitted", "eacces", "eperm", "no usable temporary directory"];

/// If a program failed while starting or after a refusal, adds what it may read.
pub(super) fn hinted(error: CallError, program: &Program, readable: &[PathBuf]) -> CallError {
    let CallError::Fault(mut fault) = error else { return error };
    let sandbox = program.sandbox().filter(|sandbox| sandbox.landlock.is_some());
    let has_ended = fault.exit_code.is_some_and(|status| status != 0) || fault.signal == Some(libc::SIGABRT);
    let printed = telling_lines(&program.log()).join("\n").to_lowercase();
    let is_refused = fault.call == Call::Load || REFUSALS.iter().any(|words| printed.contains(words));
    if let Some(sandbox) = sandbox.filter(|_| has_ended && is_refused) {
        // The system's folders are open anyway.
        let own =
            readable.iter().filter(|path| !["/usr", "/bin", "/sbin"].iter().any(|system| path.starts_with(system)));
        let places: String = own.map(|path| format!("{} and ", path.display())).collect();
        let user = if sandbox.user.is_changed() { ", as a user without rights" } else { "" };
        fault.detail += &format!(
            "; it may read only {places}the system's programs{user}: add --allow-read PATH, or see 'What a program may not \
             do' in docs/protocol.md"
        );
    }
    CallError::Fault(fault)
}
