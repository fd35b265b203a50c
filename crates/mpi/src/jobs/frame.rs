use crate::jobs::Dismissal;

/// The number of a job, from 0 in the order of pushing; no number is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub u64);

/// A message about jobs: a byte for its kind, job numbers, and the caller's bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    // From the dispatcher.
    Job(JobId, Vec<u8>),
    Cancel(JobId),
    Stop,
    End(Dismissal),
    // From a worker.
    Partial(JobId, Vec<u8>),
    Result(JobId, Vec<u8>),
    /// The final message: it cannot go on, and the reason.
    Failed(String),
    /// The final message: it was asked to stop.
    Bye,
    // From either.
    Message(Vec<u8>),
    /// The sender lives; a worker adds the jobs it has in hand.
    Alive(Vec<JobId>),
}

impl Frame {
    pub(super) fn encode(&self) -> Vec<u8> {
        let frame = |kind: u8, ids: &[JobId], bytes: &[u8]| {
            let mut frame = vec![kind];
            frame.extend(ids.iter().flat_map(|id| id.0.to_le_bytes()));
            frame.extend(bytes);
            frame
        };
        match self {
            Self::Job(id, bytes) => frame(0, &[*id], bytes),
            Self::Cancel(id) => frame(1, &[*id], &[]),
            Self::Stop => frame(2, &[], &[]),
            Self::End(Dismissal::Together) => frame(3, &[], &[]),
            Self::End(Dismissal::Scattered) => frame(4, &[], &[]),
            Self::Partial(id, bytes) => frame(5, &[*id], bytes),
            Self::Result(id, bytes) => frame(6, &[*id], bytes),
            Self::Failed(reason) => frame(7, &[], reason.as_bytes()),
            Self::Bye => frame(8, &[], &[]),
            Self::Message(bytes) => frame(9, &[], bytes),
            Self::Alive(ids) => frame(10, ids, &[]),
        }
    }

    pub(super) fn decode(frame: &[u8]) -> Option<Self> {
        let (kind, rest) = frame.split_first()?;
        let (ids, tail) = rest.as_chunks();
        let ids: Vec<JobId> = ids.iter().map(|id| JobId(u64::from_le_bytes(*id))).collect();
        let bytes = || rest.get(size_of::<JobId>()..).unwrap_or_default().to_vec();
        Some(match (kind, &ids[..], rest.len()) {
            (0, [id, ..], _) => Self::Job(*id, bytes()),
            (1, [id], 8) => Self::Cancel(*id),
            (2, [], 0) => Self::Stop,
            (3, [], 0) => Self::End(Dismissal::Together),
            (4, [], 0) => Self::End(Dismissal::Scattered),
            (5, [id, ..], _) => Self::Partial(*id, bytes()),
            (6, [id, ..], _) => Self::Result(*id, bytes()),
            (7, ..) => Self::Failed(String::from_utf8_lossy(rest).into_owned()),
            (8, [], 0) => Self::Bye,
            (9, ..) => Self::Message(rest.to_vec()),
            (10, ..) if tail.is_empty() => Self::Alive(ids),
            _ => return None,
        })
    }
}

/// Returns the complaint about an unexpected message.
pub(super) fn unexpected(frame: &[u8]) -> String {
    format!("a message of {} bytes is not about jobs", frame.len())
}
