//! Keeps a ladder running, on this machine or on the ranks of a job.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use amazons_program::Interrupt;
use amazons_rules::Directions;

use super::arrivals::{Arrivals, News};
use super::lines::valid_name;
use super::open::REJECTED;
use super::{Ladder, LadderLine, LadderTable, OpenLadder};
use crate::host::check_limits;
use crate::referee::{PlayerNumber, Termination};
use crate::text::visible;
use crate::tournament::error::EventError;
use crate::tournament::identity::Identities;
use crate::tournament::journal_lines::RunLine;
use crate::tournament::lock::FolderLock;
use crate::tournament::overhead::Histogram;
use crate::tournament::plan::Plan;
use crate::tournament::pool::{PairJob, Pool, PoolConfig, Workers};
use crate::tournament::progress::{Pace, Progress, write_line};
use crate::tournament::report::write_games;
use crate::tournament::results::{GameLine, Results};
use crate::tournament::runner::{Ended, RunOptions, play};
use crate::tournament::schedule::Pair;
use crate::tournament::source::{RunError, Source};

/// How often workers may fail without a finished game in between, and how long to wait before they try again.
const FAILURES_MAX: u32 = 3;
const FAILURE_PAUSE: Duration = Duration::from_secs(5);

/// How many logs of games in which it was at fault are kept of a player: the newest.
const LOGS_MAX: usize = 100;

/// When to end without being asked to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// When the ladder has so many games.
    pub games: Option<u32>,
    /// After so long.
    pub time: Option<Duration>,
}

/// Keeps a ladder running until it is stopped or a goal is reached, writes its tables, and returns how that ended. Its
/// games are played by threads, or by workers on other machines. Fails when it cannot go on; what was finished is kept.
pub fn run(
    open: &mut OpenLadder,
    arrivals: &mut dyn Arrivals,
    goal: Goal,
    options: &RunOptions,
    mut elsewhere: Option<&mut dyn Workers>,
    interrupts: &Interrupt,
) -> Result<Ended, RunError> {
    if elsewhere.is_none() {
        check_limits(options.concurrency).map_err(RunError::worker)?;
    }
    open.add(&LadderLine::Run(RunLine::now(options.concurrency, options.cores.len())))?;
    let config = PoolConfig {
        folder: open.folder.clone(),
        workers: options.concurrency,
        // Who meets next is decided late, so that newcomers need not wait.
        ahead: 1,
        cores: options.cores.clone(),
        games_of_machine: options.concurrency,
        files: Arc::new(Identities::default()),
    };
    let mut run = LadderRun {
        arrivals,
        goal,
        begun: Instant::now(),
        handed_out: BTreeMap::new(),
        has_news: true,
        pairs_beside: if elsewhere.is_some() { usize::MAX } else { options.concurrency.max(2) - 1 },
        failures: 0,
        logs: HashMap::new(),
        open,
    };
    run.drop_old_logs();
    let ended = loop {
        run.handed_out.clear();
        let (played, is_here) = match elsewhere.as_deref_mut() {
            Some(workers) => (play(&mut run, workers, options.show, interrupts), false),
            None => (play(&mut run, &mut Pool::start(&config), options.show, interrupts), true),
        };
        match played {
            Err(RunError::Worker(reason)) if is_here && run.failures + 1 < FAILURES_MAX => {
                run.failures += 1;
                write_line(&format!("{reason}: trying again"));
                thread::sleep(FAILURE_PAUSE);
            }
            ended => break ended,
        }
    };
    let synced = run.open.journal.sync();
    write_tables(&run.open.event, &run.open.folder).map_err(|(path, error)| {
        RunError::Worker(format!("cannot write {}: {error}: the same command writes it again", path.display()))
    })?;
    let (ended, _) = ended?;
    synced?;
    Ok(ended)
}

/// Writes all tables.
pub(super) fn write_tables(event: &Ladder, folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    LadderTable::of(event).write(folder)?;
    write_games(folder, &event.whole_plan(folder), event.pairs(), event.results(), event.pairs().len())
}

struct LadderRun<'a> {
    open: &'a mut OpenLadder,
    arrivals: &'a mut dyn Arrivals,
    goal: Goal,
    begun: Instant,
    /// How many games workers still have to play, by the number of the pair.
    handed_out: BTreeMap<u32, usize>,
    /// Whether the tables have not been written since players came or left.
    has_news: bool,
    /// How many pairs may be handed out while a newcomer needs a core of this machine.
    pairs_beside: usize,
    /// How often workers have failed since the last finished game.
    failures: u32,
    /// The logs that are kept of each name.
    logs: HashMap<String, VecDeque<String>>,
}

impl Source for LadderRun<'_> {
    const LINE_EVERY: Duration = Duration::from_secs(60);
    const WRITE_EVERY: Duration = Duration::from_secs(5);

    fn next_job(&mut self) -> Result<Option<(PairJob, Arc<Plan>)>, RunError> {
        if self.handed_out.len() >= self.pairs_beside && self.arrivals.needs_core() {
            return Ok(None);
        }
        let Some(pair) = self.next_pair()? else { return Ok(None) };
        let (plan, in_plan) = self.open.event.plan_of(&pair, &self.open.folder);
        let games = self.results().games_of(pair.number).map(|game| game.is_none());
        self.handed_out.insert(pair.number, games.iter().filter(|is_due| **is_due).count());
        Ok(Some((PairJob { pair: in_plan, games }, Arc::new(plan))))
    }

    fn add(&mut self, line: GameLine) -> Result<(), RunError> {
        self.failures = 0;
        // After a failure here, ranks may have been given a pair twice.
        if self.results().game(line.pair, line.game).is_some() {
            return Ok(());
        }
        if let Entry::Occupied(mut left) = self.handed_out.entry(line.pair) {
            *left.get_mut() -= 1;
            if *left.get() == 0 {
                left.remove();
            }
        }
        if line.termination == Termination::LoadError {
            return self.rest(&line);
        }
        for (label, log) in line.players.iter().zip(&line.logs) {
            if let Some(log) = log {
                self.keep_log(label, log.clone());
            }
        }
        Ok(self.open.add(&LadderLine::Game(line))?)
    }

    fn look_around(&mut self, progress: &Progress) -> Result<bool, RunError> {
        for news in self.arrivals.news(&self.open.event) {
            self.hear(news, progress)?;
        }
        Ok(std::mem::take(&mut self.has_news))
    }

    fn is_over(&self) -> bool {
        self.goal.time.is_some_and(|time| self.begun.elapsed() >= time)
            || (self.has_enough() && self.open.event.unfinished().next().is_none())
    }

    fn write(&self, _: &Histogram) {
        let _ = LadderTable::of(&self.open.event).write(&self.open.folder);
    }

    fn results(&self) -> &Results {
        self.open.event.results()
    }

    fn pairs(&self) -> Option<usize> {
        None
    }

    fn status(&self, pace: Pace) -> String {
        let (games, speed) = (self.results().games(), pace.games as f64 / pace.seconds * 3600.0);
        let players = self.open.event.contenders().iter().filter(|contender| contender.is_present).count();
        format!("{players} players, {games} games, {speed:.0} games an hour")
    }

    fn lock(&self) -> &FolderLock {
        &self.open.lock
    }
}

impl LadderRun<'_> {
    /// Writes down which players come and go.
    fn hear(&mut self, news: News, progress: &Progress) -> Result<(), RunError> {
        match news {
            News::Joined(joined) => {
                self.open.leave(&joined.name)?;
                let needs = joined.directions.map_or_else(String::new, |needed| {
                    let needed = Directions::from(needed);
                    format!(": it computes with the labels of edges and is given --directions {needed}")
                });
                progress.news(&format!("{} joins, version {}{needs}", joined.name, joined.version));
                self.open.add(&LadderLine::Joined(joined))?;
            }
            News::Refused(refused) => {
                let (name, reason) = (visible(&refused.name), &refused.reason);
                let more =
                    if valid_name(&refused.name) { format!(": see {REJECTED}/{name}.txt") } else { String::new() };
                progress.news(&format!("{name} is not admitted: {reason}{more}"));
                self.open.add(&LadderLine::Refused(refused))?;
            }
            News::Gone(name) => {
                progress.news(&format!("{name} leaves"));
                self.open.leave(&name)?;
            }
            News::Note(text) => progress.note(&text),
        }
        self.has_news = true;
        Ok(())
    }

    /// Sends away the players of a game that this machine could not load. All were loaded here when they were admitted: it
    /// is not their doing, and the game does not count.
    fn rest(&mut self, line: &GameLine) -> Result<(), RunError> {
        let two = PlayerNumber::ALL.into_iter().zip(&line.players);
        for (_, label) in two.filter(|(number, _)| line.at_fault.contains(number)) {
            let mut present = self.open.event.contenders().iter().filter(|contender| contender.is_present);
            let Some(player) = present.find(|it| it.label() == *label).map(|it| it.joined.clone()) else { continue };
            let path = self.open.folder.join(&player.file);
            write_line(&format!(
                "{label} cannot be loaded here any more, and rests: its games are void ('server check {}' says why)",
                path.display()
            ));
            self.open.leave(&player.name)?;
            self.arrivals.rests(&player);
            self.has_news = true;
        }
        Ok(())
    }

    /// Removes the oldest log of a name that has too many.
    fn keep_log(&mut self, label: &str, log: String) {
        let name = label.rsplit_once('#').map_or(label, |(name, _)| name);
        let kept = self.logs.entry(name.to_owned()).or_default();
        kept.push_back(log);
        if kept.len() > LOGS_MAX
            && let Some(oldest) = kept.pop_front()
        {
            // Should it stay, its room is all that is lost.
            let _ = fs::remove_file(self.open.folder.join(oldest));
        }
    }

    /// Does so for all games in the journal.
    fn drop_old_logs(&mut self) {
        let ladder = &self.open.event;
        let mut all = Vec::new();
        for pair in ladder.pairs() {
            for (number, result) in (1..).zip(ladder.results().games_of(pair.number)) {
                let Some(result) = result else { continue };
                let logs = pair.players.into_iter().zip(result.files(pair.number, number).1);
                all.extend(logs.filter_map(|(id, log)| Some((ladder.contenders()[id].label(), log?))));
            }
        }
        all.into_iter().for_each(|(label, log)| self.keep_log(&label, log));
    }

    fn next_pair(&mut self) -> Result<Option<Pair>, RunError> {
        // What earlier workers have left, and players that are back.
        let left = self.open.event.unfinished().find(|pair| !self.handed_out.contains_key(&pair.number));
        if left.is_some() {
            return Ok(left);
        }
        if self.has_enough() {
            return Ok(None);
        }
        let Some(meet) = self.open.event.next_meet() else { return Ok(None) };
        self.open.add(&LadderLine::Meet(meet))?;
        Ok(self.open.event.pairs().last().copied())
    }

    fn has_enough(&self) -> bool {
        self.goal.games.is_some_and(|games| self.open.event.games_begun() >= games as usize)
    }
}

impl From<EventError> for RunError {
    fn from(error: EventError) -> Self {
        match error {
            EventError::Journal(error) => Self::Journal(error),
            error => Self::worker(error),
        }
    }
}
