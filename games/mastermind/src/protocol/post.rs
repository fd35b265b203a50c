use std::collections::{BTreeMap, VecDeque};

use amazons_mpi::jobs::ServeError;
use amazons_mpi::{Deadline, DecodeError, Filter, Tag, World, WorldError, decode, encode};
use thiserror::Error;

use super::frame::{Body, Frame, Stamp};

pub const MASTERMIND_TAG: Tag = 17;

/// Frames between ranks. Those of a sender are read in the order of sending, however they arrive.
#[derive(Debug)]
pub struct Post<W> {
    pub world: W,
    links: Vec<Link>,
    ready: VecDeque<(usize, Frame)>,
    /// Whether a rank is lost, as far as this one knows.
    pub has_lost: bool,
}

/// The state of the frames between this rank and another.
#[derive(Debug, Default)]
struct Link {
    sent: u32,
    received: u32,
    /// Frames that have overtaken others.
    early: BTreeMap<u32, Frame>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProtocolError {
    #[error("rank {rank} {what}")]
    Misbehaved {
        rank: usize,
        /// The end of a sentence that begins with the rank.
        what: String,
    },
    #[error("no code fits the answers")]
    NoCode,
    #[error("all players are lost")]
    NobodyLeft,
    #[error(transparent)]
    World(#[from] WorldError),
    #[error(transparent)]
    Jobs(#[from] ServeError),
    #[error("the game was stopped")]
    Stopped,
}

impl ProtocolError {
    pub(crate) fn misbehaved(rank: usize, what: impl ToString) -> Self {
        Self::Misbehaved { rank, what: what.to_string() }
    }
}

impl<W: World> Post<W> {
    pub fn new(world: W) -> Self {
        let links = (0..world.size()).map(|_| Link::default()).collect();
        Self { world, links, ready: VecDeque::new(), has_lost: false }
    }

    /// Sends a frame; a receiver that has ended gets none.
    pub fn send(&mut self, to: usize, stamp: Stamp, body: Body) -> Result<(), ProtocolError> {
        let link = &mut self.links[to];
        let stamp = Stamp { number: link.sent, ..stamp };
        link.sent += 1;
        let bytes = encode(&Frame { stamp, body }).expect("plain numbers");
        match self.world.send(to, MASTERMIND_TAG, bytes) {
            // Its end shows when it is looked for.
            Ok(()) | Err(WorldError::Gone(_)) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    pub fn try_receive(&mut self) -> Result<Option<(usize, Frame)>, ProtocolError> {
        self.world.unsent()?;
        while self.ready.is_empty() {
            let Some(message) = self.world.try_receive(Filter::ANY)? else { return Ok(None) };
            let rank = message.from;
            if message.tag != MASTERMIND_TAG {
                let what = format_args!("sent a message with tag {}, which is not of Mastermind", message.tag);
                return Err(ProtocolError::misbehaved(rank, what));
            }
            let wrong = |error: DecodeError| ProtocolError::misbehaved(rank, format_args!("sent {error}"));
            let frame: Frame = decode(&message.bytes).map_err(wrong)?;
            let link = &mut self.links[rank];
            link.early.insert(frame.stamp.number, frame);
            while let Some(frame) = link.early.remove(&link.received) {
                link.received += 1;
                self.has_lost |= matches!(frame.body, Body::End { has_lost: true, .. });
                self.ready.push_back((rank, frame));
            }
        }
        Ok(self.ready.pop_front())
    }

    /// Sleeps until a frame may have arrived.
    pub fn wait(&mut self, deadline: Deadline) -> Result<(), ProtocolError> {
        // A look for lost ranks may have found a frame, which wakes nobody again.
        if self.is_silent()? {
            self.world.wait(deadline)?;
        }
        Ok(())
    }

    /// Returns whether nothing has arrived.
    pub fn is_silent(&mut self) -> Result<bool, ProtocolError> {
        Ok(self.ready.is_empty() && self.world.try_probe(Filter::ANY)?.is_none())
    }

    /// Returns whether a rank has ended and everything it sent has been read.
    pub fn is_gone(&mut self, rank: usize) -> Result<bool, ProtocolError> {
        if !self.world.is_gone(rank) {
            return Ok(false);
        }
        let is_read = self.world.try_probe(Filter::ANY.sent_by(rank))?.is_none();
        Ok(is_read && self.ready.iter().all(|(from, _)| *from != rank))
    }
}
