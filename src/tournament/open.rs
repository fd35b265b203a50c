//! Events and ladders in their folders: locked, and rebuilt from their journals.

use std::fs;
use std::path::{Path, PathBuf};

use amazons_program::journal::{self, Header, Journal, Read};

use super::error::{EventError, WrongEntry};
use super::journal_lines::{JOURNAL, read_header};
use super::lock::FolderLock;
use super::plan::PlanError;

/// A state read from a journal, line by line: an event or a ladder.
pub(super) trait FromJournal: Sized {
    /// Its settings, which never change.
    type Plan: Clone;
    /// The first line of its journal.
    type Header: Header;

    /// Folders that it needs in its own.
    const FOLDERS: &'static [&'static str] = &[];

    /// Returns the first line of a new journal.
    fn header(plan: Self::Plan) -> Self::Header;

    /// Returns the plan to go on with, and how the typed one, if there is one, differs from that of the journal.
    fn go_on(header: Self::Header, typed: Option<Self::Plan>) -> Result<(Self::Plan, Vec<String>), PlanError>;

    /// Returns the error for a folder whose journal has another plan.
    fn changed(folder: &Path, differences: Vec<String>) -> EventError;

    /// Starts without any line.
    fn new(plan: Self::Plan, folder: &Path) -> Self;

    /// Adds a line, which has this number in the journal.
    fn replay(&mut self, line: <Self::Header as Header>::Line, number: u64) -> Result<(), WrongEntry>;

    /// Checks what no line shows before the last one is there.
    fn check(&mut self) -> Result<(), WrongEntry> {
        Ok(())
    }
}

/// An event or a ladder that this process may go on with.
#[derive(Debug)]
pub struct Open<T> {
    /// Its state.
    pub event: T,
    /// Where it lives.
    pub folder: PathBuf,
    /// Takes more lines.
    pub journal: Journal,
    /// Keeps other servers out.
    pub(super) lock: FolderLock,
    /// How many bytes of a torn last line were dropped.
    pub torn: u64,
}

impl<T> Open<T> {
    /// Returns a line for the person who plays it: how others are kept out, if that is not as safe as it should be.
    pub fn warning(&self) -> Option<String> {
        self.lock.warning()
    }
}

/// Rebuilds what the journal of a folder holds, whether a server works there or not.
pub(super) fn read<T: FromJournal>(folder: &Path) -> Result<T, EventError> {
    let (plan, _) = T::go_on(read_header(folder)?, None)?;
    let mut event = T::new(plan, folder);
    journal::read::<T::Header, _>(&folder.join(JOURNAL), replay(&mut event, folder))?;
    event.check().map_err(foreign(folder))?;
    Ok(event)
}

/// Begins in a folder, or goes on with what is there; no plan means that of the journal.
pub(super) fn open<T: FromJournal>(folder: &Path, plan: Option<T::Plan>) -> Result<Open<T>, EventError> {
    if plan.is_none() || folder.join(JOURNAL).exists() {
        // Nothing is made where there is something else, or nothing to go on with.
        read_header::<T::Header>(folder)?;
    }
    for part in std::iter::once(&"").chain(T::FOLDERS) {
        let folder = folder.join(part);
        fs::create_dir_all(&folder).map_err(|source| EventError::Folder { folder, source })?;
    }
    let lock = FolderLock::take(folder)?;
    if !folder.join(JOURNAL).exists()
        && let Some(plan) = plan
    {
        let event = T::new(plan.clone(), folder);
        let journal = Journal::create(&folder.join(JOURNAL), &T::header(plan))?;
        return Ok(Open { event, folder: folder.to_owned(), journal, lock, torn: 0 });
    }
    let (plan, differences) = T::go_on(read_header(folder)?, plan)?;
    if !differences.is_empty() {
        return Err(T::changed(folder, differences));
    }
    let mut event = T::new(plan, folder);
    let (journal, Read { torn, .. }) =
        Journal::open::<T::Header, _>(&folder.join(JOURNAL), replay(&mut event, folder))?;
    event.check().map_err(foreign(folder))?;
    Ok(Open { event, folder: folder.to_owned(), journal, lock, torn })
}

/// Adds lines of the journal in a folder.
fn replay<T: FromJournal>(
    event: &mut T,
    folder: &Path,
) -> impl FnMut(u64, <T::Header as Header>::Line) -> Result<(), EventError> {
    |number, line| event.replay(line, number).map_err(foreign(folder))
}

fn foreign(folder: &Path) -> impl FnOnce(WrongEntry) -> EventError {
    |wrong| EventError::Foreign { folder: folder.to_owned(), wrong }
}
