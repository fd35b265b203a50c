use std::ffi::c_int;

use thiserror::Error;

/// The kind of a message.
pub type Tag = u16;

/// The largest tag for callers; higher ones carry collectives and jobs.
pub const TAG_MAX: Tag = 0x3fff;

/// The longest message, in bytes.
pub const MESSAGE_MAX: usize = 1 << 30;

/// A received message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The rank that sent it.
    pub from: usize,
    /// Its tag.
    pub tag: Tag,
    /// Its content.
    pub bytes: Vec<u8>,
}

/// Selects the messages to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Filter {
    from: Option<usize>,
    /// None for all up to [`TAG_MAX`].
    tag: Option<Tag>,
}

impl Filter {
    /// Messages from any rank, with any tag up to [`TAG_MAX`].
    pub const ANY: Self = Self { from: None, tag: None };

    /// Keeps only messages from this rank.
    #[must_use]
    pub const fn sent_by(self, rank: usize) -> Self {
        Self { from: Some(rank), tag: self.tag }
    }

    /// Keeps only messages with this tag.
    #[must_use]
    pub const fn with_tag(self, tag: Tag) -> Self {
        Self { from: self.from, tag: Some(tag) }
    }

    /// Returns the only rank whose messages match, if there is just one.
    pub const fn sender(self) -> Option<usize> {
        self.from
    }

    /// Returns whether a message matches.
    pub fn matches(self, message: &Message) -> bool {
        self.tag.map_or(message.tag <= TAG_MAX, |tag| tag == message.tag)
            && self.from.is_none_or(|from| from == message.from)
    }
}

/// Why a call into the library is of no use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LibraryError {
    /// It has no such function or constant.
    #[error("it has no {0}")]
    Missing(String),
    /// A call failed.
    #[error("{0} failed with code {1}")]
    Failed(&'static str, c_int),
    /// A call says what cannot be.
    #[error("{0} says {1}")]
    Impossible(&'static str, c_int),
    /// A message is longer than an `int` can say.
    #[error("a message is too long")]
    TooLong,
}

/// Why a message cannot be sent or received.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WorldError {
    /// No matching message arrived in time.
    #[error("no message has arrived in time")]
    TimedOut,
    /// The rank has ended or cannot be reached.
    #[error("rank {0} has ended")]
    Gone(usize),
    /// All other ranks have ended.
    #[error("all other ranks have ended")]
    Alone,
    /// A rank aborted the job.
    #[error("rank {rank} aborted the job with status {status}")]
    Aborted {
        /// The rank.
        rank: usize,
        /// The exit status of the job.
        status: u8,
    },
    /// There is no such rank, or the message is longer than [`MESSAGE_MAX`].
    #[error("no message of {len} bytes can be sent to rank {to}")]
    Unsendable {
        /// The rank.
        to: usize,
        /// The length of the message.
        len: usize,
    },
    /// The MPI library failed.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

/// Checks a message before sending.
pub(crate) fn check_sendable(size: usize, to: usize, bytes: &[u8]) -> Result<(), WorldError> {
    let len = bytes.len();
    if to < size && len <= MESSAGE_MAX { Ok(()) } else { Err(WorldError::Unsendable { to, len }) }
}
