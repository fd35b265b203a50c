use std::collections::VecDeque;

use thiserror::Error;

/// What a message is about.
pub type Tag = u16;

/// The largest tag that callers may use; the ones above carry collectives and jobs.
pub const TAG_MAX: Tag = 0x3fff;

/// No message is longer, in bytes.
pub const MESSAGE_MAX: usize = 1 << 30;

/// A message that has arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The rank that sent it.
    pub from: usize,
    /// Its tag.
    pub tag: Tag,
    /// What it says.
    pub bytes: Vec<u8>,
}

/// Which messages to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    from: Option<usize>,
    tags: Tags,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tags {
    /// Those of callers.
    User,
    One(Tag),
    All,
}

impl Filter {
    /// From any rank, with any tag up to [`TAG_MAX`].
    pub const ANY: Self = Self { from: None, tags: Tags::User };

    /// Every message, also those of collectives and jobs: for worlds that wrap another.
    pub const ALL: Self = Self { from: None, tags: Tags::All };

    /// Only messages from this rank.
    #[must_use]
    pub const fn sent_by(self, rank: usize) -> Self {
        Self { from: Some(rank), tags: self.tags }
    }

    /// Only messages with this tag.
    #[must_use]
    pub const fn with_tag(self, tag: Tag) -> Self {
        Self { from: self.from, tags: Tags::One(tag) }
    }

    /// Returns the one rank whose messages it lets through, if there is only one.
    #[must_use]
    pub const fn sender(self) -> Option<usize> {
        self.from
    }

    /// Returns whether it lets a message through.
    #[must_use]
    pub fn matches(self, message: &Message) -> bool {
        let tag_fits = match self.tags {
            Tags::User => message.tag <= TAG_MAX,
            Tags::One(tag) => message.tag == tag,
            Tags::All => true,
        };
        tag_fits && self.from.is_none_or(|from| from == message.from)
    }
}

/// Messages that have arrived, in this order, and nobody has asked for yet.
#[derive(Clone, Debug, Default)]
pub struct Inbox(VecDeque<Message>);

impl Inbox {
    /// Adds a message that has arrived.
    pub fn push(&mut self, message: Message) {
        self.0.push_back(message);
    }

    /// Takes the oldest message that fits.
    pub fn take(&mut self, filter: Filter) -> Option<Message> {
        let at = self.0.iter().position(|message| filter.matches(message))?;
        self.0.remove(at)
    }

    /// Returns the oldest message that fits, which stays.
    #[must_use]
    pub fn peek(&self, filter: Filter) -> Option<&Message> {
        self.0.iter().find(|message| filter.matches(message))
    }
}

impl Extend<Message> for Inbox {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, messages: I) {
        self.0.extend(messages);
    }
}

/// Why a message cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WorldError {
    /// Nothing that fits has arrived in time.
    #[error("no message has arrived in time")]
    TimedOut,
    /// The rank has ended or cannot be reached.
    #[error("rank {0} has ended")]
    Gone(usize),
    /// All other ranks have ended.
    #[error("all other ranks have ended")]
    Alone,
    /// A rank called for the end of the job.
    #[error("rank {rank} aborted the job with status {status}")]
    Aborted {
        /// The rank.
        rank: usize,
        /// What the job is to exit with.
        status: u8,
    },
    /// There is no such rank, or the message is longer than [`MESSAGE_MAX`].
    #[error("no message of {len} bytes can be sent to rank {to}")]
    Unsendable {
        /// The rank.
        to: usize,
        /// How long the message is.
        len: usize,
    },
    /// The MPI library failed.
    #[error("{0}")]
    Library(String),
}

/// Checks a message that is to be sent.
pub(crate) fn check_sendable(size: usize, to: usize, bytes: &[u8]) -> Result<(), WorldError> {
    let len = bytes.len();
    if to < size && len <= MESSAGE_MAX { Ok(()) } else { Err(WorldError::Unsendable { to, len }) }
}
