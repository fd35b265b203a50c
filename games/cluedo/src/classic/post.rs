use std::collections::VecDeque;
use std::time::Duration;

use amazons_mpi::{Deadline, Filter, Tag, World, WorldError};
use thiserror::Error;

use crate::classic::message::{Fault, Message, Over};
use crate::classic::seats::SEATS_MAX;

pub const GAME_TAG: Tag = 1;

/// Maximum number of waiting messages; no rank sends as many in a game: AIs alone do not wait for rank 0.
const WAITING_MAX: usize = 256;

/// How often a rank that waits looks whether others have ended: a launcher may let the rest live.
const CHECK_EVERY: Duration = Duration::from_millis(100);

/// Why a rank cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TableError<E> {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error(transparent)]
    World(#[from] WorldError),
    /// The person cannot be asked or told.
    #[error("{0}")]
    Person(E),
}

/// A rank's messages of one game. The order is kept for each sender only, so a message of the next turn may come before
/// one of this turn, and waits here.
pub(crate) struct Post<'w, W> {
    world: &'w mut W,
    queues: [VecDeque<Vec<i32>>; SEATS_MAX],
    /// How long an AI may take for an answer.
    pub(crate) ai_time: Duration,
}

impl<'w, W: World> Post<'w, W> {
    pub(crate) fn new(world: &'w mut W, ai_time: Duration) -> Self {
        Self { world, queues: Default::default(), ai_time }
    }

    pub(crate) fn rank(&self) -> usize {
        self.world.rank()
    }

    pub(crate) fn send(&mut self, to: usize, words: &[i32]) -> Result<(), WorldError> {
        self.world.send(to, GAME_TAG, words.iter().flat_map(|word| word.to_le_bytes()).collect())
    }

    /// Sends a message to each of some ranks but this one.
    pub(crate) fn tell(&mut self, to: impl IntoIterator<Item = usize>, message: Message) -> Result<(), WorldError> {
        let rank = self.rank();
        let words = message.encode(rank);
        to.into_iter().filter(|&to| to != rank).try_for_each(|to| self.send(to, &words))
    }

    /// Waits for a message of any rank; `awaited` is the one to blame if none comes in this time.
    pub(crate) fn wait<E>(&mut self, awaited: Option<usize>, time: Duration) -> Result<(), TableError<E>> {
        let end = awaited.map_or(Deadline::NEVER, |_| Deadline::after(time));
        // AIs may have been told of the end before this one; rank 0 is the last to leave.
        let others = if self.rank() == 0 { 1..self.world.size() } else { 0..1 };
        let message = loop {
            match self.world.receive(Filter::ANY, end.min(Deadline::after(CHECK_EVERY))) {
                Err(WorldError::TimedOut) => {}
                received => break received?,
            }
            if let Some(gone) = others.clone().find(|&rank| self.world.is_gone(rank)) {
                return Err(WorldError::Gone(gone).into());
            }
            if let Some(rank) = awaited.filter(|_| end.is_over()) {
                let what = format!("has not answered within {:.1} s", time.as_secs_f64());
                return Err(Fault::new(rank, what).into());
            }
        };
        let (words, rest) = message.bytes.as_chunks::<4>();
        let queue = self.queues.get_mut(message.from);
        let wrong = match queue {
            _ if message.tag != GAME_TAG || !rest.is_empty() => {
                &format!("sent {} bytes with tag {}, which is no message", message.bytes.len(), message.tag)
            }
            None => "is not in the game and sent a message",
            Some(queue) if queue.len() >= WAITING_MAX => "sends more messages than it may",
            Some(queue) => {
                queue.push_back(words.iter().map(|word| i32::from_le_bytes(*word)).collect());
                return Ok(());
            }
        };
        Err(Fault::new(message.from, wrong).into())
    }

    /// Takes the oldest words of a rank.
    pub(crate) fn words(&mut self, from: usize) -> Option<Vec<i32>> {
        self.queues[from].pop_front()
    }

    /// Takes the oldest message of a rank.
    pub(crate) fn message(&mut self, from: usize) -> Result<Option<Message>, Fault> {
        self.words(from).map(|words| Message::decode(from, &words)).transpose()
    }

    /// Takes the oldest message of a rank if it is the wanted one; returns whether it was.
    pub(crate) fn take(&mut self, from: usize, wanted: &Message) -> Result<bool, Fault> {
        let Some(words) = self.queues[from].front() else { return Ok(false) };
        let is_there = Message::decode(from, words)? == *wanted;
        if is_there {
            self.words(from);
        }
        Ok(is_there)
    }

    /// Takes the oldest message of rank 0 if it is the end of the game, and may be. It may come instead of an answer,
    /// which is a single word.
    pub(crate) fn over(&mut self, may_end: impl Fn(&Over) -> bool) -> Result<Option<Over>, Fault> {
        let Some(words) = self.queues[0].front().filter(|words| words.len() > 1) else { return Ok(None) };
        match Message::decode(0, words)? {
            Message::Over(over) if may_end(&over) => {
                self.words(0);
                Ok(Some(over))
            }
            _ => Ok(None),
        }
    }
}
