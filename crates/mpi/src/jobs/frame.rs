//! What ranks say about jobs: a byte that says what it is, a number if it is about a job, and the caller's bytes.

use crate::jobs::Dismissal;

/// The number of a job, from 0 in the order in which jobs were pushed; none is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// What the dispatcher says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ToWorker {
    Job(JobId, Vec<u8>),
    Cancel(JobId),
    Message(Vec<u8>),
    Alive,
    Stop,
    End(Dismissal),
}

/// What a worker says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ToDispatcher {
    Partial(JobId, Vec<u8>),
    Result(JobId, Vec<u8>),
    Message(Vec<u8>),
    /// It lives, and these are the jobs that it has in hand.
    Alive(Vec<JobId>),
    /// The last word: it cannot go on, and why.
    Failed(String),
    /// The last word: it was told to stop.
    Bye,
}

impl ToWorker {
    pub(super) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Job(id, bytes) => frame(0, Some(*id), bytes),
            Self::Cancel(id) => frame(1, Some(*id), &[]),
            Self::Message(bytes) => frame(2, None, bytes),
            Self::Alive => frame(3, None, &[]),
            Self::Stop => frame(4, None, &[]),
            Self::End(Dismissal::Together) => frame(5, None, &[]),
            Self::End(Dismissal::Scattered) => frame(6, None, &[]),
        }
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let found = bytes.split_first().and_then(|(kind, rest)| match kind {
            0 => job(rest).map(|(id, bytes)| Self::Job(id, bytes)),
            1 => job(rest).filter(|(_, rest)| rest.is_empty()).map(|(id, _)| Self::Cancel(id)),
            2 => Some(Self::Message(rest.to_vec())),
            3 => rest.is_empty().then_some(Self::Alive),
            4 => rest.is_empty().then_some(Self::Stop),
            5 => rest.is_empty().then_some(Self::End(Dismissal::Together)),
            6 => rest.is_empty().then_some(Self::End(Dismissal::Scattered)),
            _ => None,
        });
        found.ok_or_else(|| unknown(bytes))
    }
}

impl ToDispatcher {
    pub(super) fn encode(&self) -> Vec<u8> {
        match self {
            Self::Partial(id, bytes) => frame(0, Some(*id), bytes),
            Self::Result(id, bytes) => frame(1, Some(*id), bytes),
            Self::Message(bytes) => frame(2, None, bytes),
            Self::Alive(ids) => {
                let ids: Vec<u8> = ids.iter().flat_map(|id| id.0.to_le_bytes()).collect();
                frame(3, None, &ids)
            }
            Self::Failed(reason) => frame(4, None, reason.as_bytes()),
            Self::Bye => frame(5, None, &[]),
        }
    }

    pub(super) fn decode(bytes: &[u8]) -> Result<Self, String> {
        let found = bytes.split_first().and_then(|(kind, rest)| match kind {
            0 => job(rest).map(|(id, bytes)| Self::Partial(id, bytes)),
            1 => job(rest).map(|(id, bytes)| Self::Result(id, bytes)),
            2 => Some(Self::Message(rest.to_vec())),
            3 => {
                let (ids, rest) = rest.as_chunks();
                let ids = ids.iter().map(|id| JobId(u64::from_le_bytes(*id))).collect();
                rest.is_empty().then_some(Self::Alive(ids))
            }
            4 => Some(Self::Failed(String::from_utf8_lossy(rest).into_owned())),
            5 => rest.is_empty().then_some(Self::Bye),
            _ => None,
        });
        found.ok_or_else(|| unknown(bytes))
    }
}

fn frame(kind: u8, id: Option<JobId>, bytes: &[u8]) -> Vec<u8> {
    let mut frame = Vec::with_capacity(1 + 8 + bytes.len());
    frame.push(kind);
    if let Some(JobId(id)) = id {
        frame.extend(id.to_le_bytes());
    }
    frame.extend(bytes);
    frame
}

fn job(bytes: &[u8]) -> Option<(JobId, Vec<u8>)> {
    let (id, rest) = bytes.split_first_chunk()?;
    Some((JobId(u64::from_le_bytes(*id)), rest.to_vec()))
}

fn unknown(bytes: &[u8]) -> String {
    format!("a message of {} bytes is not about jobs", bytes.len())
}
