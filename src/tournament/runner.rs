//! Plays an event, whoever the workers are.

use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::host::available_memory;
use crate::text::error_chain;
use crate::tournament::event::OpenEvent;
use crate::tournament::identity::Identities;
use crate::tournament::pool::{Job, Message, Pool, PoolConfig, Workers};
use crate::tournament::{Derived, Histogram, Interrupts, JournalError, Lock, Progress, Show, StopRequest};

/// How long the runner waits for news before it looks whether somebody wants it to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// The least time between two writes of the standings, and how many times longer it is than such a write takes.
const WRITE_EVERY: Duration = Duration::from_secs(10);
const WRITE_SHARE: u32 = 50;

/// How an event is played.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// How many games at a time.
    pub concurrency: usize,
    /// The cores that they run on; none to leave that to the kernel.
    pub cores: Vec<usize>,
    /// How progress is shown.
    pub show: Show,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Nothing is left to be played.
    Complete,
    /// Somebody wanted it to stop; what was running is finished.
    Stopped,
    /// Somebody wanted it to stop at once; what was running is dropped, and its threads end with this process.
    Dropped,
}

/// Why a run could not go on; all games that the journal has are safe.
#[derive(Debug, Error)]
pub enum RunError {
    /// The journal cannot take a game.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A worker cannot go on.
    #[error("{0}")]
    Worker(String),
}

/// Plays what is left of an event on this machine, and returns how that ended and what the moves cost us.
///
/// # Errors
/// When the event cannot go on; running games are finished and kept as far as possible.
pub fn run(
    open: &mut OpenEvent,
    options: &RunOptions,
    interrupts: &Interrupts,
) -> Result<(Ended, Histogram), RunError> {
    if open.event.is_over() {
        return Ok((Ended::Complete, Histogram::default()));
    }
    open.begin(options.concurrency, options.cores.len())?;
    let mut pool = Pool::start(&pool_config(open, options)?);
    run_with(open, &mut pool, options.show, interrupts)
}

/// Plays what is left of an event that was begun, with these workers.
///
/// # Errors
/// When the event cannot go on; running games are finished and kept as far as possible.
pub fn run_with(
    open: &mut OpenEvent,
    workers: &mut impl Workers,
    show: Show,
    interrupts: &Interrupts,
) -> Result<(Ended, Histogram), RunError> {
    let mut overhead = Histogram::default();
    let mut progress = Progress::new(show, &open.event);
    let mut run = Run { handed_out: 0, failure: None, stopping: None, written: Instant::now(), pause: WRITE_EVERY };
    let ended = loop {
        run.feed(open, workers);
        match workers.message(PATIENCE) {
            Ok(Message::Game(line, measured)) => {
                overhead.merge(&measured);
                if run.failure.is_none()
                    && let Err(error) = open.add(*line)
                {
                    run.fail(workers, error.into());
                }
                progress.update(&open.event);
            }
            Ok(Message::Note(text)) => progress.note(&text),
            Ok(Message::Failed(reason)) => run.fail(workers, RunError::Worker(reason)),
            Err(RecvTimeoutError::Timeout) => progress.update(&open.event),
            // All workers have ended: nothing is left, or they were told to.
            Err(RecvTimeoutError::Disconnected) => break Ended::Stopped,
        }
        match wish(&open.lock, interrupts) {
            Some(StopRequest::Now) => break Ended::Dropped,
            Some(StopRequest::Finish) if run.stopping.is_none() => {
                run.stopping = Some(());
                workers.stop();
                progress.note("stopping after the games that are running; once more drops them");
            }
            _ => {}
        }
        run.write_sometimes(open, &overhead);
    };
    progress.finish();
    let synced = open.journal.sync();
    match run.failure {
        Some(failure) => Err(failure),
        None => Ok(synced.map(|()| (if open.event.is_over() { Ended::Complete } else { ended }, overhead))?),
    }
}

struct Run {
    /// How many pairs of the schedule were looked at.
    handed_out: usize,
    failure: Option<RunError>,
    stopping: Option<()>,
    written: Instant,
    pause: Duration,
}

impl Run {
    /// Gives the workers as much as they need for a while, or lets them end.
    fn feed(&mut self, open: &OpenEvent, workers: &mut impl Workers) {
        if open.event.is_over() {
            workers.stop();
            return;
        }
        if self.stopping.is_some() || self.failure.is_some() {
            return;
        }
        let (pairs, results) = (open.event.schedule().pairs(), open.event.results());
        let mut room = workers.room();
        while room > 0
            && let Some(&pair) = pairs.get(self.handed_out)
        {
            self.handed_out += 1;
            let games = results.games_of(pair.number).map(|game| game.is_none());
            if games.contains(&true) {
                workers.push(Job { pair, games });
                room -= 1;
            }
        }
    }

    fn fail(&mut self, workers: &mut impl Workers, failure: RunError) {
        // The first one is the cause of the others.
        self.failure.get_or_insert(failure);
        workers.stop();
    }

    /// Writes the standings now and then, so that one can look at them.
    fn write_sometimes(&mut self, open: &OpenEvent, overhead: &Histogram) {
        if self.written.elapsed() < self.pause {
            return;
        }
        let begun = Instant::now();
        // What cannot be written now is written at the end, which says so.
        let _ = Derived::of(&open.event, overhead).write();
        self.written = Instant::now();
        self.pause = WRITE_EVERY.max(begun.elapsed() * WRITE_SHARE);
    }
}

/// Returns what somebody wants of us, by Ctrl-C or from another shell.
pub(super) fn wish(lock: &Lock, interrupts: &Interrupts) -> Option<StopRequest> {
    match interrupts.count() {
        0 => lock.stop_request(),
        1 => Some(lock.stop_request().unwrap_or(StopRequest::Finish)),
        _ => Some(StopRequest::Now),
    }
}

/// Returns how much memory each player may keep: as for a single game, a tenth of what is free stays for everybody else.
pub(super) fn memory_of(concurrency: usize) -> u64 {
    let players = 2 * concurrency.max(1) as u64;
    available_memory().map_or(u64::MAX, |free| free / 10 * 9 / players)
}

fn pool_config(open: &OpenEvent, options: &RunOptions) -> Result<PoolConfig, RunError> {
    Ok(PoolConfig {
        plan: Arc::clone(open.event.plan()),
        folder: open.event.folder().to_owned(),
        workers: options.concurrency,
        cores: options.cores.clone(),
        memory: memory_of(options.concurrency),
        files: Arc::new(Identities::of_unchanged(open.event.plan()).map_err(RunError::Worker)?),
    })
}

impl RunError {
    /// Says in a line what happened and what to do.
    #[must_use]
    pub fn advice(&self) -> String {
        format!("{}: nothing that was finished is lost, the same command goes on", error_chain(self))
    }
}
