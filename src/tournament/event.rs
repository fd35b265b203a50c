use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use amazons_program::journal::JournalError;

use super::contest::since_1970;
use super::error::{EventError, WrongEntry};
use super::journal_lines::{EventLine, Header, JOURNAL_FORMAT, RunLine, read_header};
use super::open::{self, FromJournal, Open};
use super::plan::{Format, Plan, PlanError};
use super::play::host_name;
use super::results::{GameLine, Results, is_task_begun};
use super::schedule::{Pair, Schedule};

/// An event in its folder: the journal, and what follows from it.
#[derive(Debug)]
pub struct Event {
    plan: Arc<Plan>,
    folder: PathBuf,
    schedule: Schedule,
    results: Results,
    is_over: bool,
    /// Games of the journal before their stage is scheduled: the pair and the players.
    early: Vec<(u32, [String; 2])>,
}

/// An event that this process may go on with.
pub type OpenEvent = Open<Event>;

impl FromJournal for Event {
    type Plan = Plan;
    type Header = Header;

    fn header(plan: Plan) -> Header {
        Header::new(plan)
    }

    fn go_on(header: Header, typed: Option<Plan>) -> Result<(Plan, Vec<String>), PlanError> {
        let Header { plan, .. } = header;
        plan.validate()?;
        plan.first_openings()?;
        let Some(mut typed) = typed else { return Ok((plan, Vec::new())) };
        typed.withdrawn.clone_from(&plan.withdrawn);
        let format = if typed.format.extends(&plan.format) { typed.format } else { plan.format };
        let differences = Plan { format, ..plan }.differences(&typed);
        // Files may have moved; what they hold is the same.
        Ok((typed, differences))
    }

    fn changed(folder: &Path, differences: Vec<String>) -> EventError {
        let advice = "name another folder with --dir, or restore what has changed";
        EventError::Changed { folder: folder.to_owned(), found: "another event", differences, advice }
    }

    fn new(plan: Plan, folder: &Path) -> Self {
        let results = Results::new(plan.sprt());
        let mut schedule = Schedule::default();
        for (name, &round) in &plan.withdrawn {
            if let Some(player) = plan.names().position(|known| known == name) {
                schedule.withdraw(player, round);
            }
        }
        let plan = Arc::new(plan);
        let mut event = Self { plan, folder: folder.to_owned(), schedule, results, is_over: false, early: Vec::new() };
        event.advance();
        event
    }

    fn replay(&mut self, line: EventLine, _: u64) -> Result<(), WrongEntry> {
        let EventLine::Game(line) = line else { return Ok(()) };
        if !matches!(line.game, 1 | 2) {
            return Err(WrongEntry::Game(line.pair));
        }
        self.add(&line);
        if line.pair as usize > self.schedule.pairs().len() {
            // The server writes no such line, but people sort and merge lines.
            self.early.push((line.pair, line.players));
            return Ok(());
        }
        self.check_players(line.pair, &line.players)
    }

    fn check(&mut self) -> Result<(), WrongEntry> {
        mem::take(&mut self.early).iter().try_for_each(|(pair, players)| self.check_players(*pair, players))
    }
}

impl Event {
    /// Begins an event in a folder, or goes on with the one that is there, to which the plan may add pairs. Fails when
    /// the folder holds another event, another server works there, or it cannot be used.
    pub fn open(folder: &Path, plan: Plan) -> Result<OpenEvent, EventError> {
        let mut open: OpenEvent = open::open(folder, Some(plan))?;
        let mut header: Header = read_header(folder)?;
        if header.plan.format != open.event.plan.format {
            header.plan.format = open.event.plan.format;
            open.journal.replace_header(&header)?;
        }
        Ok(open)
    }

    /// Goes on with the event of a folder, by the plan of its journal.
    pub fn reopen(folder: &Path) -> Result<OpenEvent, EventError> {
        open::open(folder, None)
    }

    /// Reads the event of a folder, whether a server works there or not.
    pub fn read(folder: &Path) -> Result<Self, EventError> {
        open::read(folder)
    }

    /// Adds a finished game.
    pub fn add(&mut self, line: &GameLine) {
        self.results.add(line);
        self.advance();
    }

    /// Checks that a pair is one of these players.
    fn check_players(&self, number: u32, players: &[String; 2]) -> Result<(), WrongEntry> {
        let pair = (number as usize).checked_sub(1).and_then(|index| self.schedule.pairs().get(index));
        let names = |pair: &Pair| pair.players.map(|id| &self.plan.players[id].name);
        let is_there = pair.is_some_and(|pair| names(pair) == players.each_ref());
        if is_there { Ok(()) } else { Err(WrongEntry::Game(number)) }
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

    pub const fn plan(&self) -> &Arc<Plan> {
        &self.plan
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the schedule so far.
    pub const fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Returns the games so far.
    pub const fn results(&self) -> &Results {
        &self.results
    }

    /// Returns how many pairs of the schedule can be rated: those that a test has looked at, or all.
    pub fn rated(&self) -> usize {
        self.results.test().map_or(usize::MAX, |test| test.passed)
    }

    /// Returns whether nothing is left to be played.
    pub const fn is_over(&self) -> bool {
        self.is_over
    }
}

impl OpenEvent {
    /// Withdraws a player from a Swiss event, and returns the number of its last round: the one that is on, or the one
    /// before where that has not begun.
    pub fn withdraw(&mut self, name: &str) -> Result<u32, EventError> {
        let refuse = |reason: String| Err(EventError::Plan(PlanError::new(reason)));
        let (plan, stage) = (&self.event.plan, self.event.schedule.stages());
        let mut pairs = self.event.schedule.pairs().iter().filter(|pair| pair.stage == stage);
        let has_begun = pairs.any(|&Pair { number, .. }| {
            self.event.results.games_of(number).iter().any(Option::is_some) || is_task_begun(&self.folder, number)
        });
        let round = if has_begun { stage } else { stage.saturating_sub(1) };
        let Format::Swiss { rounds, .. } = plan.format else {
            return refuse(format!("only a Swiss event can go on without {name}: this one is {}", plan.format));
        };
        if !plan.names().any(|known| known == name) {
            return refuse(format!(
                "there is no player {name}: use one of {}",
                plan.names().collect::<Vec<_>>().join(", ")
            ));
        }
        if let Some(round) = plan.withdrawn.get(name) {
            return refuse(format!("{name} was withdrawn after round {round}"));
        }
        if self.event.is_over || round >= rounds {
            return refuse(format!("{name} cannot be withdrawn: no round is left after this one"));
        }
        let mut header: Header = read_header(&self.folder)?;
        header.plan.withdrawn.insert(name.to_owned(), round);
        self.journal.replace_header(&header)?;
        Ok(round)
    }

    /// Writes down that a server goes on with the event.
    pub fn begin(&mut self, concurrency: usize, cores: usize) -> Result<(), JournalError> {
        self.journal.append(&EventLine::Run(RunLine::now(concurrency, cores)))
    }

    /// Writes down a finished game and adds it. Fails when the journal cannot take it; then it is not added.
    pub fn add(&mut self, line: GameLine) -> Result<(), JournalError> {
        let line = EventLine::Game(line);
        self.journal.append(&line)?;
        if let EventLine::Game(line) = &line {
            self.event.add(line);
        }
        Ok(())
    }
}

impl Header {
    /// Begins a journal.
    pub fn new(plan: Plan) -> Self {
        Self { journal: JOURNAL_FORMAT, program: crate::PROGRAM.to_owned(), plan }
    }
}

impl RunLine {
    /// Describes a run that begins on this machine.
    pub fn now(concurrency: usize, cores: usize) -> Self {
        Self { at: since_1970(), host: host_name(), concurrency, cores, program: crate::PROGRAM.to_owned() }
    }
}
