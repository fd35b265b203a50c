use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::tournament::journal::pass_directions_on;
use crate::tournament::plan::first_openings;
use crate::tournament::schedule::PlayerId;
use crate::tournament::{
    GameLine, Header, JOURNAL, JOURNAL_FORMAT, Journal, JournalError, Line, Lock, LockError, Opened, Plan, PlanError,
    Results, RunLine, Schedule, read_header, read_journal,
};

/// An event in its folder: the journal, and what follows from it.
#[derive(Debug)]
pub struct Event {
    plan: Arc<Plan>,
    folder: PathBuf,
    schedule: Schedule,
    results: Results,
    is_over: bool,
}

/// An event that this process may go on with.
#[derive(Debug)]
pub struct OpenEvent {
    /// What is known of it.
    pub event: Event,
    /// Takes more games.
    pub journal: Journal,
    /// Keeps others out.
    pub lock: Lock,
    /// How many bytes of a torn last line were dropped.
    pub torn: u64,
}

/// Why an event cannot be used.
#[derive(Debug, Error)]
pub enum EventError {
    /// The folder cannot be made.
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
    /// A plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// The folder holds another event.
    #[error("{folder} holds another event: {differences}: name another folder with --dir, or restore what has changed", folder = .folder.display(), differences = .differences.join("; "))]
    Changed {
        /// The folder.
        folder: PathBuf,
        /// In what the two differ.
        differences: Vec<String>,
    },
    /// A game of the journal is not one of the plan.
    #[error("{folder}: a game of pair {pair} in the journal is not in its plan: the journal was edited", folder = .folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// The pair.
        pair: u32,
    },
}

impl Event {
    /// Begins an event in a folder, or goes on with the one that is there.
    ///
    /// # Errors
    /// When the folder holds another event, another server works there, or it cannot be used.
    pub fn open(folder: &Path, mut plan: Plan) -> Result<OpenEvent, EventError> {
        fs::create_dir_all(folder).map_err(|source| EventError::Folder { folder: folder.to_owned(), source })?;
        let lock = Lock::take(folder)?;
        if !folder.join(JOURNAL).exists() {
            let (event, ()) = Self::load(folder, plan.clone(), |_| Ok(()))?;
            let journal = Journal::create(folder, &Header { journal: JOURNAL_FORMAT, program: program(), plan })?;
            return Ok(OpenEvent { event, journal, lock, torn: 0 });
        }
        let header = checked_header(folder)?;
        pass_directions_on(header.journal, &header.plan.game, &mut plan.game);
        let differences = header.plan.differences(&plan);
        if !differences.is_empty() {
            return Err(EventError::Changed { folder: folder.to_owned(), differences });
        }
        // Files may have moved; what they hold is the same.
        let (event, opened) = Self::load(folder, plan, |line| Journal::open(folder, line))?;
        let Opened { journal, torn, .. } = opened;
        Ok(OpenEvent { event, journal, lock, torn })
    }

    /// Reads the event of a folder, whether somebody plays it or not.
    ///
    /// # Errors
    /// When there is none that can be read.
    pub fn read(folder: &Path) -> Result<Self, EventError> {
        Ok(Self::load(folder, checked_header(folder)?.plan, |line| read_journal(folder, line))?.0)
    }

    /// Goes on with the event of a folder, by the plan that its journal has.
    ///
    /// # Errors
    /// When there is none, or another server works there.
    pub fn reopen(folder: &Path) -> Result<OpenEvent, EventError> {
        // Before the lock, which would make a file where nothing is; the plan is checked there.
        Self::open(folder, read_header(folder)?.plan)
    }

    /// Takes in the lines that a function hands over, and returns what else that returns.
    fn load<T>(
        folder: &Path,
        plan: Plan,
        read: impl FnOnce(&mut dyn FnMut(Line)) -> Result<T, JournalError>,
    ) -> Result<(Self, T), EventError> {
        let ids: HashMap<String, PlayerId> = plan.names().map(str::to_owned).zip(0..).collect();
        let mut results = Results::new(plan.sprt());
        // Whose games they should be is known only when all are read.
        let mut claims = Vec::new();
        let rest = read(&mut |line| {
            if let Line::Game(line) = line {
                let players = line.players.each_ref().map(|name| ids.get(name).copied());
                claims.push((line.pair, players, matches!(line.game, 1 | 2)));
                results.add(&line);
            }
        })?;
        let (plan, schedule) = (Arc::new(plan), Schedule::default());
        let mut event = Self { plan, folder: folder.to_owned(), schedule, results, is_over: false };
        event.advance();
        for (number, players, is_one_of_two) in claims {
            let pair = (number as usize).checked_sub(1).and_then(|index| event.schedule.pairs().get(index));
            if !is_one_of_two || pair.is_none_or(|pair| pair.players.map(Some) != players) {
                return Err(EventError::Foreign { folder: folder.to_owned(), pair: number });
            }
        }
        Ok((event, rest))
    }

    /// Adds a finished game.
    pub fn add(&mut self, line: &GameLine) {
        self.results.add(line);
        self.advance();
    }

    /// Adds stages to the schedule while all pairs of the last one are whole.
    fn advance(&mut self) {
        while !self.is_over && self.results.whole_pairs() >= self.schedule.pairs().len() {
            let is_whole = |number: u32| self.results.half_points(number).is_some();
            if !self.schedule.pairs().iter().all(|pair| is_whole(pair.number)) {
                return;
            }
            let (results, plan) = (&self.results, &self.plan);
            let half_points = |number| results.half_points(number).unwrap_or(0);
            let boards = plan.boards.len().max(1);
            self.is_over = !self.schedule.advance(&plan.format, plan.players.len(), boards, half_points);
        }
        self.results.make_room(self.schedule.pairs().len());
        self.is_over |= self.results.has_verdict();
    }

    /// Returns the plan.
    #[must_use]
    pub const fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the schedule so far.
    #[must_use]
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the games so far.
    #[must_use]
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// Returns how many pairs of the schedule can be rated: those that a test has looked at, or all.
    #[must_use]
    pub fn rated(&self) -> usize {
        self.results.test().map_or(usize::MAX, |test| test.llr.len())
    }

    /// Returns whether nothing is left to be played.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }
}

/// Reads the first line of a folder's journal, which may have been edited.
fn checked_header(folder: &Path) -> Result<Header, EventError> {
    let header = read_header(folder)?;
    header.plan.validate()?;
    first_openings(&header.plan)?;
    Ok(header)
}

impl OpenEvent {
    /// Writes down that a server goes on with the event.
    ///
    /// # Errors
    /// When the journal cannot take it.
    pub fn begin(&mut self, concurrency: usize, cores: usize) -> Result<(), JournalError> {
        self.journal.append(&Line::Run(RunLine::now(concurrency, cores)))
    }

    /// Writes down a finished game and adds it.
    ///
    /// # Errors
    /// When the journal cannot take it; then it is not added.
    pub fn add(&mut self, line: GameLine) -> Result<(), JournalError> {
        let line = Line::Game(line);
        self.journal.append(&line)?;
        if let Line::Game(line) = &line {
            self.event.add(line);
        }
        Ok(())
    }
}

impl RunLine {
    /// Tells of a run that begins on this machine.
    #[must_use]
    pub fn now(concurrency: usize, cores: usize) -> Self {
        Self { at: since_1970(), host: crate::tournament::host_name(), concurrency, cores, program: program() }
    }
}

/// Returns the seconds since 1970.
pub(super) fn since_1970() -> u64 {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    time.map_or(0, |time| time.as_secs())
}

/// Returns name and version of this program.
pub(super) fn program() -> String {
    concat!("amazons ", env!("CARGO_PKG_VERSION")).to_owned()
}
