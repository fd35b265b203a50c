//! Programs of others at a table: in the sandbox, or by TCP.

mod command;
mod sandboxed;
mod tcp;

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use amazons_program::Exit;
use amazons_sandbox::{Error, ForkServer, entry, no_library};
use cluedo::line::inbox::MAX_UNASKED;

pub(crate) use command::{Command, command};
pub(crate) use sandboxed::Sandboxed;
pub(crate) use tcp::Connected;

/// The argument that makes this program start others in the sandbox.
const SANDBOX: &str = "__sandbox";

#[derive(Debug)]
pub(crate) enum Heard {
    Bytes(Vec<u8>),
    /// Nothing until now.
    Nothing,
    /// It says no more, for this reason.
    Gone(String),
}

/// A program that sits at a table. Dropping it ends the program and all that it started.
pub(crate) trait Link {
    /// Sends lines; `Err` says why when the program has not read them by `end`, or is gone.
    fn send(&mut self, lines: &[u8], end: Instant) -> Result<(), String>;

    /// Waits until a moment for bytes.
    fn receive(&mut self, end: Instant) -> Heard;

    /// Returns the end of what it printed to standard error, if that is kept.
    fn printed(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Reads what was sent without being asked for, and returns how many bytes, and the first of them.
    fn drain(&mut self) -> (usize, Vec<u8>) {
        let (mut count, mut first) = (0, Vec::new());
        while count <= MAX_UNASKED
            && let Heard::Bytes(bytes) = self.receive(Instant::now())
        {
            count += bytes.len();
            first.extend(bytes.into_iter().take(FIRST.saturating_sub(first.len())));
        }
        (count, first)
    }
}

/// How many bytes of a flood are kept: more than a line may have.
const FIRST: usize = 2 * cluedo::line::message::MAX_LINE_LEN;

/// Runs programs in the sandbox if this process was started for that; `main` calls it first.
pub(crate) fn serve_sandbox() -> Option<io::Result<()>> {
    entry(SANDBOX, no_library)
}

pub(crate) fn fork_server() -> Result<Arc<ForkServer>, Exit> {
    static PARENT: OnceLock<Result<Arc<ForkServer>, String>> = OnceLock::new();
    let start = || ForkServer::start(Path::new("/proc/self/exe"), SANDBOX).map_err(|error| host_error(&error));
    PARENT.get_or_init(start).clone().map_err(Exit::Failure)
}

/// A failure of this machine, not of a program.
pub(crate) fn host_error(error: &Error) -> String {
    format!("the sandbox failed: {error}")
}
