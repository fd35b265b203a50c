use std::io;
use std::path::PathBuf;

/// Why a process cannot be started, set up or ended: our own failure, not that of what runs in it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path cannot be made absolute.
    #[error("cannot tell where {path} is", path = .path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The fork server could not be started.
    #[error("cannot run {executable} for a player", executable = .executable.display())]
    Start {
        /// The executable.
        executable: PathBuf,
        /// Why it does not.
        source: io::Error,
    },
    /// The fork server is gone or answers nonsense.
    #[error("the parent of the players' processes is gone")]
    ForkServer(#[source] io::Error),
    /// The kernel killed a process that kept to its limit, because memory had run out.
    #[error("the machine ran out of memory, and the kernel killed a player that kept to its limit")]
    MachineMemory,
    /// A system call failed that only fails when the machine has run out of something.
    #[error("cannot {attempt} for a player")]
    System {
        /// The purpose of the call.
        attempt: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The process ended before any foreign code ran in it.
    #[error("a player's process could not be set up: {0}")]
    SetUp(String),
    /// The caller's own message takes more memory than the process may keep.
    #[error("what a player is handed takes more memory than it may keep")]
    TooLarge,
    /// The kernel offers less protection than was asked for.
    #[error("{0}")]
    Refused(String),
}

impl Error {
    /// Returns whether the same would happen again.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        matches!(self, Self::Path { .. } | Self::TooLarge | Self::Refused(_))
    }

    /// Names what a failed system call was for.
    pub fn system<E: Into<io::Error>>(attempt: &'static str) -> impl FnOnce(E) -> Self {
        move |error| Self::System { attempt, source: error.into() }
    }
}
