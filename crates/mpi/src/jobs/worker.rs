use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::deadline::Deadline;
use crate::jobs::frame::{JobId, ToDispatcher, ToWorker};
use crate::jobs::{Dismissal, JOBS_TAG, Timeouts};
use crate::message::{Filter, WorldError};
use crate::world::World;

/// The rank that hands out jobs.
pub(super) const LEADER: usize = 0;

/// The dispatcher may be busy for longer than a worker may be silent.
const LEADER_PATIENCE: u32 = 5;

/// The side of a rank that does jobs.
#[derive(Debug)]
pub struct Worker<W> {
    world: W,
    timeouts: Timeouts,
    in_hand: BTreeSet<JobId>,
    heard: Instant,
    spoken: Instant,
    last_word: Option<ToDispatcher>,
}

/// What rank 0 wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// A job is to be done.
    Job {
        /// Its number.
        id: JobId,
        /// What is to be done.
        bytes: Vec<u8>,
    },
    /// Nobody wants the result of a job any more.
    Cancel(JobId),
    /// Something of the caller's.
    Message(Vec<u8>),
    /// Finish the jobs that have begun, begin no others, and say so with [`Worker::bye`].
    Stop,
    /// The end; what is being done is dropped.
    End(Dismissal),
}

/// Why a worker cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServeError {
    /// Rank 0 is lost.
    #[error("nothing was heard of rank 0 for {} s", .0.as_secs_f64())]
    Silence(Duration),
    /// A message is not about jobs.
    #[error("{0}")]
    Message(String),
    /// Messages do not get through.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Nobody is left who could do a job; the last reason why.
    #[error("no rank is left that works; {0}")]
    NobodyLeft(String),
}

impl<W: World> Worker<W> {
    /// Begins to work for rank 0.
    pub fn new(world: W, timeouts: Timeouts) -> Self {
        let now = Instant::now();
        Self { world, timeouts, in_hand: BTreeSet::new(), heard: now, spoken: now, last_word: None }
    }

    /// Returns the jobs that it has been given and has not finished.
    pub fn in_hand(&self) -> impl Iterator<Item = JobId> {
        self.in_hand.iter().copied()
    }

    /// Forgets all other jobs.
    pub(super) fn keep_only(&mut self, ids: &[JobId]) {
        self.in_hand.retain(|id| ids.contains(id));
    }

    /// Returns what rank 0 wants next, without waiting, and says now and then that this rank lives: call it often.
    ///
    /// # Errors
    /// When rank 0 cannot be reached any more.
    pub fn next_order(&mut self) -> Result<Option<Order>, ServeError> {
        if self.spoken.elapsed() >= self.timeouts.alive_every {
            let sign = self.last_word.clone();
            self.say(&sign.unwrap_or_else(|| ToDispatcher::Alive(self.in_hand.iter().copied().collect())))?;
        }
        self.world.unsent()?;
        loop {
            let filter = Filter::ANY.sent_by(LEADER).with_tag(JOBS_TAG);
            let is_gone = self.world.is_gone(LEADER);
            let Some(message) = self.world.try_receive(filter)? else {
                let limit = self.timeouts.lost_after * LEADER_PATIENCE;
                return match self.heard.elapsed() >= limit {
                    _ if is_gone => Err(WorldError::Gone(LEADER).into()),
                    true => Err(ServeError::Silence(limit)),
                    false => Ok(None),
                };
            };
            self.heard = Instant::now();
            let message = ToWorker::decode(&message.bytes).map_err(ServeError::Message)?;
            if let Some(order) = self.order(message)? {
                return Ok(Some(order));
            }
        }
    }

    /// Returns what a message means for the caller, if anything.
    fn order(&mut self, message: ToWorker) -> Result<Option<Order>, ServeError> {
        Ok(match message {
            ToWorker::End(dismissal) => Some(Order::End(dismissal)),
            ToWorker::Message(bytes) => Some(Order::Message(bytes)),
            ToWorker::Alive => None,
            // Whoever has said the last word takes no orders; that may have been lost.
            ToWorker::Stop if self.last_word.is_some() => {
                self.say(&self.last_word.clone().unwrap_or(ToDispatcher::Bye))?;
                None
            }
            ToWorker::Stop => Some(Order::Stop),
            ToWorker::Job(..) | ToWorker::Cancel(_) if self.last_word.is_some() => None,
            // A job in hand may be sent again when signs of life were lost.
            ToWorker::Job(id, bytes) => self.in_hand.insert(id).then_some(Order::Job { id, bytes }),
            ToWorker::Cancel(id) => self.in_hand.remove(&id).then_some(Order::Cancel(id)),
        })
    }

    /// Sleeps until rank 0 may have said something, or it is time for a sign of life.
    ///
    /// # Errors
    /// When the job is aborted.
    pub fn wait(&mut self, deadline: Deadline) -> Result<(), ServeError> {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        Ok(self.world.wait(deadline.min(Deadline::after(alive_every.min(lost_after))))?)
    }

    /// Tells what has come of a job so far.
    ///
    /// # Errors
    /// When it cannot be sent; so below.
    pub fn partial(&mut self, id: JobId, bytes: Vec<u8>) -> Result<(), ServeError> {
        if self.in_hand.contains(&id) { self.say(&ToDispatcher::Partial(id, bytes)) } else { Ok(()) }
    }

    /// Tells the result of a job, unless it was cancelled.
    ///
    /// # Errors
    /// As above.
    pub fn finish(&mut self, id: JobId, bytes: Vec<u8>) -> Result<(), ServeError> {
        if self.in_hand.remove(&id) { self.say(&ToDispatcher::Result(id, bytes)) } else { Ok(()) }
    }

    /// Says something of the caller's.
    ///
    /// # Errors
    /// As above.
    pub fn tell(&mut self, bytes: Vec<u8>) -> Result<(), ServeError> {
        self.say(&ToDispatcher::Message(bytes))
    }

    /// Does no more jobs, and says why; others get what it has in hand.
    ///
    /// # Errors
    /// As above.
    pub fn fail(&mut self, reason: String) -> Result<(), ServeError> {
        self.part(ToDispatcher::Failed(reason))
    }

    /// Does no more jobs, because it was told so.
    ///
    /// # Errors
    /// As above.
    pub fn bye(&mut self) -> Result<(), ServeError> {
        self.part(ToDispatcher::Bye)
    }

    fn part(&mut self, word: ToDispatcher) -> Result<(), ServeError> {
        if self.last_word.is_some() {
            return Ok(());
        }
        self.in_hand.clear();
        self.say(&word)?;
        self.last_word = Some(word);
        Ok(())
    }

    fn say(&mut self, message: &ToDispatcher) -> Result<(), ServeError> {
        self.spoken = Instant::now();
        match self.world.send(LEADER, JOBS_TAG, message.encode()) {
            // What it said last is still to be read.
            Ok(()) | Err(WorldError::Gone(LEADER)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
