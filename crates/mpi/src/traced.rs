use std::collections::BTreeMap;

use crate::deadline::Deadline;
use crate::message::{Filter, Message, Tag, WorldError};
use crate::world::World;

/// How much went one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many messages.
    pub messages: u64,
    /// How many bytes they had together.
    pub bytes: u64,
}

impl Traffic {
    fn count(&mut self, bytes: usize) {
        self.messages += 1;
        self.bytes += bytes as u64;
    }
}

/// What a rank has sent and received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// What was sent, by tag.
    pub sent: BTreeMap<Tag, Traffic>,
    /// What was received, by tag.
    pub received: BTreeMap<Tag, Traffic>,
    /// Every message in its order, where the world keeps them.
    pub log: Vec<Entry>,
}

/// A message of a [`Trace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// It was sent.
    Sent {
        /// To this rank.
        to: usize,
        /// Its tag.
        tag: Tag,
        /// What it says.
        bytes: Vec<u8>,
    },
    /// It was received.
    Received(Message),
}

/// Whether a [`TracedWorld`] keeps messages, or counts them only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Numbers of messages and bytes.
    Counts,
    /// These and every message.
    Messages,
}

/// A world that counts, and may keep, what a rank sends and receives.
#[derive(Debug)]
pub struct TracedWorld<W> {
    inner: W,
    keep: Keep,
    trace: Trace,
}

impl<W: World> TracedWorld<W> {
    /// Wraps this rank's view of a world.
    pub fn new(inner: W, keep: Keep) -> Self {
        Self { inner, keep, trace: Trace::default() }
    }

    /// Returns what was sent and received so far.
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Returns the world inside, and what was sent and received.
    pub fn into_parts(self) -> (W, Trace) {
        (self.inner, self.trace)
    }
}

impl Trace {
    /// Returns what was sent with any tag.
    #[must_use]
    pub fn all_sent(&self) -> Traffic {
        sum(&self.sent)
    }

    /// Returns what was received with any tag.
    #[must_use]
    pub fn all_received(&self) -> Traffic {
        sum(&self.received)
    }
}

fn sum(traffic: &BTreeMap<Tag, Traffic>) -> Traffic {
    traffic.values().fold(Traffic::default(), |sum, one| Traffic {
        messages: sum.messages + one.messages,
        bytes: sum.bytes + one.bytes,
    })
}

impl<W: World> World for TracedWorld<W> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        let (len, kept) = (bytes.len(), (self.keep == Keep::Messages).then(|| bytes.clone()));
        self.inner.send(to, tag, bytes)?;
        self.trace.sent.entry(tag).or_default().count(len);
        self.trace.log.extend(kept.map(|bytes| Entry::Sent { to, tag, bytes }));
        Ok(())
    }

    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError> {
        let received = self.inner.try_receive(filter)?;
        if let Some(message) = &received {
            self.trace.received.entry(message.tag).or_default().count(message.bytes.len());
            if self.keep == Keep::Messages {
                self.trace.log.push(Entry::Received(message.clone()));
            }
        }
        Ok(received)
    }

    fn try_probe(&mut self, filter: Filter) -> Result<Option<(usize, Tag, usize)>, WorldError> {
        self.inner.try_probe(filter)
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        self.inner.wait(deadline)
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        self.inner.unsent()
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        self.inner.is_gone(rank)
    }

    fn abort(&mut self, status: u8) -> WorldError {
        self.inner.abort(status)
    }
}
