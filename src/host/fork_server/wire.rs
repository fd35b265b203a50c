//! What the server and the fork server say to each other: packets of fixed size over a socket pair.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use super::super::bytes::{Reader, Writer};

pub(super) const REQUEST_LEN: usize = 8;
pub(super) const REPLY_LEN: usize = 24;

/// The descriptors that come with [`Request::Fork`]: where requests are read, where replies and the log are written.
pub(super) const FORK_FDS: usize = 3;

/// What the fork server is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Request {
    /// A new process; three descriptors come along.
    Fork,
    /// How this process ended, if it has.
    Reap(i32),
}

impl Request {
    pub(super) fn encode(self) -> [u8; REQUEST_LEN] {
        let mut bytes = [0; REQUEST_LEN];
        let mut writer = Writer::new(&mut bytes);
        let (kind, pid) = match self {
            Self::Fork => (1, 0),
            Self::Reap(pid) => (2, pid),
        };
        writer.u32(kind);
        writer.u32(pid.cast_unsigned());
        bytes
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        match (reader.u32()?, reader.u32()?.cast_signed()) {
            (1, 0) => Some(Self::Fork),
            (2, pid) => Some(Self::Reap(pid)),
            _ => None,
        }
    }
}

/// What the fork server answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// The new process.
    Forked(i32),
    /// The system's error number.
    Failed(i32),
    /// The process has not ended, or nobody may know how.
    NotYet,
    /// The process ended itself with a status, and used this much memory at its peak.
    Exited { status: i32, peak_bytes: u64 },
    /// A signal ended the process, which used this much memory at its peak.
    Killed { signal: i32, peak_bytes: u64 },
}

impl Reply {
    pub(super) fn encode(self) -> [u8; REPLY_LEN] {
        let mut bytes = [0; REPLY_LEN];
        let mut writer = Writer::new(&mut bytes);
        let (kind, value, peak_bytes) = match self {
            Self::Forked(pid) => (1, pid, 0),
            Self::Failed(errno) => (2, errno, 0),
            Self::NotYet => (3, 0, 0),
            Self::Exited { status, peak_bytes } => (4, status, peak_bytes),
            Self::Killed { signal, peak_bytes } => (5, signal, peak_bytes),
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
            4 => Self::Exited { status: value, peak_bytes },
            5 => Self::Killed { signal: value, peak_bytes },
            _ => return None,
        })
    }
}
