use std::fmt::Display;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use amazons_mpi::Launch;

/// A program's end; as an error, it ends a command early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.complaint().unwrap_or_default())]
pub enum Exit {
    /// It did what was asked for.
    Success,
    /// Some of what was asked for could not be done, or the answer is no; the output says so already.
    Partly,
    /// The answer is no.
    Refuted(String),
    /// An end with a status of the program's own; the output says so already.
    Status(u8),
    /// The command line is wrong, or a file that it names.
    Usage(String),
    /// The program, the machine or another rank failed.
    Failure(String),
    /// It was asked to stop, as by Ctrl-C.
    Stopped,
    /// The reader of standard output went away.
    BrokenPipe,
}

impl Exit {
    /// The status of failures, `EX_SOFTWARE` of `sysexits.h`.
    pub const FAILURE: u8 = 70;

    /// Makes a usage error.
    pub fn usage(reason: impl Display) -> Self {
        Self::Usage(reason.to_string())
    }

    /// Makes a failure.
    pub fn failure(reason: impl Display) -> Self {
        Self::Failure(reason.to_string())
    }

    /// Makes the end for a file that cannot be written, with what to do about it. A full disk is a failure; anything else
    /// is the mistake of whoever named the file.
    pub fn unwritable(path: &Path, error: &io::Error) -> Self {
        let file = path.display();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.exists());
        match (error.kind(), folder) {
            (io::ErrorKind::StorageFull, _) => Self::Failure(format!("cannot write {file}: {error}")),
            (io::ErrorKind::NotFound, Some(folder)) => {
                Self::Usage(format!("cannot write {file}: there is no folder {}: make it first", folder.display()))
            }
            (io::ErrorKind::IsADirectory, _) => {
                Self::Usage(format!("cannot write {file}: it is a folder: name a file in it"))
            }
            _ => Self::Usage(format!("cannot write {file}: {error}: name another file")),
        }
    }

    /// Returns the line for standard error, if there is one to write.
    pub fn complaint(&self) -> Option<&str> {
        match self {
            Self::Refuted(reason) | Self::Usage(reason) | Self::Failure(reason) => Some(reason),
            Self::Success | Self::Partly | Self::Status(_) | Self::Stopped | Self::BrokenPipe => None,
        }
    }

    /// Returns the exit status.
    pub const fn status(&self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Partly | Self::Refuted(_) => 1,
            Self::Usage(_) => 2,
            Self::Status(status) => *status,
            Self::Failure(_) => Self::FAILURE,
            // A shell's status of a program ended by Ctrl-C.
            Self::Stopped => 130,
            // A shell's status of a program ended by SIGPIPE.
            Self::BrokenPipe => 141,
        }
    }
}

/// A failure to write to standard output.
impl From<io::Error> for Exit {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::BrokenPipe,
            _ => Self::Failure(format!("cannot write: {error}")),
        }
    }
}

/// Prints what went wrong, after the program's name, and returns the exit status. Of the ranks of a launcher, which all
/// find the same mistake on the command line, only rank 0 tells of it; then its status is the job's.
pub fn finish(program: &str, result: Result<Exit, Exit>) -> ExitCode {
    let exit = match result.unwrap_or_else(|exit| exit) {
        Exit::Usage(_) if !is_first() => Exit::Success,
        exit => exit,
    };
    if let Some(reason) = exit.complaint() {
        // In one piece: other ranks may write at the same moment.
        let line = format!("{program}: {reason}\n");
        eprint!("{line}");
    }
    ExitCode::from(exit.status())
}

/// Returns whether this process is rank 0, or the only one: it alone reads and prints.
pub fn is_first() -> bool {
    Launch::from_env().is_none_or(|launch| launch.rank == 0)
}
