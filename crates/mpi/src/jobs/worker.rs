use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::codec::{DecodeError, Payload, decode, encode};
use crate::deadline::Deadline;
use crate::jobs::frame::{JobId, ToLeader, ToWorker};
use crate::jobs::{Dismissal, JOBS_TAG, Timeouts};
use crate::message::{Filter, WorldError};
use crate::world::World;

/// The rank that hands out jobs.
pub(super) const LEADER: usize = 0;

/// The dispatcher may be silent for this many times as long as a worker.
const LEADER_PATIENCE: u32 = 5;

/// A rank's side that does jobs `J` and answers them by `A`. Its calls fail if rank 0 is lost or sends anything else, or
/// the job is aborted.
#[derive(Debug)]
pub struct Worker<W, J, A, M = ()> {
    world: W,
    timeouts: Timeouts,
    in_hand: BTreeSet<JobId>,
    last_received: Instant,
    last_sent: Instant,
    /// The bytes of its final message.
    final_message: Option<Vec<u8>>,
    types: PhantomData<fn(J) -> (A, M)>,
}

/// An order of rank 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Order<J, M = ()> {
    /// Do a job.
    Job {
        /// Its number.
        id: JobId,
        /// The job.
        job: J,
    },
    /// Drop a job; its result is no longer wanted.
    Cancel(JobId),
    /// A message from the caller's code.
    Message(M),
    /// Finish the running jobs, start no others, then call [`Worker::bye`].
    Stop,
    /// End at once and drop the running jobs.
    End(Dismissal),
}

/// Why a worker cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServeError {
    /// Rank 0 is lost.
    #[error("nothing was heard of rank 0 for {} s", .0.as_secs_f64())]
    Silence(Duration),
    /// Rank 0 sent something else than such jobs.
    #[error(transparent)]
    Message(#[from] DecodeError),
    /// Messages fail.
    #[error(transparent)]
    World(#[from] WorldError),
    /// No rank is left to do jobs; the last reason.
    #[error("no rank is left that works; {0}")]
    NobodyLeft(String),
}

impl<W: World, J: Payload, A: Payload, M: Payload> Worker<W, J, A, M> {
    /// Starts working for rank 0.
    pub fn new(world: W, timeouts: Timeouts) -> Self {
        let (now, in_hand) = (Instant::now(), BTreeSet::new());
        let types = PhantomData;
        Self { world, timeouts, in_hand, last_received: now, last_sent: now, final_message: None, types }
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

    /// Returns the next order of rank 0 without waiting, and sends rank 0 heartbeats: call it often.
    pub fn next_order(&mut self) -> Result<Option<Order<J, M>>, ServeError> {
        if self.last_sent.elapsed() >= self.timeouts.alive_every {
            match self.final_message.clone() {
                Some(bytes) => self.send(bytes)?,
                None => self.report(&ToLeader::Heartbeat(self.in_hand().collect()))?,
            }
        }
        self.world.unsent()?;
        loop {
            let filter = Filter::ANY.sent_by(LEADER).with_tag(JOBS_TAG);
            let is_gone = self.world.is_gone(LEADER);
            let Some(message) = self.world.try_receive(filter)? else {
                let limit = self.timeouts.lost_after.saturating_mul(LEADER_PATIENCE);
                return match self.last_received.elapsed() >= limit {
                    _ if is_gone => Err(WorldError::Gone(LEADER).into()),
                    true => Err(ServeError::Silence(limit)),
                    false => Ok(None),
                };
            };
            self.last_received = Instant::now();
            if let Some(order) = self.order(decode(&message.bytes)?)? {
                return Ok(Some(order));
            }
        }
    }

    /// Returns a message's order, if it concerns the caller.
    fn order(&mut self, message: ToWorker<J, M>) -> Result<Option<Order<J, M>>, ServeError> {
        Ok(match message {
            ToWorker::End(dismissal) => Some(Order::End(dismissal)),
            ToWorker::Message(message) => Some(Order::Message(message)),
            ToWorker::Heartbeat => None,
            ToWorker::Stop => match self.final_message.clone() {
                None => Some(Order::Stop),
                // It may have been lost.
                Some(bytes) => self.send(bytes).map(|()| None)?,
            },
            // Nothing follows the final message.
            ToWorker::Job(..) | ToWorker::Cancel(_) if self.final_message.is_some() => None,
            // A job in hand may be sent again if heartbeats were lost.
            ToWorker::Job(id, job) => self.in_hand.insert(id).then_some(Order::Job { id, job }),
            ToWorker::Cancel(id) => self.in_hand.remove(&id).then_some(Order::Cancel(id)),
        })
    }

    /// Sleeps until a message of rank 0 may have arrived, or a heartbeat is due.
    pub fn wait(&mut self, deadline: Deadline) -> Result<(), ServeError> {
        let Timeouts { alive_every, lost_after } = self.timeouts;
        Ok(self.world.wait(deadline.min(Deadline::after(alive_every.min(lost_after))))?)
    }

    /// Reports progress on a job.
    pub fn partial(&mut self, id: JobId, answer: A) -> Result<(), ServeError> {
        if self.has(id) { self.report(&ToLeader::Partial(id, answer)) } else { Ok(()) }
    }

    /// Reports the result of a job, unless it was cancelled.
    pub fn finish(&mut self, id: JobId, answer: A) -> Result<(), ServeError> {
        if self.in_hand.remove(&id) { self.report(&ToLeader::Result(id, answer)) } else { Ok(()) }
    }

    /// Sends a message of the caller.
    pub fn tell(&mut self, message: M) -> Result<(), ServeError> {
        self.report(&ToLeader::Message(message))
    }

    /// Stops doing jobs for this reason; others get the ones in hand.
    pub fn fail(&mut self, reason: String) -> Result<(), ServeError> {
        self.part(&ToLeader::Failed(reason))
    }

    /// Stops doing jobs, as rank 0 asked.
    pub fn bye(&mut self) -> Result<(), ServeError> {
        self.part(&ToLeader::Bye)
    }

    fn part(&mut self, message: &ToLeader<A, M>) -> Result<(), ServeError> {
        if self.final_message.is_none()
            && let Ok(bytes) = encode(message)
        {
            self.in_hand.clear();
            self.send(bytes.clone())?;
            self.final_message = Some(bytes);
        }
        Ok(())
    }

    /// Sends a message, or fails because it cannot be written.
    fn report(&mut self, message: &ToLeader<A, M>) -> Result<(), ServeError> {
        match encode(message) {
            Ok(bytes) => self.send(bytes),
            Err(error) => self.fail(error.to_string()),
        }
    }

    fn send(&mut self, bytes: Vec<u8>) -> Result<(), ServeError> {
        self.last_sent = Instant::now();
        match self.world.send(LEADER, JOBS_TAG, bytes) {
            // Its last messages are still to be read.
            Ok(()) | Err(WorldError::Gone(LEADER)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}
