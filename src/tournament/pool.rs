//! Threads that play pairs, each with a fork server of its own on a core of its own.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;
use std::{panic, thread};

use serde::{Deserialize, Serialize};

use crate::host::{Isolation, Launcher};
use crate::text::error_chain;
use crate::tournament::identity::Identities;
use crate::tournament::play::GameRunner;
use crate::tournament::{GameLine, Histogram, Pair, Plan, cores};

/// What workers have to say before somebody must listen: a few games.
const MESSAGES_MAX: usize = 64;

/// A pair to be played, or what is left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The pair.
    pub pair: Pair,
    /// Whether games 1 and 2 are to be played.
    pub games: [bool; 2],
}

/// What a worker says.
#[derive(Debug)]
pub enum Message {
    /// A game is finished.
    Game(Box<GameLine>, Histogram),
    /// Something that a person wants to know.
    Note(String),
    /// The server cannot go on; in words.
    Failed(String),
}

/// Whoever plays pairs for the runner: threads here, or other ranks.
pub trait Workers {
    /// Returns how many more jobs the workers should be given now.
    fn room(&self) -> usize;

    /// Gives the workers a pair.
    fn push(&mut self, job: Job);

    /// Lets the workers end after the games that they are at.
    fn stop(&mut self);

    /// Returns the next message.
    ///
    /// # Errors
    /// When there is none for so long, or all workers have ended.
    fn message(&mut self, patience: Duration) -> Result<Message, RecvTimeoutError>;
}

/// How an event is played on this machine.
#[derive(Clone, Debug)]
pub struct PoolConfig {
    /// The event.
    pub plan: Arc<Plan>,
    /// Its folder.
    pub folder: PathBuf,
    /// How many workers.
    pub workers: usize,
    /// One processor of each core; workers share them in turn, none for players that have threads.
    pub cores: Vec<usize>,
    /// Bytes of memory for each player, unless the plan says how many.
    pub memory: u64,
    /// The players' files as they were when they were hashed.
    pub files: Arc<Identities>,
}

/// The workers; those that still play when this is dropped are left alone, and end with the process.
#[derive(Debug)]
pub struct Pool {
    shared: Arc<Shared>,
    messages: Receiver<Message>,
    workers: usize,
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
    /// What is to be played, each with a plan of its own or by that of the event.
    jobs: VecDeque<(Job, Option<Arc<Plan>>)>,
    is_closed: bool,
}

impl Pool {
    /// Starts the workers.
    #[must_use]
    pub fn start(config: &PoolConfig) -> Self {
        let shared =
            Arc::new(Shared { queue: Mutex::default(), news: Condvar::new(), is_stopping: AtomicBool::new(false) });
        let (sender, messages) = sync_channel(MESSAGES_MAX);
        for worker in 0..config.workers {
            let core = (!config.cores.is_empty()).then(|| config.cores[worker % config.cores.len()]);
            let (config, shared, sender) = (config.clone(), Arc::clone(&shared), sender.clone());
            thread::spawn(move || {
                let work = panic::AssertUnwindSafe(|| work(&config, core, &shared, &sender));
                let done = panic::catch_unwind(work).unwrap_or_else(|_| Err("a worker panicked".to_owned()));
                if let Err(reason) = done {
                    // Nobody listens any more when the event has stopped already.
                    let _ = sender.send(Message::Failed(reason));
                }
            });
        }
        Self { shared, messages, workers: config.workers }
    }

    /// Gives the workers a pair of other players, by a plan with the same rules; their files must not change.
    pub fn push_with(&self, job: Job, plan: Arc<Plan>) {
        self.add(job, Some(plan));
    }

    fn add(&self, job: Job, plan: Option<Arc<Plan>>) {
        self.shared.queue().jobs.push_back((job, plan));
        self.shared.news.notify_one();
    }

    /// Lets the workers end once they have played what they were given.
    pub fn close(&self) {
        self.shared.queue().is_closed = true;
        self.shared.news.notify_all();
    }
}

impl Workers for Pool {
    fn room(&self) -> usize {
        (2 * self.workers).saturating_sub(self.shared.queue().jobs.len())
    }

    fn push(&mut self, job: Job) {
        self.add(job, None);
    }

    fn stop(&mut self) {
        self.shared.is_stopping.store(true, Ordering::Relaxed);
        self.shared.queue().jobs.clear();
        self.close();
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
    fn next(&self) -> Option<(Job, Option<Arc<Plan>>)> {
        let mut queue = self.queue();
        loop {
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            if queue.is_closed {
                return None;
            }
            queue = self.news.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

fn work(config: &PoolConfig, core: Option<usize>, shared: &Shared, sender: &SyncSender<Message>) -> Result<(), String> {
    if let Some(core) = core {
        cores::stay_on(core).map_err(|error| format!("cannot stay on processor {core}: {error}"))?;
    }
    let runner = GameRunner::new(&config.plan, &config.folder, config.memory).map_err(|error| error.to_string())?;
    let mut launcher = Launcher::new(Isolation::Process).map_err(|error| error_chain(&error))?;
    while let Some((Job { pair, games }, plan)) = shared.next() {
        let others = plan.as_ref().map(|plan| runner.with(plan));
        let runner = match &others {
            Some(others) => others,
            None => {
                config.files.check(&config.plan, pair.players)?;
                &runner
            }
        };
        for game in [1, 2] {
            if !games[usize::from(game) - 1] {
                continue;
            }
            if shared.is_stopping.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut overhead = Histogram::default();
            let line = runner.play(&mut launcher, &pair, game, &mut overhead).map_err(|error| error_chain(&error))?;
            if sender.send(Message::Game(Box::new(line), overhead)).is_err() {
                return Ok(());
            }
        }
    }
    Ok(())
}
