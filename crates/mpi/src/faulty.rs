use std::time::{Duration, Instant};

use crate::deadline::Deadline;
use crate::message::{Filter, Inbox, Message, Tag, WorldError};
use crate::world::World;

/// What goes wrong with messages on their way to a rank. The same seed decides the same for the n-th message from one rank to
/// another, whatever the timing. Shares are in thousandths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Faults {
    /// Decides what happens to each message.
    pub seed: u64,
    /// How many messages are delayed.
    pub delayed: u16,
    /// By how much at most.
    pub delay: Duration,
    /// Whether later messages of the same sender may overtake delayed ones, which no MPI does.
    pub overtaking: bool,
    /// How many messages are lost, which no MPI does while both ranks live.
    pub lost: u16,
    /// After how many messages of its own this rank falls silent for good, as if its machine had been cut off.
    pub silent_after: Option<u64>,
}

/// A world in which messages are delayed, reordered and lost on their way to this rank: for tests of whatever must stand that.
#[derive(Debug)]
pub struct FaultyWorld<W> {
    inner: W,
    faults: Faults,
    inbox: Inbox,
    held: Vec<Held>,
    /// How many messages have come from each rank.
    arrived: Vec<u64>,
    /// When the last message of each rank is let through.
    last: Vec<Option<Instant>>,
    sent: u64,
}

/// A message that is still on its way.
#[derive(Debug)]
struct Held {
    until: Instant,
    message: Message,
}

impl<W: World> FaultyWorld<W> {
    /// Wraps this rank's view of a world.
    pub fn new(inner: W, faults: Faults) -> Self {
        let size = inner.size();
        Self {
            inner,
            faults,
            inbox: Inbox::default(),
            held: Vec::new(),
            arrived: vec![0; size],
            last: vec![None; size],
            sent: 0,
        }
    }

    /// Returns the world inside.
    pub fn into_inner(self) -> W {
        self.inner
    }

    fn is_silent(&self) -> bool {
        self.faults.silent_after.is_some_and(|after| self.sent >= after)
    }

    fn poll(&mut self) -> Result<(), WorldError> {
        while let Some(message) = self.inner.try_receive(Filter::ALL)? {
            if !self.is_silent() {
                self.hold(message);
            }
        }
        let now = Instant::now();
        // The sort is stable: what is due at the same time keeps its order.
        self.held.sort_by_key(|held| held.until);
        let due = self.held.partition_point(|held| held.until <= now);
        self.inbox.extend(self.held.drain(..due).map(|held| held.message));
        Ok(())
    }

    fn hold(&mut self, message: Message) {
        let Faults { seed, delayed, delay, overtaking, lost, .. } = self.faults;
        let from = message.from;
        let mut chance = Chance::new([seed, from as u64, self.inner.rank() as u64, self.arrived[from]]);
        self.arrived[from] += 1;
        if chance.happens(lost) {
            return;
        }
        let mut until = Instant::now();
        if chance.happens(delayed) {
            until += delay.mul_f64(chance.share());
        }
        if !overtaking {
            until = self.last[from].map_or(until, |last| last.max(until));
            self.last[from] = Some(until);
        }
        self.held.push(Held { until, message });
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

    fn try_receive(&mut self, filter: Filter) -> Result<Option<Message>, WorldError> {
        self.poll()?;
        Ok(self.inbox.take(filter))
    }

    fn try_probe(&mut self, filter: Filter) -> Result<Option<(usize, Tag, usize)>, WorldError> {
        self.poll()?;
        Ok(self.inbox.peek(filter).map(|message| (message.from, message.tag, message.bytes.len())))
    }

    fn wait(&mut self, deadline: Deadline) -> Result<(), WorldError> {
        let due = self.held.iter().map(|held| held.until).min();
        self.inner.wait(due.map_or(deadline, |due| deadline.min(due.into())))
    }

    fn unsent(&mut self) -> Result<usize, WorldError> {
        self.inner.unsent()
    }

    fn is_gone(&mut self, rank: usize) -> bool {
        if !self.inner.is_gone(rank) {
            return false;
        }
        // What it sent last may still be on its way; a world that fails says so when it receives.
        let _ = self.poll();
        self.held.iter().all(|held| held.message.from != rank)
    }

    fn abort(&mut self, status: u8) -> WorldError {
        self.inner.abort(status)
    }
}

/// Numbers that follow from where they are asked for.
struct Chance(u64);

impl Chance {
    fn new(place: [u64; 4]) -> Self {
        let mut chance = Self(0);
        for number in place {
            chance.0 = chance.next() ^ number;
        }
        chance
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    const fn happens(&mut self, thousandths: u16) -> bool {
        self.next() % 1000 < thousandths as u64
    }

    /// A number from 0 to 1.
    fn share(&mut self) -> f64 {
        f64::from((self.next() >> 32) as u32) / f64::from(u32::MAX)
    }
}
