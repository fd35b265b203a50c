use std::io;
use std::path::PathBuf;

use amazons_program::LockError;
use amazons_program::journal::JournalError;
use thiserror::Error;

use super::ladder::WrongLadderLine;
use super::plan::PlanError;

/// Why an event or a ladder cannot be used.
#[derive(Debug, Error)]
pub enum EventError {
    /// A folder cannot be made.
    #[error("cannot make {folder}: {source}", folder = .folder.display())]
    Folder { folder: PathBuf, source: io::Error },
    /// Another server works there.
    #[error(
        "{folder}: {holder} works on this event: wait for it, or stop it with 'server tournament stop' or 'server course \
         stop'",
        folder = .folder.display()
    )]
    Held {
        folder: PathBuf,
        /// The other server.
        holder: String,
    },
    /// It cannot be locked.
    #[error("{folder}: {source}", folder = .folder.display())]
    Locked { folder: PathBuf, source: LockError },
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The folder holds something with another plan.
    #[error(
        "{folder} holds {found}: {differences}: {advice}",
        folder = .folder.display(),
        differences = .differences.join("; ")
    )]
    Changed {
        folder: PathBuf,
        /// The object found.
        found: &'static str,
        /// How the plans differ.
        differences: Vec<String>,
        /// The remedy.
        advice: &'static str,
    },
    #[error("{folder}: {wrong}: the journal was edited", folder = .folder.display())]
    Foreign {
        folder: PathBuf,
        /// The contradiction.
        wrong: WrongEntry,
    },
}

/// A line of a journal that does not belong there.
#[derive(Debug, Error)]
pub enum WrongEntry {
    #[error("a game of pair {0} in the journal is not in its plan")]
    Game(u32),
    #[error("line {number} of the journal does not follow from those before ({wrong})")]
    Line {
        number: u64,
        /// The contradiction.
        wrong: WrongLadderLine,
    },
    /// A new line of a ladder.
    #[error(transparent)]
    New(#[from] WrongLadderLine),
}
