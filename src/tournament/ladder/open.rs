use std::path::{Path, absolute};

use super::{Ladder, LadderHeader, LadderLine, LadderPlan, Left};
use crate::files::sha256_of;
use crate::tournament::contest::since_1970;
use crate::tournament::error::{EventError, WrongEntry};
use crate::tournament::open::{self, FromJournal, Open};
use crate::tournament::plan::PlanError;

/// The folder where players are handed in.
pub const PLAYERS: &str = "players";

/// The folder of the copies that play.
pub(crate) const ADMITTED: &str = "admitted";

/// The folder of reports on players that were not admitted.
pub(super) const REJECTED: &str = "rejected";

/// A ladder that this process may go on with.
pub type OpenLadder = Open<Ladder>;

impl FromJournal for Ladder {
    type Plan = LadderPlan;
    type Header = LadderHeader;

    const FOLDERS: &'static [&'static str] = &[PLAYERS, ADMITTED, REJECTED];

    fn header(plan: LadderPlan) -> LadderHeader {
        LadderHeader::new(plan)
    }

    fn go_on(header: LadderHeader, typed: Option<LadderPlan>) -> Result<(LadderPlan, Vec<String>), PlanError> {
        let plan = header.ladder;
        plan.validate()?;
        let differences = typed.map_or_else(Vec::new, |typed| plan.differences(&typed));
        Ok((plan, differences))
    }

    fn changed(folder: &Path, differences: Vec<String>) -> EventError {
        let folder = absolute(folder).unwrap_or_else(|_| folder.to_owned());
        let advice = "restore them, or begin another ladder in another folder";
        EventError::Changed { folder, found: "a ladder with other settings", differences, advice }
    }

    fn new(plan: LadderPlan, _: &Path) -> Self {
        Self::new(plan)
    }

    fn replay(&mut self, line: LadderLine, number: u64) -> Result<(), WrongEntry> {
        self.apply(&line).map_err(|wrong| WrongEntry::Line { number, wrong })
    }
}

/// Reads the ladder of a folder, whether a server works there or not.
pub fn read(folder: &Path) -> Result<Ladder, EventError> {
    open::read(folder)
}

/// Begins a ladder in a folder, or goes on with the one that is there; no plan means that of the journal. Fails when
/// the folder holds another ladder, another server works there, or it cannot be used.
pub fn open(folder: &Path, plan: Option<LadderPlan>) -> Result<OpenLadder, EventError> {
    let mut open: OpenLadder = open::open(folder, plan)?;
    // Players are started from elsewhere.
    open.folder = absolute(folder).unwrap_or(open.folder);
    open.dismiss_lost()?;
    Ok(open)
}

impl OpenLadder {
    /// Removes players whose copies are lost or damaged; they come back from the folder of players.
    fn dismiss_lost(&mut self) -> Result<(), EventError> {
        let is_whole = |file: &str, sha256: &str| sha256_of(&self.folder.join(file)).is_ok_and(|found| found == sha256);
        let present = self.event.contenders().iter().filter(|contender| contender.is_present);
        let lost: Vec<String> = present
            .map(|contender| &contender.joined)
            .filter(|joined| !is_whole(&joined.file, &joined.sha256))
            .map(|joined| joined.name.clone())
            .collect();
        lost.iter().try_for_each(|name| self.leave(name))
    }

    /// Writes down that a player has left.
    pub fn leave(&mut self, name: &str) -> Result<(), EventError> {
        let Some(version) = self.event.present(name).map(|contender| contender.joined.version) else { return Ok(()) };
        self.add(&LadderLine::Left(Left { name: name.to_owned(), version, at: since_1970() }))
    }

    /// Writes a line down and applies it. Fails when the journal cannot take it; then it has not happened.
    pub fn add(&mut self, line: &LadderLine) -> Result<(), EventError> {
        self.journal.append(line)?;
        // What we write follows from what was there.
        self.event.apply(line).map_err(|wrong| EventError::Foreign { folder: self.folder.clone(), wrong: wrong.into() })
    }
}
