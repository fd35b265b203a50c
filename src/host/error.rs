use std::io;
use std::path::PathBuf;

use amazons_player::HandoverError;
use amazons_sandbox::Error;

use crate::referee::HostFailure;

/// The host's own failures; such a game is void.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HostError {
    /// A player's process cannot be started, set up or ended.
    #[error(transparent)]
    Process(Error),
    /// A limit of this process is too low.
    #[error("{0}")]
    Limits(String),
    #[error("the board takes more memory than a player may use: raise --memory")]
    TooLarge,
    #[error("cannot hand the board to a player")]
    Handover(#[from] HandoverError),
    #[error("cannot use the terminal")]
    Terminal(#[source] io::Error),
    #[error("{} was changed during the game, so the game does not count", .0.display())]
    Changed(PathBuf),
    /// A person, program or library cannot take its seat.
    #[error("{0}")]
    Guest(String),
}

impl HostError {
    /// Returns whether a retry would fail in the same way.
    pub fn is_lasting(&self) -> bool {
        if let Self::Process(error) = self { error.is_lasting() } else { true }
    }
}

impl From<Error> for HostError {
    fn from(error: Error) -> Self {
        if let Error::TooLarge = error { Self::TooLarge } else { Self::Process(error) }
    }
}

impl From<Error> for HostFailure {
    fn from(error: Error) -> Self {
        HostError::from(error).into()
    }
}

impl From<HostError> for HostFailure {
    fn from(error: HostError) -> Self {
        let is_lasting = error.is_lasting();
        Self::new(error, is_lasting)
    }
}
