use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use crate::deadline::Deadline;
use crate::message::{Filter, Message, Tag, WorldError};
use crate::{collectives, message};

/// All ranks of a job, as one of them sees it.
///
/// Messages from one rank to another with the same tag arrive in the order in which they were sent. No call waits, except
/// those that take a [`Deadline`], which sleep. A rank may send to itself.
pub trait World {
    /// Returns which rank this is, from 0.
    fn rank(&self) -> usize;

    /// Returns how many ranks there are.
    fn size(&self) -> usize;

    /// Sends a message, without waiting until it has left.
    ///
    /// # Errors
    /// When it cannot be sent.
    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError>;

    /// Returns the oldest message that fits, if one has arrived.
    ///
    /// # Errors
    /// When the job is aborted or the library fails.
    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError>;

    /// Returns the sender, the tag and the length of the message that [`World::try_receive`] would return.
    ///
    /// # Errors
    /// As for [`World::try_receive`].
    fn try_probe(&mut self, filter: Filter) -> Result<Option<(usize, Tag, usize)>, WorldError>;

    /// Sleeps until something may have arrived; it may wake early.
    ///
    /// # Errors
    /// When the job is aborted.
    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError>;

    /// Lets messages move on, and returns how many have not left yet.
    ///
    /// # Errors
    /// When one cannot be sent; it no longer counts.
    fn unsent(&mut self) -> Result<usize, WorldError>;

    /// Returns whether a rank is known to have ended; its last messages can still be received. MPI does not tell: there a
    /// rank that says nothing for long must be taken for lost, which [`jobs`](crate::jobs) does.
    fn is_gone(&mut self, rank: usize) -> bool;

    /// Ends the job for all ranks. Over MPI this ends the process; over threads it returns the error that every call of
    /// every rank returns from now on.
    fn abort(&mut self, status: u8) -> WorldError;

    /// Waits for a message that fits.
    ///
    /// # Errors
    /// [`WorldError::TimedOut`] after the deadline, [`WorldError::Gone`] or [`WorldError::Alone`] when nobody is left who
    /// could send one, and as for [`World::try_receive`].
    fn receive(&mut self, filter: Filter, deadline: Deadline) -> Result<Message, WorldError> {
        self.probe(filter, deadline)?;
        self.try_receive(filter)?.ok_or(WorldError::TimedOut)
    }

    /// Waits for a message that fits, and leaves it there; returns its sender, its tag and its length.
    ///
    /// # Errors
    /// As for [`World::receive`].
    fn probe(&mut self, filter: Filter, deadline: Deadline) -> Result<(usize, Tag, usize), WorldError> {
        loop {
            if let Some(found) = self.try_probe(filter)? {
                return Ok(found);
            }
            if let Some(error) = nobody_sends(self, filter) {
                // Its last message may have come in between.
                return self.try_probe(filter)?.ok_or(error);
            }
            if deadline.is_over() {
                return Err(WorldError::TimedOut);
            }
            self.wait(deadline)?;
        }
    }

    /// Gives all ranks what `root` has; the others' bytes are not looked at. All ranks must call it.
    ///
    /// # Errors
    /// As for [`World::receive`].
    fn broadcast(&mut self, root: usize, bytes: Vec<u8>, deadline: Deadline) -> Result<Vec<u8>, WorldError> {
        collectives::broadcast(self, root, bytes, deadline)
    }

    /// Gives `root` what each rank has, in their order; the others get nothing. All ranks must call it.
    ///
    /// # Errors
    /// As for [`World::receive`].
    fn gather(&mut self, root: usize, bytes: Vec<u8>, deadline: Deadline) -> Result<Vec<Vec<u8>>, WorldError> {
        collectives::gather(self, root, bytes, deadline)
    }

    /// Waits until all ranks have called it.
    ///
    /// # Errors
    /// As for [`World::receive`].
    fn barrier(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        collectives::barrier(self, deadline)
    }

    /// Waits until all messages have left; tells whether they have.
    ///
    /// # Errors
    /// As for [`World::unsent`].
    fn flush(&mut self, deadline: Deadline) -> Result<bool, WorldError> {
        let mut backoff = crate::Backoff::default();
        while self.unsent()? > 0 {
            if deadline.is_over() {
                return Ok(false);
            }
            backoff.pause(deadline);
        }
        Ok(true)
    }
}

/// Returns why no message can come any more that fits.
fn nobody_sends<W: World + ?Sized>(world: &mut W, filter: Filter) -> Option<WorldError> {
    let rank = world.rank();
    match filter.sender() {
        Some(from) => world.is_gone(from).then_some(WorldError::Gone(from)),
        None => (0..world.size()).all(|other| other == rank || world.is_gone(other)).then_some(WorldError::Alone),
    }
}

/// Runs a rank's work; a panic in it aborts the job for all ranks, and goes on here.
pub fn abort_on_panic<W: World, T>(world: &mut W, status: u8, work: impl FnOnce(&mut W) -> T) -> T {
    catch_unwind(AssertUnwindSafe(|| work(world))).unwrap_or_else(|panic| {
        let _ = world.abort(status);
        resume_unwind(panic)
    })
}

impl<W: World + ?Sized> World for &mut W {
    fn rank(&self) -> usize {
        (**self).rank()
    }

    fn size(&self) -> usize {
        (**self).size()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        (**self).send(to, tag, bytes)
    }

    fn try_receive(&mut self, filter: Filter) -> Result<Option<message::Message>, WorldError> {
        (**self).try_receive(filter)
    }

    fn try_probe(&mut self, filter: Filter) -> Result<Option<(usize, Tag, usize)>, WorldError> {
        (**self).try_probe(filter)
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
