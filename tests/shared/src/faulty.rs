//! A world of ranks in which messages go astray.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::time::{Duration, Instant};

use amazons_mpi::{Deadline, Message, Tag, World, WorldError};

/// Faults of messages on their way to a rank. A seed decides the same for the n-th message from one rank to another,
/// whatever the timing. Shares are in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// The seed that decides what happens to each message.
    pub seed: u64,
    /// The share of messages that are delayed.
    pub delayed: u16,
    /// The longest delay.
    pub delay: Duration,
    /// Whether later messages of the same sender may overtake delayed ones; MPI never does this.
    pub overtaking: bool,
    /// The share of lost messages; MPI loses none while both ranks live.
    pub lost: u16,
    /// The number of messages that this rank sends before it goes silent, like a machine cut off.
    pub silent_after: Option<u64>,
}

/// A world that delays, reorders and loses messages on their way to this rank, for tests.
#[derive(Debug)]
pub struct FaultyWorld<W> {
    inner: W,
    faults: Faults,
    inbox: VecDeque<Message>,
    /// Messages on their way, with their arrival times.
    held: Vec<(Instant, Message)>,
    /// The number of messages received from each rank.
    counts: Vec<u64>,
    /// The arrival time of the last message of each rank.
    last: Vec<Option<Instant>>,
    sent: u64,
}

impl<W: World> FaultyWorld<W> {
    /// Wraps this rank's view of a world.
    pub fn new(inner: W, faults: Faults) -> Self {
        let size = inner.size();
        let (inbox, held) = (VecDeque::new(), Vec::new());
        Self { inner, faults, inbox, held, counts: vec![0; size], last: vec![None; size], sent: 0 }
    }

    /// Returns the world inside.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn is_silent(&self) -> bool {
        self.faults.silent_after.is_some_and(|after| self.sent >= after)
    }

    fn hold(&mut self, message: Message) {
        let Faults { seed, delayed, delay, overtaking, lost, .. } = self.faults;
        let from = message.from;
        let (to, number) = (self.inner.rank(), self.counts[from]);
        self.counts[from] += 1;
        let dice = |what: &str| {
            let mut hasher = DefaultHasher::new();
            (seed, from, to, number, what).hash(&mut hasher);
            hasher.finish() % 1000
        };
        if dice("lost") < u64::from(lost) {
            return;
        }
        let mut until = Instant::now();
        if dice("delayed") < u64::from(delayed) {
            until += delay.mul_f64(dice("delay") as f64 / 1000.0);
        }
        if !overtaking {
            until = self.last[from].map_or(until, |last| last.max(until));
            self.last[from] = Some(until);
        }
        self.held.push((until, message));
    }
}

impl<W: World> World for FaultyWorld<W> {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn send(&mut self, to: usize, tag: Tag, bytes: Vec<u8>) -> Result<(), WorldError> {
        if self.is_silent() {
            return Ok(());
        }
        self.sent += 1;
        self.inner.send(to, tag, bytes)
    }

    fn arrived(&mut self) -> Result<&mut VecDeque<Message>, WorldError> {
        while let Some(message) = self.inner.arrived()?.pop_front() {
            if !self.is_silent() {
                self.hold(message);
            }
        }
        let now = Instant::now();
        // The sort is stable: messages that arrive at the same time keep their order.
        self.held.sort_by_key(|held| held.0);
        let due = self.held.partition_point(|held| held.0 <= now);
        self.inbox.extend(self.held.drain(..due).map(|held| held.1));
        Ok(&mut self.inbox)
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        let due = self.held.iter().map(|held| held.0).min();
        self.inner.wait(due.map_or(deadline, |due| deadline.min(due.into())))
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        self.inner.unsent()
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        if !self.inner.is_gone(rank) {
            return false;
        }
        // Its last messages may still be on their way; a failed world reports that on receiving.
        let _ = self.arrived();
        self.held.iter().all(|held| held.1.from != rank)
    }

    fn abort(&mut self, status: u8) -> WorldError {
        self.inner.abort(status)
    }
}
