use std::collections::VecDeque;
use std::ops::DerefMut;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::deadline::{Backoff, Deadline};
use crate::message::{Filter, Message, TAG_MAX, Tag, WorldError};

const BROADCAST: Tag = TAG_MAX + 1;
const GATHER: Tag = TAG_MAX + 2;

/// All ranks of a job, as seen by one of them.
///
/// Messages between two ranks with the same tag arrive in the order of sending. A rank may send to itself. Only calls
/// that take a [`Deadline`] wait, and they sleep meanwhile. Collectives are plain messages, so all back-ends behave
/// alike. Every call fails if the job is aborted or the library fails.
pub trait World {
    /// Returns the number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn size(&self) -> usize;

    /// Sends a message, without waiting until it has left.
    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError>;

    /// Returns all messages that have arrived and have not been received, the oldest first.
    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError>;

    /// Sleeps until a message may have arrived; it may wake early.
    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError>;

    /// Makes progress and returns how many messages have not left yet. Fails when one cannot be sent; it no longer
    /// counts.
    fn unsent(&mut self) -> Result<usize, WorldError>;

    /// Returns whether a rank is known to have ended; its last messages can still be received. MPI does not report
    /// that, so its ranks know it only between rank 0 and those on the same machine; other ranks are lost after a long
    /// silence, as in [`jobs`](crate::jobs).
    fn is_gone(&mut self, rank: usize) -> bool;

    /// Ends the job for all ranks. Over MPI this ends the process; over threads it returns the error that every call of
    /// every rank returns from now on.
    fn abort(&mut self, status: u8) -> WorldError;

    /// Returns the oldest matching message, if one has arrived.
    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError> {
        let arrived = self.arrived()?;
        let found = arrived.iter().position(|message| filter.matches(message));
        Ok(found.and_then(|at| arrived.remove(at)))
    }

    /// Returns the sender, the tag and the length of the message that [`World::try_receive`] would return.
    fn try_probe(&mut self, filter: Filter) -> Result<Option<(usize, Tag, usize)>, WorldError> {
        let found = self.arrived()?.iter().find(|message| filter.matches(message));
        Ok(found.map(|message| (message.from, message.tag, message.bytes.len())))
    }

    /// Waits for a matching message. Fails with [`WorldError::TimedOut`] after the deadline; [`WorldError::Gone`] or
    /// [`WorldError::Alone`] when every rank that could send one has ended.
    fn receive(&mut self, filter: Filter, deadline: Deadline) -> Result<Message, WorldError> {
        self.probe(filter, deadline)?;
        self.try_receive(filter)?.ok_or(WorldError::TimedOut)
    }

    /// Waits for a matching message without receiving it; returns its sender, tag and length.
    fn probe(&mut self, filter: Filter, deadline: Deadline) -> Result<(usize, Tag, usize), WorldError> {
        loop {
            if let Some(found) = self.try_probe(filter)? {
                return Ok(found);
            }
            let own = self.rank();
            let error = match filter.sender() {
                Some(from) => self.is_gone(from).then_some(WorldError::Gone(from)),
                None => (0..self.size()).all(|rank| rank == own || self.is_gone(rank)).then_some(WorldError::Alone),
            };
            if let Some(error) = error {
                // Its last message may have arrived in between.
                return self.try_probe(filter)?.ok_or(error);
            }
            if deadline.is_over() {
                return Err(WorldError::TimedOut);
            }
            self.wait(deadline)?;
        }
    }

    /// Gives all ranks the bytes of `root`, ignoring the others'. All ranks must call it.
    fn broadcast(&mut self, root: usize, bytes: Vec<u8>, deadline: Deadline) -> Result<Vec<u8>, WorldError> {
        if self.rank() != root {
            return Ok(self.receive(Filter::ANY.sent_by(root).with_tag(BROADCAST), deadline)?.bytes);
        }
        for to in (0..self.size()).filter(|&to| to != root) {
            self.send(to, BROADCAST, bytes.clone())?;
        }
        Ok(bytes)
    }

    /// Gives `root` the bytes of every rank in order; the others get nothing. All ranks must call it.
    fn gather(&mut self, root: usize, bytes: Vec<u8>, deadline: Deadline) -> Result<Vec<Vec<u8>>, WorldError> {
        if self.rank() != root {
            self.send(root, GATHER, bytes)?;
            return Ok(Vec::new());
        }
        let mut all = vec![bytes];
        for from in (0..self.size()).filter(|&from| from != root) {
            // Each rank's messages keep their order, so this one belongs to this gather.
            all.push(self.receive(Filter::ANY.sent_by(from).with_tag(GATHER), deadline)?.bytes);
        }
        // The root's own bytes came first.
        all[..=root].rotate_left(1);
        Ok(all)
    }

    /// Waits until all ranks have called it.
    fn barrier(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        self.gather(0, Vec::new(), deadline)?;
        self.broadcast(0, Vec::new(), deadline).map(drop)
    }

    /// Waits until all messages have left; returns whether they have.
    fn flush(&mut self, deadline: Deadline) -> Result<bool, WorldError> {
        let mut backoff = Backoff::default();
        while self.unsent()? > 0 {
            if deadline.is_over() {
                return Ok(false);
            }
            backoff.pause(deadline);
        }
        Ok(true)
    }
}

/// Runs a rank's work; a panic in it aborts the job for all ranks and continues here.
pub fn abort_on_panic<W: World, T>(world: &mut W, status: u8, work: impl FnOnce(&mut W) -> T) -> T {
    catch_unwind(AssertUnwindSafe(|| work(world))).unwrap_or_else(|panic| {
        let _ = world.abort(status);
        resume_unwind(panic)
    })
}

impl<P: DerefMut<Target: World>> World for P {
    fn rank(&self) -> usize {
        (**self).rank()
    }

    fn size(&self) -> usize {
        (**self).size()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        (**self).send(to, tag, bytes)
    }

    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError> {
        (**self).arrived()
    }

    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError> {
        (**self).try_receive(filter)
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        (**self).wait(deadline)
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        (**self).unsent()
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        (**self).is_gone(rank)
    }

    fn abort(&mut self, status: u8) -> WorldError {
        (**self).abort(status)
    }
}
