//! Why something cannot be done with a course.

use std::io;
use std::path::{Path, PathBuf};

use amazons_program::journal::JournalError;
use thiserror::Error;

use super::COURSE;
use crate::tournament::{EventError, PlanError};

/// Why something cannot be done with a course.
#[derive(Debug, Error)]
pub enum CourseError {
    /// It is not allowed, or not there.
    #[error(transparent)]
    Refused(#[from] Rule),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file cannot be used.
    #[error("{}: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{}{wrong}: the journal was edited", .line.map_or_else(String::new, |line| format!("{COURSE}: line {line}: ")))]
    Foreign {
        /// The line, counted from 1; none for one that was about to be written.
        line: Option<u64>,
        /// The contradiction.
        wrong: WrongCourseLine,
    },
    #[error("{}: this is not the file that was admitted", .0.display())]
    Swapped(PathBuf),
}

/// A rule of a course that stands against it.
#[derive(Debug, Error)]
pub enum Rule {
    #[error("there is no team '{0}'")]
    NoTeam(String),
    #[error("there is no stage '{0}' in course.toml")]
    NoStage(String),
    #[error("{} is not a course: it has no {COURSE} (make a course with 'server course new')", .0.display())]
    NotACourse(PathBuf),
    /// Root would leave files that the course's user could not change.
    #[error(
        "{folder} is another user's course: runuser -u \"$(stat -c %U {folder}/{COURSE})\" -- server course ...",
        folder = .0.display()
    )]
    AnotherUsers(PathBuf),
    #[error("team {0} was withdrawn")]
    Withdrawn(String),
    #[error("the deadline of the last stage, {0}, has passed")]
    Over(String),
    #[error("the course is frozen: nothing is taken now")]
    Frozen,
    /// The team has handed in as much as it may.
    #[error(
        "a team may hand in {per_day} versions within 24 hours{}",
        .minutes.map_or_else(String::new, |it| format!("; the next one in {} h {} min", it / 60, it % 60))
    )]
    Quota {
        /// How many versions it may hand in.
        per_day: u32,
        /// The minutes until it may hand in the next one, if it ever may.
        minutes: Option<u64>,
    },
    #[error("an upload may have at most {} KiB", .0 >> 10)]
    TooLarge(u64),
    /// An upload is of no kind that can be built.
    #[error("{0}")]
    Useless(&'static str),
    /// A file that is handed in by hand cannot be read.
    #[error("cannot read {}: {source}", .path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("version {version} of {team} was not admitted")]
    NotAdmitted { team: String, version: u32 },
    #[error("{0} was not withdrawn: name a version")]
    NotWithdrawn(String),
    #[error("there is a team {0} already")]
    TeamExists(String),
    #[error("{0} is the name of a baseline")]
    IsBaseline(String),
    #[error("{} exists already: name a new folder", .0.display())]
    Exists(PathBuf),
    #[error("not all versions are decided: {0}: wait for the server, or go on without them by --anyway")]
    Unsettled(String),
    #[error("an event needs at least two players: {}", .0.trim_end().replace('\n', "; "))]
    TooFewPlayers(String),
    /// The settings cannot be used.
    #[error(transparent)]
    Settings(#[from] PlanError),
    /// The ladder cannot be used.
    #[error(transparent)]
    Ladder(#[from] EventError),
    /// A baseline cannot be used.
    #[error("{0:#}")]
    Baseline(anyhow::Error),
}

/// A line of the journal that contradicts those before it.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum WrongCourseLine {
    #[error("a team joins twice, or under an invalid name: {0}")]
    Joined(String),
    #[error("there is no team {0}")]
    NoTeam(String),
    /// A version of a team cannot have come that far.
    #[error("{0}: {1}")]
    Version(String, WrongVersion),
}

/// A version that cannot have come that far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum WrongVersion {
    #[error("version {0} is not the next one")]
    NotNext(u32),
    #[error("version {0} is not being checked")]
    NotOpen(u32),
    #[error("version {0} was not admitted")]
    NotAdmitted(u32),
}

impl CourseError {
    pub(super) fn file(path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::File { path, source }
    }

    /// Returns whether the disk is full.
    pub fn is_full(&self) -> bool {
        let (Self::File { source, .. } | Self::Journal(JournalError::Io { source, .. })) = self else { return false };
        matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }
}
