use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{Ladder, LadderHeader, LadderLine, LadderPlan, Left};
use crate::files::sha256_of;
use crate::tournament::event::since_1970;
use crate::tournament::journal::pass_directions_on;
use crate::tournament::{
    JOURNAL, Journal, JournalError, Lock, LockError, Opened, PlanError, read_header_as, read_journal_as,
};

/// Where players are handed in.
pub const PLAYERS: &str = "players";

/// Where the copies are that play.
pub(super) const ADMITTED: &str = "admitted";

/// Where it is said why others do not.
pub(super) const REJECTED: &str = "rejected";

/// A ladder that this process may go on with.
#[derive(Debug)]
pub struct OpenLadder {
    /// What is known of it.
    pub ladder: Ladder,
    /// Where it lives.
    pub folder: PathBuf,
    /// Takes more lines.
    pub journal: Journal,
    /// Keeps others out.
    pub lock: Lock,
    /// How many bytes of a torn last line were dropped.
    pub torn: u64,
}

/// Why a ladder cannot be used.
#[derive(Debug, Error)]
pub enum LadderError {
    /// A folder cannot be made.
    #[error("cannot make {folder}: {source}", folder = .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// Another server works there.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The settings are not those that the ladder began with.
    #[error("{folder} holds a ladder with other settings: {differences}: restore them, or begin another ladder in another folder", folder = .folder.display(), differences = .differences.join("; "))]
    Changed {
        /// The folder.
        folder: PathBuf,
        /// In what they differ.
        differences: Vec<String>,
    },
    /// Its plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A line does not follow from those before.
    #[error("{folder}: line {line} of the journal does not follow from those before ({reason}): the journal was edited", folder = .folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
}

/// Reads the ladder of a folder, whether somebody runs it or not.
///
/// # Errors
/// When there is none that can be read.
pub fn read(folder: &Path) -> Result<Ladder, LadderError> {
    let plan = read_header_as::<LadderHeader>(folder)?.ladder;
    Ok(load(folder, plan, |line| read_journal_as::<LadderHeader, _>(folder, line))?.0)
}

impl OpenLadder {
    /// Begins a ladder in a folder, or goes on with the one that is there; then no plan means its own.
    ///
    /// # Errors
    /// When the folder holds another ladder, another server works there, or it cannot be used.
    pub fn open(folder: &Path, plan: Option<LadderPlan>) -> Result<Self, LadderError> {
        if folder.join(JOURNAL).exists() {
            // Before anything is made where something else is.
            read_header_as::<LadderHeader>(folder)?;
        }
        for part in ["", PLAYERS, ADMITTED, REJECTED] {
            let folder = folder.join(part);
            fs::create_dir_all(&folder).map_err(|source| LadderError::Folder { folder, source })?;
        }
        let lock = Lock::take(folder)?;
        // Players are started from elsewhere.
        let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
        if let Some(plan) = plan.clone().filter(|_| !folder.join(JOURNAL).exists()) {
            let journal = Journal::create(&folder, &LadderHeader::new(plan.clone()))?;
            return Ok(Self { ladder: Ladder::new(plan), folder, journal, lock, torn: 0 });
        }
        let LadderHeader { journal, ladder: own, .. } = read_header_as(&folder)?;
        let differences = plan.map_or_else(Vec::new, |mut plan| {
            pass_directions_on(journal, &own.game, &mut plan.game);
            own.differences(&plan)
        });
        if !differences.is_empty() {
            return Err(LadderError::Changed { folder, differences });
        }
        let (ladder, opened) = load(&folder, own, |line| Journal::open_as::<LadderHeader, _>(&folder, line))?;
        let Opened { journal, torn, .. } = opened;
        let mut open = Self { ladder, folder, journal, lock, torn };
        open.dismiss_lost()?;
        Ok(open)
    }

    /// Lets players leave whose copies are lost or damaged; they come back from the folder of players.
    fn dismiss_lost(&mut self) -> Result<(), LadderError> {
        let is_whole = |file: &str, sha256: &str| sha256_of(&self.folder.join(file)).is_ok_and(|found| found == sha256);
        let present = self.ladder.contenders().iter().filter(|contender| contender.is_present);
        let lost: Vec<String> = present
            .map(|contender| &contender.joined)
            .filter(|joined| !is_whole(&joined.file, &joined.sha256))
            .map(|joined| joined.name.clone())
            .collect();
        lost.iter().try_for_each(|name| self.leave(name))
    }

    /// Writes down that a player is there no more.
    ///
    /// # Errors
    /// When the journal cannot take it.
    pub fn leave(&mut self, name: &str) -> Result<(), LadderError> {
        let Some(version) = self.ladder.present(name).map(|contender| contender.joined.version) else { return Ok(()) };
        self.add(&LadderLine::Left(Left { name: name.to_owned(), version, at: since_1970() }))
    }

    /// Writes down what has happened, and takes it in.
    ///
    /// # Errors
    /// When the journal cannot take it; then it has not happened.
    pub fn add(&mut self, line: &LadderLine) -> Result<(), LadderError> {
        self.journal.append(line)?;
        // What we write follows from what was there.
        self.ladder.apply(line).map_err(|reason| LadderError::Foreign { folder: self.folder.clone(), line: 0, reason })
    }
}

/// Takes in the lines that a function hands over, and returns what else that returns.
fn load<T>(
    folder: &Path,
    plan: LadderPlan,
    read: impl FnOnce(&mut dyn FnMut(LadderLine)) -> Result<T, JournalError>,
) -> Result<(Ladder, T), LadderError> {
    // A journal may have been edited.
    plan.validate()?;
    let mut ladder = Ladder::new(plan);
    let (mut number, mut wrong) = (1, None);
    let rest = read(&mut |line| {
        number += 1;
        if wrong.is_none()
            && let Err(reason) = ladder.apply(&line)
        {
            wrong = Some((number, reason));
        }
    })?;
    match wrong {
        Some((line, reason)) => Err(LadderError::Foreign { folder: folder.to_owned(), line, reason }),
        None => Ok((ladder, rest)),
    }
}
