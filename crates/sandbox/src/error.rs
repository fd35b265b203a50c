use std::io;
use std::path::PathBuf;

/// The reasons why a process cannot be started, set up or ended: the host's failures, not the foreign code's.
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
    /// The fork server is gone or sends invalid replies.
    #[error("the parent of the players' processes is gone")]
    ForkServer(#[source] io::Error),
    /// The kernel killed a process within its limit, because the machine ran out of memory.
    #[error("the machine ran out of memory, and the kernel killed a player that kept to its limit")]
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
    #[error("what a player is handed takes more memory than it may keep")]
    TooLarge,
    /// The kernel offers less protection than requested.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    /// Returns whether a retry would fail in the same way.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        matches!(self, Self::Path { .. } | Self::TooLarge | Self::Refused(_))
    }

    /// Adds the purpose of a failed system call to its error.
    pub fn system<E: Into<io::Error>>(attempt: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::System { attempt, source: error.into() }
    }
}
