use std::io;
use std::path::PathBuf;

use rustix::process::{Pid, Resource};

use super::limits::soft_limit;

/// Why a process cannot be started, set up or ended: the host's failures, not those of foreign code.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path cannot be made absolute.
    #[error("cannot tell where {path} is", path = .path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The fork server could not be started.
    #[error("cannot run {executable} for a player", executable = .executable.display())]
    Start {
        /// The executable.
        executable: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file that processes need is missing or closed to the server.
    #[error("players' processes need {0}, which cannot be opened")]
    Missing(&'static str, #[source] io::Error),
    /// A process could not be ended and goes on.
    #[error("process {pid} cannot be ended, so it goes on after its game: end it by hand", pid = .pid.as_raw_nonzero())]
    Left {
        /// The process.
        pid: Pid,
        /// The reason.
        source: io::Error,
    },
    /// The fork server is gone or sends invalid replies.
    #[error("the parent of the players' processes is gone")]
    ForkServer(#[source] io::Error),
    /// The kernel killed a process that kept to its limit, because the machine ran out of memory.
    #[error("the machine ran out of memory, and the kernel killed a player that was within its limit")]
    MachineMemory,
    /// A system call failed that only fails when the machine runs out of something.
    #[error("cannot {attempt} for a player")]
    System {
        /// The purpose of the call.
        attempt: &'static str,
        /// The reason.
        source: io::Error,
    },
    /// The process ended before running any foreign code.
    #[error("a player's process could not be set up: {0}")]
    SetUp(String),
    /// The caller's own message takes more memory than the process may have.
    #[error("a player's set-up data takes more memory than the player may use")]
    TooLarge,
    /// The kernel offers less protection than requested.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    /// Returns whether a retry would fail in the same way.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::System { source, .. } | Self::Start { source, .. } => is_lasting(source),
            Self::Path { .. } | Self::TooLarge | Self::Refused(_) | Self::Missing(..) | Self::Left { .. } => true,
            Self::ForkServer(_) | Self::MachineMemory | Self::SetUp(_) => false,
        }
    }

    /// Adds the purpose of a failed system call to its error.
    pub fn system<E: Into<io::Error>>(attempt: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::System { attempt, source: named(error.into()) }
    }
}

/// A step towards a confined process that the kernel refused.
#[derive(Debug, thiserror::Error)]
#[error("{step}")]
pub(crate) struct StepError {
    step: &'static str,
    source: io::Error,
}

impl StepError {
    pub(crate) fn at<E: Into<io::Error>>(step: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self { step, source: named(error.into()) }
    }

    pub(crate) fn is_lasting(&self) -> bool {
        is_lasting(&self.source)
    }
}

/// Returns whether a retry would fail in the same way.
fn is_lasting(error: &io::Error) -> bool {
    use io::ErrorKind::{InvalidInput, NotFound, PermissionDenied, Unsupported};
    matches!(error.kind(), InvalidInput | NotFound | PermissionDenied | Unsupported)
}

/// Names the limit of this process that caused an error, if one did.
pub(crate) fn named(error: io::Error) -> io::Error {
    let (kind, what, resource, option) = match error.raw_os_error() {
        Some(libc::EMFILE) => (io::ErrorKind::InvalidInput, "open files", Resource::Nofile, 'n'),
        Some(libc::EAGAIN) => (io::ErrorKind::WouldBlock, "processes", Resource::Nproc, 'u'),
        _ => return error,
    };
    let Some(limit) = soft_limit(resource) else { return error };
    io::Error::new(kind, format!("{error}: the limit is {limit} {what}, see ulimit -{option}"))
}
