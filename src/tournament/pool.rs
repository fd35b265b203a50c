//! Threads that play pairs, each with a fork server of its own on a core of its own.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use std::{panic, thread};

use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};

use super::cores;
use super::identity::Identities;
use super::overhead::Histogram;
use super::plan::Plan;
use super::play::GameRunner;
use super::results::GameLine;
use super::schedule::Pair;
use crate::host::available_memory;
use crate::text::error_chain;

/// How many messages of workers may wait: a few games.
const MESSAGES_MAX: usize = 64;

/// A pair to be played, or what is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairJob {
    pub pair: Pair,
    /// Whether games 1 and 2 are to be played.
    pub games: [bool; 2],
}

/// A message from a worker.
#[derive(Debug)]
pub enum Message {
    /// A game is finished.
    Game(Box<GameLine>, Histogram),
    /// News for people.
    Note(String),
    /// The server cannot go on; in words.
    Failed(String),
}

/// The workers that play pairs for the runner: threads here, or other ranks.
pub trait Workers {
    /// Returns how many more jobs the workers should be given now.
    fn room(&self) -> usize;

    /// Gives the workers a pair of a plan.
    fn push(&mut self, job: PairJob, plan: &Arc<Plan>);

    /// Lets the workers end after the games that they are at.
    fn stop(&mut self);

    /// Returns the next message. Fails when none arrives in time, or all workers have ended.
    fn message(&mut self, patience: Duration) -> Result<Message, RecvTimeoutError>;
}

/// How pairs are played on this machine.
#[derive(Clone, Debug)]
pub(super) struct PoolConfig {
    /// The folder of the event.
    pub folder: PathBuf,
    /// How many workers.
    pub workers: usize,
    /// How many pairs may wait for each worker.
    pub ahead: usize,
    /// One processor of each core; workers share them in turn, none for players that have threads.
    pub cores: Vec<usize>,
    /// How many games at a time this machine plays, those of other processes included: they share its memory.
    pub games_of_machine: usize,
    /// The players' files as they were when they were hashed.
    pub files: Arc<Identities>,
}

/// The workers; those that still play when this is dropped are left alone, and end with the process.
#[derive(Debug)]
pub(super) struct Pool {
    shared: Arc<Shared>,
    messages: Receiver<Message>,
    /// How many jobs may wait.
    waiting_max: usize,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    news: Condvar,
    /// Workers stop after the game that they are at.
    is_stopping: AtomicBool,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<(PairJob, Arc<Plan>)>,
    is_closed: bool,
}

impl Pool {
    /// Starts the workers.
    pub(super) fn start(config: &PoolConfig) -> Self {
        let shared =
            Arc::new(Shared { queue: Mutex::default(), news: Condvar::new(), is_stopping: AtomicBool::new(false) });
        let (sender, messages) = sync_channel(MESSAGES_MAX);
        for worker in 0..config.workers {
            let core = (!config.cores.is_empty()).then(|| config.cores[worker % config.cores.len()]);
            let (config, shared, sender) = (config.clone(), Arc::clone(&shared), sender.clone());
            thread::spawn(move || {
                let work = panic::AssertUnwindSafe(|| work(&config, core, &shared, &sender));
                let done = panic::catch_unwind(work).unwrap_or_else(|_| Err(anyhow!("a worker panicked")));
                if let Err(error) = done {
                    // The runner may have ended already.
                    let _ = sender.send(Message::Failed(error_chain(error.as_ref())));
                }
            });
        }
        Self { shared, messages, waiting_max: config.ahead * config.workers }
    }
}

impl Workers for Pool {
    fn room(&self) -> usize {
        self.waiting_max.saturating_sub(self.shared.queue().jobs.len())
    }

    fn push(&mut self, job: PairJob, plan: &Arc<Plan>) {
        self.shared.queue().jobs.push_back((job, Arc::clone(plan)));
        self.shared.news.notify_one();
    }

    fn stop(&mut self) {
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        *self.shared.queue() = Queue { jobs: VecDeque::new(), is_closed: true };
        self.shared.news.notify_all();
    }

    fn message(&mut self, patience: Duration) -> Result<Message, RecvTimeoutError> {
        self.messages.recv_timeout(patience)
    }
}

impl Shared {
    fn queue(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a job; none when there will be no more.
    fn next(&self) -> Option<(PairJob, Arc<Plan>)> {
        let mut queue = self
            .news
            .wait_while(self.queue(), |queue| queue.jobs.is_empty() && !queue.is_closed)
            .unwrap_or_else(PoisonError::into_inner);
        queue.jobs.pop_front()
    }
}

fn work(config: &PoolConfig, core: Option<usize>, shared: &Shared, sender: &SyncSender<Message>) -> anyhow::Result<()> {
    if let Some(core) = core {
        cores::stay_on(core).with_context(|| format!("cannot stay on processor {core}"))?;
    }
    let memory = memory_of(config.games_of_machine);
    let mut runner = None;
    while let Some((PairJob { pair, games }, plan)) = shared.next() {
        // All plans of a pool have the same rules, so the first one serves for all.
        let runner = match &mut runner {
            Some(runner) => runner,
            None => runner.insert(GameRunner::new(&plan, &config.folder, memory)?),
        };
        config.files.check(&plan, pair.players)?;
        for game in [1, 2].into_iter().filter(|game| games[usize::from(game - 1_u8)]) {
            if shared.is_stopping.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut overhead = Histogram::default();
            let played = runner.play(&plan, &pair, game, &mut overhead);
            if played.is_err() {
                config.files.check(&plan, pair.players)?;
            }
            if sender.send(Message::Game(Box::new(played?), overhead)).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Returns how much memory each player may keep; a tenth of what is free stays for other programs.
pub(super) fn memory_of(games: usize) -> u64 {
    let players = 2 * games.max(1) as u64;
    available_memory().map_or(u64::MAX, |free| free / 10 * 9 / players)
}
