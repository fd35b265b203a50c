use std::collections::{BTreeMap, VecDeque};

use crate::deadline::Deadline;
use crate::message::{Filter, Message, Tag, WorldError};
use crate::world::World;

/// The traffic in one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// The number of messages.
    pub messages: u64,
    /// Their total length.
    pub bytes: u64,
}

/// The messages that a rank has sent and received.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The sent messages, by tag.
    pub sent: BTreeMap<Tag, Traffic>,
    /// The received messages, by tag.
    pub received: BTreeMap<Tag, Traffic>,
    /// The sent messages, by receiver.
    pub to: BTreeMap<usize, Traffic>,
    /// The received messages, by sender.
    pub from: BTreeMap<usize, Traffic>,
    /// Every message in order, if the world keeps them.
    pub log: Vec<Entry>,
}

/// A message of a [`Trace`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// This rank sent it to another.
    Sent(usize, Message),
    /// This rank received it.
    Received(Message),
}

/// The details that a [`TracedWorld`] keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// Numbers of messages and bytes.
    Counts,
    /// These and every message.
    Messages,
}

/// A world that counts, and may keep, the messages that a rank sends and receives.
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

    /// Returns the traffic so far.
    pub const fn trace(&self) -> &Trace {
        &self.trace
    }

    /// Returns the inner world and the traffic.
    pub fn into_parts(self) -> (W, Trace) {
        (self.inner, self.trace)
    }
}

impl Trace {
    /// Returns the sent traffic of all tags.
    pub fn all_sent(&self) -> Traffic {
        sum(&self.sent)
    }

    /// Returns the received traffic of all tags.
    pub fn all_received(&self) -> Traffic {
        sum(&self.received)
    }
}

fn sum(traffic: &BTreeMap<Tag, Traffic>) -> Traffic {
    let all = traffic.values();
    Traffic { messages: all.clone().map(|one| one.messages).sum(), bytes: all.map(|one| one.bytes).sum() }
}

fn count<K: Ord>(traffic: &mut BTreeMap<K, Traffic>, key: K, message: &Message) {
    let traffic = traffic.entry(key).or_default();
    traffic.messages += 1;
    traffic.bytes += message.bytes.len() as u64;
}

impl<W: World> World for TracedWorld<W> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        let message = Message { from: self.rank(), tag, bytes };
        self.inner.send(to, tag, message.bytes.clone())?;
        count(&mut self.trace.sent, message.tag, &message);
        count(&mut self.trace.to, to, &message);
        if self.keep == Keep::Messages {
            self.trace.log.push(Entry::Sent(to, message));
        }
        Ok(())
    }

    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError> {
        self.inner.arrived()
    }

    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError> {
        let received = self.inner.try_receive(filter)?;
        if let Some(message) = &received {
            count(&mut self.trace.received, message.tag, message);
            count(&mut self.trace.from, message.from, message);
            if self.keep == Keep::Messages {
                self.trace.log.push(Entry::Received(message.clone()));
            }
        }
        Ok(received)
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
