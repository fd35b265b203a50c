use thiserror::Error;

use super::order::Span;

/// The longest frame, in bytes.
pub const FRAME_MAX: usize = 32;

/// The state of the sender, by which late frames are recognised.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The number of the game, from 0.
    pub game: u16,
    /// The number of answers that the sender knows in this game.
    pub round: u16,
    /// How many ranges the player has taken over in this game, besides its own part.
    pub taken: u16,
    /// The number of frames from this sender to this receiver before this one.
    pub number: u32,
}

/// A message between the master and a player: a byte for its kind, a stamp, and small numbers, all little-endian.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame {
    pub stamp: Stamp,
    pub body: Body,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A player proposes the code with this index in lexicographic order, after that many tests in this round.
    Propose {
        index: u32,
        /// The comparisons that the player made since its last proposal.
        tests: u64,
    },
    /// The master has evaluated a code; the stamp counts this answer too.
    Answer {
        index: u32,
        /// Pegs in the right place.
        blacks: u8,
        /// Right colours in wrong places.
        whites: u8,
    },
    /// A player has no code left. From the master: another player has none, give up half of yours.
    Empty {
        /// The comparisons that the player made since its last proposal.
        tests: u64,
    },
    /// Search these codes too. From a player: these codes are given up, for others to search.
    Take(Span),
    /// Work through this range; an empty one says only that the master lives. From a player: this is left of its
    /// range, and it is at work.
    Chunk(Span),
    /// The best guess of a chunk.
    Best {
        /// Where the chunk begins.
        from: u32,
        /// The key; the least is best.
        key: i64,
        /// Whether the guess may be the secret.
        is_possible: bool,
        index: u32,
        /// How many guesses were scored, or with `first` how many codes of the chunk are left.
        count: u32,
    },
    End {
        /// Whether another game follows.
        is_more: bool,
        /// Whether a rank was lost: then nobody waits for the others when it leaves.
        has_lost: bool,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{len} bytes that are not a frame of Mastermind")]
pub struct FrameError {
    len: usize,
}

impl Body {
    /// A sign of life of the master.
    pub const ALIVE: Self = Self::Chunk(Span::EMPTY);
}

impl Frame {
    pub fn encode(&self) -> Vec<u8> {
        let Stamp { game, round, taken, number } = self.stamp;
        let mut bytes = vec![0];
        bytes.extend([game, round, taken].iter().flat_map(|short| short.to_le_bytes()));
        bytes.extend(number.to_le_bytes());
        let span = |bytes: &mut Vec<u8>, span: Span| {
            for number in [span.from, span.to, span.step] {
                bytes.extend(number.to_le_bytes());
            }
        };
        bytes[0] = match self.body {
            Body::Propose { index, tests } => {
                bytes.extend(index.to_le_bytes());
                bytes.extend(tests.to_le_bytes());
                1
            }
            Body::Answer { index, blacks, whites } => {
                bytes.extend(index.to_le_bytes());
                bytes.extend([blacks, whites]);
                2
            }
            Body::Empty { tests } => {
                bytes.extend(tests.to_le_bytes());
                3
            }
            Body::Take(taken) => {
                span(&mut bytes, taken);
                4
            }
            Body::Chunk(chunk) => {
                span(&mut bytes, chunk);
                5
            }
            Body::Best { from, key, is_possible, index, count } => {
                bytes.extend(from.to_le_bytes());
                bytes.extend(key.to_le_bytes());
                bytes.push(u8::from(is_possible));
                bytes.extend(index.to_le_bytes());
                bytes.extend(count.to_le_bytes());
                6
            }
            Body::End { is_more, has_lost } => {
                bytes.extend([u8::from(is_more), u8::from(has_lost)]);
                7
            }
        };
        bytes
    }

    pub fn decode(bytes: &[u8]) -> Result<Self, FrameError> {
        let error = FrameError { len: bytes.len() };
        let mut reader = Reader(bytes);
        let frame = reader.frame().filter(|_| reader.0.is_empty());
        frame.ok_or(error)
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*head)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn number(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn long(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.take()? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    fn span(&mut self) -> Option<Span> {
        let span = Span { from: self.number()?, to: self.number()?, step: self.number()? };
        (span.step > 0).then_some(span)
    }

    fn frame(&mut self) -> Option<Frame> {
        let [kind] = self.take()?;
        let stamp = Stamp { game: self.short()?, round: self.short()?, taken: self.short()?, number: self.number()? };
        let body = match kind {
            1 => Body::Propose { index: self.number()?, tests: self.long()? },
            2 => {
                let index = self.number()?;
                let [blacks, whites] = self.take()?;
                Body::Answer { index, blacks, whites }
            }
            3 => Body::Empty { tests: self.long()? },
            4 => Body::Take(self.span()?),
            5 => Body::Chunk(self.span()?),
            6 => Body::Best {
                from: self.number()?,
                key: self.long()?.cast_signed(),
                is_possible: self.flag()?,
                index: self.number()?,
                count: self.number()?,
            },
            7 => Body::End { is_more: self.flag()?, has_lost: self.flag()? },
            _ => return None,
        };
        Some(Frame { stamp, body })
    }
}
