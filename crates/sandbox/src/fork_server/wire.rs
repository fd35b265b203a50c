//! The fixed-size packets between the caller and the fork server, over a socket pair.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::fmt;

use crate::bytes::{Reader, Writer};

/// A request is a number: [`FORK`], or the process whose end is requested.
pub(super) const REQUEST_LEN: usize = 4;
pub(super) const REPLY_LEN: usize = 24;

/// Requests a new process, with the descriptors for its requests, its replies, its log and, for some processes, what it
/// hands over.
pub(super) const FORK: i32 = 0;

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessEnd {
    /// It exited.
    Exited {
        /// The status that it returned.
        status: i32,
        /// Its peak memory in bytes.
        peak_bytes: u64,
    },
    /// A signal ended it.
    Killed {
        /// The signal's number.
        signal: i32,
        /// Its peak memory in bytes.
        peak_bytes: u64,
    },
    /// The kernel reports the end to another process, a tracer.
    Unknown,
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exited { status, .. } => write!(f, "it ended with status {status}"),
            Self::Killed { signal, .. } => write!(f, "signal {signal} ended it"),
            Self::Unknown => f.write_str("it ended"),
        }
    }
}

/// A reply of the fork server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The new process.
    Forked(i32),
    /// The system's error number.
    Failed(i32),
    /// The process has not ended, or only its tracer may know how.
    NotYet,
    /// The process ended.
    Ended(ProcessEnd),
    /// The process ended, but left this process of its own, which cannot be ended.
    Left(i32),
}

impl Reply {
    pub(super) fn encode(self) -> [u8; REPLY_LEN] {
        let mut bytes = [0; REPLY_LEN];
        let mut writer = Writer::new(&mut bytes);
        let (kind, value, peak_bytes) = match self {
            Self::Forked(pid) => (1, pid, 0),
            Self::Failed(errno) => (2, errno, 0),
            Self::NotYet | Self::Ended(ProcessEnd::Unknown) => (3, 0, 0),
            Self::Ended(ProcessEnd::Exited { status, peak_bytes }) => (4, status, peak_bytes),
            Self::Ended(ProcessEnd::Killed { signal, peak_bytes }) => (5, signal, peak_bytes),
            Self::Left(pid) => (6, pid, 0),
        };
        writer.u32(kind);
        writer.u32(value.cast_unsigned());
        writer.u64(peak_bytes);
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let (kind, value, peak_bytes) = (reader.u32()?, reader.u32()?.cast_signed(), reader.u64()?);
        Some(match kind {
            1 => Self::Forked(value),
            2 => Self::Failed(value),
            3 => Self::NotYet,
            4 => Self::Ended(ProcessEnd::Exited { status: value, peak_bytes }),
            5 => Self::Ended(ProcessEnd::Killed { signal: value, peak_bytes }),
            6 => Self::Left(value),
            _ => return None,
        })
    }
}
