//! Keeps a ladder running on this machine.

mod output;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};
use std::{io, thread};

use self::output::LadderOutput;
use super::lines::valid_name;
use super::open::REJECTED;
use super::table::write_games;
use super::{Admission, AdmissionSettings, LadderError, LadderLine, News, OpenLadder, Table};
use amazons_rules::Directions;

use crate::text::visible;
use crate::tournament::identity::Identities;
use crate::tournament::runner::{memory_of, wish};
use crate::tournament::{
    Ended, Interrupts, Job, Message, Pair, Plan, Pool, PoolConfig, RunError, RunLine, RunOptions, StopRequest, Workers,
};

/// How long to wait for news before looking around.
const PATIENCE: Duration = Duration::from_millis(100);

/// The least time between two writes of the tables, and how many times longer it is than such a write takes.
const WRITE_EVERY: Duration = Duration::from_secs(5);
const WRITE_SHARE: u32 = 50;

/// How often workers may fail without a finished game in between, and how long to wait before they try again.
const FAILURES_MAX: u32 = 3;
const FAILURE_PAUSE: Duration = Duration::from_secs(5);

/// When to end without being asked to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// When the ladder has so many games.
    pub games: Option<u32>,
    /// After so long.
    pub time: Option<Duration>,
}

/// Keeps a ladder running until somebody stops it or a goal is reached, writes its tables, and returns how that ended.
///
/// # Errors
/// When it cannot go on; what was finished is kept.
pub fn run(
    open: &mut OpenLadder,
    admission: AdmissionSettings,
    goal: Goal,
    options: &RunOptions,
    interrupts: &Interrupts,
) -> Result<Ended, RunError> {
    open.add(&LadderLine::Run(RunLine::now(options.concurrency, options.cores.len())))?;
    let mut run = Run {
        admission: Admission::new(&open.folder, &open.ladder, admission),
        begun: Instant::now(),
        waiting: open.ladder.unfinished().collect(),
        output: LadderOutput::new(options.show, &open.ladder),
        written: Instant::now(),
        pause: Duration::ZERO,
        goal,
        options,
        open,
        pool: None,
        failure: None,
        failures: 0,
        stopping: None,
    };
    let ended = run.go_on(interrupts);
    run.output.finish();
    let Run { open, .. } = run;
    let synced = open.journal.sync();
    write(open).map_err(|(path, error)| {
        RunError::Worker(format!("cannot write {}: {error}: the same command writes it again", path.display()))
    })?;
    let ended = ended?;
    synced?;
    Ok(ended)
}

/// Writes all tables.
fn write(open: &OpenLadder) -> Result<(), (PathBuf, io::Error)> {
    Table::of(&open.ladder).write(&open.folder)?;
    write_games(&open.ladder, &open.folder)
}

struct Run<'a> {
    open: &'a mut OpenLadder,
    admission: Admission,
    goal: Goal,
    options: &'a RunOptions,
    /// There is none as long as nobody can play.
    pool: Option<Pool>,
    /// Pairs that an earlier server or pool has left.
    waiting: VecDeque<Pair>,
    output: LadderOutput,
    begun: Instant,
    written: Instant,
    pause: Duration,
    /// Why the workers are to end and begin again.
    failure: Option<String>,
    failures: u32,
    /// How it will end once no game runs any more.
    stopping: Option<Ended>,
}

impl Run<'_> {
    fn go_on(&mut self, interrupts: &Interrupts) -> Result<Ended, RunError> {
        loop {
            if self.stopping.is_none() {
                for news in self.admission.news(&self.open.ladder) {
                    self.hear(news)?;
                }
                self.feed()?;
            }
            if let Some(ended) = self.listen()? {
                return Ok(ended);
            }
            match wish(&self.open.lock, interrupts) {
                Some(StopRequest::Now) => return Ok(Ended::Dropped),
                Some(StopRequest::Finish) if self.stopping != Some(Ended::Stopped) => {
                    self.output.note("stopping after the games that are running; once more drops them");
                    self.stop(Ended::Stopped);
                }
                _ if self.stopping.is_none() && self.goal.time.is_some_and(|time| self.begun.elapsed() >= time) => {
                    self.stop(Ended::Complete);
                }
                _ => {}
            }
            self.output.status(&self.open.ladder);
            self.write_sometimes();
        }
    }

    fn stop(&mut self, ended: Ended) {
        self.stopping = Some(ended);
        if let Some(pool) = &mut self.pool {
            pool.stop();
        }
    }

    /// Writes down who comes and who goes.
    fn hear(&mut self, news: News) -> Result<(), RunError> {
        match news {
            News::Joined(joined) => {
                self.open.leave(&joined.name)?;
                let needs = joined.directions.map_or_else(String::new, |needed| {
                    format!(
                        ": it computes with the labels of edges and is given --directions {}",
                        Directions::from(needed)
                    )
                });
                self.output.tell(&format!("{} joins, version {}{needs}", joined.name, joined.version));
                self.open.add(&LadderLine::Joined(joined))?;
            }
            News::Refused(refused) => {
                let (name, reason) = (visible(&refused.name), &refused.reason);
                let more =
                    if valid_name(&refused.name) { format!(": see {REJECTED}/{name}.txt") } else { String::new() };
                self.output.tell(&format!("{name} is not admitted: {reason}{more}"));
                self.open.add(&LadderLine::Refused(refused))?;
            }
            News::Gone(name) => {
                self.output.tell(&format!("{name} leaves"));
                self.open.leave(&name)?;
            }
            News::Note(text) => self.output.note(&text),
        }
        self.pause = Duration::ZERO;
        Ok(())
    }

    /// Gives the workers as much as they need for a moment: who comes next is decided late, so that newcomers need not wait.
    fn feed(&mut self) -> Result<(), RunError> {
        if self.failure.is_some() {
            return Ok(());
        }
        while self.pool.as_ref().is_none_or(|pool| pool.room() > self.options.concurrency) {
            let Some(pair) = self.next_pair()? else { break };
            let (plan, in_plan) = self.open.ladder.plan_of(&pair, &self.open.folder);
            let plan = Arc::new(plan);
            let games = self.open.ladder.results().games_of(pair.number).map(|game| game.is_none());
            let pool = self.pool.get_or_insert_with(|| start(&plan, self.open, self.options));
            pool.push_with(Job { pair: in_plan, games }, plan);
        }
        if self.waiting.is_empty() && self.has_enough() {
            self.stopping = Some(Ended::Complete);
            if let Some(pool) = &self.pool {
                pool.close();
            }
        }
        Ok(())
    }

    fn next_pair(&mut self) -> Result<Option<Pair>, RunError> {
        if let Some(pair) = self.waiting.pop_front() {
            return Ok(Some(pair));
        }
        if self.has_enough() {
            return Ok(None);
        }
        let Some(meet) = self.open.ladder.next_meet() else { return Ok(None) };
        self.open.add(&LadderLine::Meet(meet))?;
        Ok(self.open.ladder.pairs().last().copied())
    }

    fn has_enough(&self) -> bool {
        self.goal.games.is_some_and(|games| self.open.ladder.games_begun() >= games as usize)
    }

    /// Waits for what a worker has to say; tells how it ended when no worker is left and none is wanted.
    fn listen(&mut self) -> Result<Option<Ended>, RunError> {
        let Some(pool) = &mut self.pool else {
            if self.stopping.is_none() {
                thread::sleep(PATIENCE);
            }
            return Ok(self.stopping);
        };
        match pool.message(PATIENCE) {
            Ok(Message::Game(line, _)) => {
                self.failures = 0;
                self.open.add(&LadderLine::Game(*line))?;
            }
            Ok(Message::Note(text)) => self.output.note(&text),
            Ok(Message::Failed(reason)) => {
                pool.stop();
                self.failure.get_or_insert(reason);
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                self.pool = None;
                if let Some(reason) = self.failure.take() {
                    self.recover(reason)?;
                }
                return Ok(self.stopping);
            }
        }
        Ok(None)
    }

    /// Begins again with what is left, unless nothing has worked for long.
    fn recover(&mut self, reason: String) -> Result<(), RunError> {
        self.failures += 1;
        if self.failures >= FAILURES_MAX {
            return Err(RunError::Worker(reason));
        }
        self.output.note(&format!("{reason}: trying again"));
        thread::sleep(FAILURE_PAUSE);
        self.waiting = self.open.ladder.unfinished().collect();
        // A goal that was near is so no more.
        if self.stopping == Some(Ended::Complete) {
            self.stopping = None;
        }
        Ok(())
    }

    /// Writes the tables now and then, so that one can look at them.
    fn write_sometimes(&mut self) {
        if self.written.elapsed() < self.pause {
            return;
        }
        let begun = Instant::now();
        // What cannot be written now is written at the end, which says so.
        let _ = Table::of(&self.open.ladder).write(&self.open.folder);
        self.written = Instant::now();
        self.pause = WRITE_EVERY.max(begun.elapsed() * WRITE_SHARE);
    }
}

fn start(plan: &Arc<Plan>, open: &OpenLadder, options: &RunOptions) -> Pool {
    Pool::start(&PoolConfig {
        plan: Arc::clone(plan),
        folder: open.folder.clone(),
        workers: options.concurrency,
        cores: options.cores.clone(),
        memory: memory_of(options.concurrency),
        files: Arc::new(Identities::of(plan)),
    })
}

impl From<LadderError> for RunError {
    fn from(error: LadderError) -> Self {
        match error {
            LadderError::Journal(error) => Self::Journal(error),
            error => Self::Worker(error.to_string()),
        }
    }
}
