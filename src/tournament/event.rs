use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use thiserror::Error;

use crate::tournament::{
    GameLine, Header, JOURNAL, JOURNAL_FORMAT, Journal, JournalError, Line, Lock, LockError, Opened, Plan, PlanError,
    Results, RunLine, Schedule, openings, read_journal,
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

/// Says why an event cannot be used.
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
    #[error("{folder}: pair {pair} of the journal is none of its plan: the journal was edited", folder = .folder.display())]
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
    pub fn open(folder: &Path, plan: Plan) -> Result<OpenEvent, EventError> {
        fs::create_dir_all(folder).map_err(|source| EventError::Folder { folder: folder.to_owned(), source })?;
        let lock = Lock::take(folder)?;
        if !folder.join(JOURNAL).exists() {
            // First what may be refused: a journal of a plan that cannot be played would be in the way of a better one.
            let event = Self::of(folder, plan.clone(), Vec::new())?;
            let journal = Journal::create(folder, &Header { journal: JOURNAL_FORMAT, program: program(), plan })?;
            return Ok(OpenEvent { event, journal, lock, torn: 0 });
        }
        let mut lines = Vec::new();
        let Opened { journal, header, torn } = Journal::open(folder, |line| lines.extend(game_of(line)))?;
        let differences = header.plan.differences(&plan);
        if !differences.is_empty() {
            return Err(EventError::Changed { folder: folder.to_owned(), differences });
        }
        // Files may have moved; what they hold is the same.
        Ok(OpenEvent { event: Self::of(folder, plan, lines)?, journal, lock, torn })
    }

    /// Reads the event of a folder, whether somebody plays it or not.
    ///
    /// # Errors
    /// When there is none that can be read.
    pub fn read(folder: &Path) -> Result<Self, EventError> {
        let mut lines = Vec::new();
        let read = read_journal(folder, |line| lines.extend(game_of(line)))?;
        Self::of(folder, read.header.plan, lines)
    }

    /// Goes on with the event of a folder, by the plan that its journal has.
    ///
    /// # Errors
    /// When there is none, or another server works there.
    pub fn reopen(folder: &Path) -> Result<OpenEvent, EventError> {
        // Before the lock, which would make a file where nothing is.
        let plan = read_journal(folder, |_| {})?.header.plan;
        Self::open(folder, plan)
    }

    fn of(folder: &Path, plan: Plan, lines: Vec<GameLine>) -> Result<Self, EventError> {
        let results = Results::new(plan.sprt());
        let mut event = Self {
            plan: Arc::new(plan),
            folder: folder.to_owned(),
            schedule: Schedule::default(),
            results,
            is_over: false,
        };
        for line in &lines {
            event.results.add(line);
        }
        event.advance();
        // A plan that has no opening on some board is refused before the first game.
        for board in 0..event.plan.boards.len() {
            if let Some(pair) = event.schedule.pairs().iter().find(|pair| pair.board == board) {
                openings::opening(&event.plan, pair)?;
            }
        }
        for line in lines {
            if !event.is_known(&line) {
                return Err(EventError::Foreign { folder: folder.to_owned(), pair: line.pair });
            }
        }
        Ok(event)
    }

    fn is_known(&self, line: &GameLine) -> bool {
        let pair = (line.pair as usize).checked_sub(1).and_then(|index| self.schedule.pairs().get(index));
        let has_names = |names: [&String; 2]| line.players.iter().eq(names);
        matches!(line.game, 1 | 2)
            && pair.is_some_and(|pair| has_names(pair.players.map(|id| &self.plan.players[id].name)))
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

    /// Tells whether nothing is left to be played.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        self.is_over
    }
}

impl OpenEvent {
    /// Writes down that a server goes on with the event.
    ///
    /// # Errors
    /// When the journal cannot take it.
    pub fn begin(&mut self, concurrency: usize, cores: usize) -> Result<(), JournalError> {
        let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let run = RunLine {
            at: since_1970.map_or(0, |time| time.as_secs()),
            host: crate::tournament::host_name(),
            concurrency,
            cores,
            program: program(),
        };
        self.journal.append(&Line::Run(run))
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

fn game_of(line: Line) -> Option<GameLine> {
    match line {
        Line::Game(line) => Some(line),
        Line::Run(_) => None,
    }
}

/// Returns name and version of this program.
fn program() -> String {
    concat!("amazons ", env!("CARGO_PKG_VERSION")).to_owned()
}
