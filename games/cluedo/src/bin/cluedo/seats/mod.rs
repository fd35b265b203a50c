//! Programs of others at a table: in the sandbox, or by TCP.

mod sandboxed;
mod tcp;

use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use amazons_program::Exit;
use amazons_sandbox::{ForkServer, ProgramError, entry, no_library};
use cluedo::line::inbox::MAX_UNASKED;
use thiserror::Error;

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
    Gone(Gone),
}

/// Why a program cannot be spoken to.
#[derive(Clone, Debug, Error)]
pub(crate) enum Gone {
    #[error("reads nothing")]
    Deaf,
    #[error("ended with {0}")]
    Ended(ExitStatus),
    #[error("did not connect")]
    NotConnected,
    #[error("closed the connection")]
    Closed,
    #[error("{0}")]
    Program(Arc<ProgramError>),
}

/// A program that sits at a table. Dropping it ends the program and all that it started.
pub(crate) trait Link {
    /// Sends lines; fails when the program has not read them by `end`, or is gone.
    fn send(&mut self, lines: &[u8], end: Instant) -> Result<(), Gone>;

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
    static PARENT: OnceLock<Result<Arc<ForkServer>, amazons_sandbox::Error>> = OnceLock::new();
    let start = || ForkServer::start(Path::new("/proc/self/exe"), SANDBOX);
    PARENT.get_or_init(start).as_ref().map(Arc::clone).map_err(|error| Exit::Failure(host_error(error)))
}

/// A failure of this machine, not of a program.
pub(crate) fn host_error(error: &amazons_sandbox::Error) -> String {
    format!("the sandbox failed: {error}")
}

/// Where commands without a slash are looked for, as the sandbox does.
const FOLDERS: [&str; 3] = ["/usr/local/bin", "/usr/bin", "/bin"];

#[derive(Clone, Debug)]
pub(crate) struct Command {
    pub(crate) program: PathBuf,
    /// Its arguments, without its name; names of files are absolute.
    pub(crate) arguments: Vec<String>,
    /// The folders of files that it names.
    pub(crate) folders: Vec<PathBuf>,
    /// The files that it names, the program first unless it is one of the system's.
    pub(crate) files: Vec<PathBuf>,
}

/// Why a command cannot be run.
#[derive(Debug, Error)]
pub(crate) enum CommandError {
    #[error("the command is missing")]
    Missing,
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
    #[error("{0}: not a program; make it one with chmod +x")]
    NotProgram(PathBuf),
    #[error("{0}: no such program; write ./{0} for a file of this folder")]
    NoProgram(String),
    #[error("programs in {folder} could read {file}: put them into folders of their own")]
    Readable { folder: PathBuf, file: PathBuf },
}

/// Finds the files of a command; relative ones are looked for in a folder. None of `hidden` may lie in a folder that the
/// program can read.
pub(crate) fn command(words: &[String], folder: &Path, hidden: &[PathBuf]) -> Result<Command, CommandError> {
    let (name, arguments) = words.split_first().ok_or(CommandError::Missing)?;
    let folder = absolute(folder)?;
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    let mut add = |file: &Path| {
        folders.extend(file.parent().map(Path::to_owned));
        files.push(file.to_owned());
    };
    let program = if name.contains('/') {
        let program = folder.join(name);
        let status = program.metadata().map_err(|error| CommandError::File(program.clone(), error))?;
        if !status.is_file() || status.permissions().mode() & 0o111 == 0 {
            return Err(CommandError::NotProgram(program));
        }
        add(&program);
        program
    } else {
        let found = FOLDERS.iter().map(|folder| Path::new(folder).join(name)).find(|path| path.is_file());
        found.ok_or_else(|| CommandError::NoProgram(name.clone()))?
    };
    let argument = |word: &String| {
        let path = folder.join(word);
        if path.is_file() {
            add(&path);
            return path.to_string_lossy().into_owned();
        }
        word.clone()
    };
    let arguments = arguments.iter().map(argument).collect();
    folders.extend(amazons_sandbox::installations(&program));
    for (file, readable) in hidden.iter().flat_map(|file| folders.iter().map(move |folder| (file, folder))) {
        let file = absolute(file)?;
        let folder = absolute(readable)?;
        if file.starts_with(&folder) {
            return Err(CommandError::Readable { folder, file });
        }
    }
    Ok(Command { program, arguments, folders, files })
}

/// Returns where a file is, links followed; for one that is not there yet, where it will be.
fn absolute(path: &Path) -> Result<PathBuf, CommandError> {
    let failed = |error: io::Error| CommandError::File(path.to_owned(), error);
    if let Ok(found) = path.canonicalize() {
        return Ok(found);
    }
    let path = std::path::absolute(path).map_err(failed)?;
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return Ok(path) };
    Ok(parent.canonicalize().map_err(failed)?.join(name))
}
