use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::deadline::Deadline;
use crate::jobs::frame::{Frame, JobId, unexpected};
use crate::jobs::{Dismissal, JOBS_TAG, Timeouts};
use crate::message::{Filter, WorldError};
use crate::world::World;

/// The rank that hands out jobs.
pub(super) const LEADER: usize = 0;

/// The dispatcher may be silent for this many times as long as a worker.
const LEADER_PATIENCE: u32 = 5;

/// A rank's side that does jobs. Its calls fail if rank 0 is lost or sends anything else, or the job is aborted.
#[derive(Debug)]
pub struct Worker<W> {
    world: W,
    timeouts: Timeouts,
    in_hand: BTreeSet<JobId>,
    heard: Instant,
    spoken: Instant,
    last_word: Option<Frame>,
}

/// An order of rank 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order {
    /// Do a job.
    Job {
        /// Its number.
        id: JobId,
        /// The job.
        bytes: Vec<u8>,
    },
    /// Drop a job; its result is no longer wanted.
    Cancel(JobId),
    /// A message from the caller's code.
    Message(Vec<u8>),
    /// Finish the running jobs, start no others, then call [`Worker::bye`].
    Stop,
    /// End at once and drop the running jobs.
    End(Dismissal),
}

/// The reasons why a worker cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServeError {
    /// Rank 0 is lost.
    #[error("nothing was heard of rank 0 for {} s", .0.as_secs_f64())]
    Silence(Duration),
    /// A message is not about jobs.
    #[error("{0}")]
    Message(String),
    /// Messages fail.
    #[error(transparent)]
    World(#[from] WorldError),
    /// No rank is left to do jobs; the last reason.
    #[error("no rank is left that works; {0}")]
    NobodyLeft(String),
}

impl<W: World> Worker<W> {
    /// Starts working for rank 0.
    pub fn new(world: W, timeouts: Timeouts) -> Self {
        let now = Instant::now();
        Self { world, timeouts, in_hand: BTreeSet::new(), heard: now, spoken: now, last_word: None }
    }

    /// Returns the jobs it was given and has not finished.
    pub fn in_hand(&self) -> impl Iterator<Item = JobId> {
        self.in_hand.iter().copied()
    }

    pub(super) fn has(&self, id: JobId) -> bool {
        self.in_hand.contains(&id)
    }

    /// Returns whether it has no job in hand.
    pub(super) fn is_free(&self) -> bool {
        self.in_hand.is_empty()
    }

    /// Forgets the other jobs.
    pub(super) fn retain(&mut self, keep: impl Fn(JobId) -> bool) {
        self.in_hand.retain(|id| keep(*id));
    }

    /// Returns the next order of rank 0 without waiting, and sends rank 0 signs of life: call it often.
    pub fn next_order(&mut self) -> Result<Option<Order>, ServeError> {
        if self.spoken.elapsed() >= self.timeouts.alive_every {
            let sign = self.last_word.clone();
            self.say(&sign.unwrap_or_else(|| Frame::Alive(self.in_hand().collect())))?;
        }
        self.world.unsent()?;
        loop {
            let filter = Filter::ANY.sent_by(LEADER).with_tag(JOBS_TAG);
            let is_gone = self.world.is_gone(LEADER);
            let Some(message) = self.world.try_receive(filter)? else {
                let limit = self.timeouts.lost_after.saturating_mul(LEADER_PATIENCE);
                return match self.heard.elapsed() >= limit {
                    _ if is_gone => Err(WorldError::Gone(LEADER).into()),
                    true => Err(ServeError::Silence(limit)),
                    false => Ok(None),
                };
            };
            self.heard = Instant::now();
            if let Some(order) = self.order(&message.bytes)? {
                return Ok(Some(order));
            }
        }
    }

    /// Returns a message's order, if it concerns the caller.
    fn order(&mut self, frame: &[u8]) -> Result<Option<Order>, ServeError> {
        Ok(match Frame::decode(frame) {
            Some(Frame::End(dismissal)) => Some(Order::End(dismissal)),
            Some(Frame::Message(bytes)) => Some(Order::Message(bytes)),
            Some(Frame::Alive(_)) => None,
            Some(Frame::Stop) => match self.last_word.clone() {
                None => Some(Order::Stop),
                // It may have been lost.
                Some(last_word) => self.say(&last_word).map(|()| None)?,
            },
            // Nothing follows the final message.
            Some(Frame::Job(..) | Frame::Cancel(_)) if self.last_word.is_some() => None,
            // A job in hand may be sent again if signs of life were lost.
            Some(Frame::Job(id, bytes)) => self.in_hand.insert(id).then_some(Order::Job { id, bytes }),
            Some(Frame::Cancel(id)) => self.in_hand.remove(&id).then_some(Order::Cancel(id)),
            _ => return Err(ServeError::Message(unexpected(frame))),
        })
    }

    /// Sleeps until a message of rank 0 may have arrived, or a sign of life is due.
    pub fn wait(&mut self, deadline: Deadline) -> Result<(), ServeError> {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        Ok(self.world.wait(deadline.min(Deadline::after(alive_every.min(lost_after))))?)
    }

    /// Reports progress on a job.
    pub fn partial(&mut self, id: JobId, bytes: Vec<u8>) -> Result<(), ServeError> {
        if self.has(id) { self.say(&Frame::Partial(id, bytes)) } else { Ok(()) }
    }

    /// Reports the result of a job, unless it was cancelled.
    pub fn finish(&mut self, id: JobId, bytes: Vec<u8>) -> Result<(), ServeError> {
        if self.in_hand.remove(&id) { self.say(&Frame::Result(id, bytes)) } else { Ok(()) }
    }

    /// Sends a message of the caller.
    pub fn tell(&mut self, bytes: Vec<u8>) -> Result<(), ServeError> {
        self.say(&Frame::Message(bytes))
    }

    /// Stops doing jobs for this reason; others get the ones in hand.
    pub fn fail(&mut self, reason: String) -> Result<(), ServeError> {
        self.part(Frame::Failed(reason))
    }

    /// Stops doing jobs, as rank 0 asked.
    pub fn bye(&mut self) -> Result<(), ServeError> {
        self.part(Frame::Bye)
    }

    fn part(&mut self, word: Frame) -> Result<(), ServeError> {
        if self.last_word.is_none() {
            self.in_hand.clear();
            self.say(&word)?;
            self.last_word = Some(word);
        }
        Ok(())
    }

    fn say(&mut self, frame: &Frame) -> Result<(), ServeError> {
        self.spoken = Instant::now();
        match self.world.send(LEADER, JOBS_TAG, frame.encode()) {
            // Its last messages are still to be read.
            Ok(()) | Err(WorldError::Gone(LEADER)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
