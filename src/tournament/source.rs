use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use amazons_program::journal::JournalError;
use thiserror::Error;

use super::lock::FolderLock;
use super::overhead::Histogram;
use super::plan::Plan;
use super::pool::PairJob;
use super::progress::{Pace, Progress};
use super::results::{GameLine, Results};
use crate::text::error_chain;

/// Where pairs come from and games go: an event or a ladder.
pub(super) trait Source {
    /// How often progress is written where there is no terminal.
    const LINE_EVERY: Duration;
    /// Minimum time between two writes of the tables.
    const WRITE_EVERY: Duration;

    /// Returns the next pair to be played by this plan, if there is one now.
    fn next_job(&mut self) -> Result<Option<(PairJob, Arc<Plan>)>, RunError>;

    /// Writes down a finished game.
    fn add(&mut self, line: GameLine) -> Result<(), RunError>;

    /// Looks for anything else that happens; returns whether the tables should be written now.
    fn look_around(&mut self, _: &Progress) -> Result<bool, RunError> {
        Ok(false)
    }

    /// Returns whether nothing is left to be played.
    fn is_over(&self) -> bool;

    /// Writes the tables. What cannot be written now is written at the end.
    fn write(&self, overhead: &Histogram);

    /// Returns the games so far.
    fn results(&self) -> &Results;

    /// Returns how many pairs there are, if that is known.
    fn pairs(&self) -> Option<usize>;

    /// Returns a line about how far it is.
    fn status(&self, pace: Pace) -> String;

    /// Returns the lock of the folder, through which other processes ask to stop.
    fn lock(&self) -> &FolderLock;
}

/// Why a run could not go on; all games in the journal are safe.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal cannot take a game.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A worker cannot go on.
    #[error("{0}")]
    Worker(String),
}

impl RunError {
    pub(super) fn worker(error: impl Display) -> Self {
        Self::Worker(error.to_string())
    }

    /// Returns a line about what happened and what to do.
    pub fn advice(&self) -> String {
        format!("{}: nothing that was finished is lost, the same command goes on", error_chain(self))
    }
}
