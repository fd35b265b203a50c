use std::io;
use std::path::PathBuf;

use amazons_player::HandoverError;
use rustix::io::Errno;

use super::setup::SetUpError;
use crate::referee::Void;

/// Why the host itself failed; a game that ends so is void.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// The path of the player cannot be made absolute.
    #[error("cannot tell where {path} is", path = .path.display())]
    Path {
        /// The path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The player's process could not be started.
    #[error("cannot run {executable} for a player", executable = .executable.display())]
    Start {
        /// What should run.
        executable: PathBuf,
        /// Why it does not.
        source: io::Error,
    },
    /// The process that forks the players' processes is gone or answers nonsense.
    #[error("the parent of the players' processes is gone")]
    ForkServer(#[source] io::Error),
    /// The kernel killed a player that kept to its limit, because memory had run out.
    #[error("the machine ran out of memory, and the kernel killed a player that kept to its limit")]
    MachineMemory,
    /// A system call failed that only fails when the machine has run out of something.
    #[error("cannot {attempt} for a player")]
    System {
        /// What the call was for.
        attempt: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The player's process started and ended before any code of the player ran.
    #[error("a player's process could not be set up: {0}")]
    SetUp(String),
    /// What is handed over takes more memory than a player may keep.
    #[error("the board takes more memory than a player may keep: give --memory more")]
    TooLarge,
    /// The kernel offers less protection than was asked for.
    #[error("{0}")]
    Sandbox(String),
    /// The graph or the queens cannot be handed over.
    #[error("cannot hand the board to a player")]
    Handover(#[from] HandoverError),
    /// Nobody can be asked at the terminal.
    #[error("cannot speak with the person at the terminal")]
    Terminal(#[source] io::Error),
    /// Who is no library cannot be given a seat.
    #[error("{0}")]
    Guest(String),
}

impl HostError {
    /// Returns whether the same would happen again.
    #[must_use]
    pub const fn is_lasting(&self) -> bool {
        matches!(
            self,
            Self::Path { .. }
                | Self::TooLarge
                | Self::Terminal(_)
                | Self::Guest(_)
                | Self::Sandbox(_)
                | Self::Handover(_)
        )
    }

    pub(super) fn system(attempt: &'static str) -> impl FnOnce(Errno) -> Self {
        move |errno| Self::System { attempt, source: errno.into() }
    }
}

impl From<HostError> for Void {
    fn from(error: HostError) -> Self {
        let is_lasting = error.is_lasting();
        Self::new(error, is_lasting)
    }
}

/// Why this process could not be set up.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConfineError {
    #[error("the player's process cannot be confined")]
    Confine(#[from] io::Error),
    #[error("{0}")]
    TooLittle(&'static str),
    #[error("--allow-read: cannot open {path}: {source}", path = .path.display())]
    AllowRead { path: PathBuf, source: io::Error },
    #[error(transparent)]
    SetUp(#[from] SetUpError),
    #[error(transparent)]
    Handover(#[from] HostError),
}
