use serde::{Deserialize, Serialize};

use crate::jobs::Dismissal;

/// The number of a job, from 0 in the order of pushing; no number is used twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId(pub u64);

/// A message of the dispatcher.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToWorker<J, M> {
    Job(JobId, J),
    Cancel(JobId),
    Stop,
    End(Dismissal),
    Message(M),
    Heartbeat,
}

/// A message of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ToLeader<A, M> {
    Partial(JobId, A),
    Result(JobId, A),
    /// The final message: it cannot go on, and the reason.
    Failed(String),
    /// The final message: it was asked to stop.
    Bye,
    Message(M),
    /// The jobs that it has in hand.
    Heartbeat(Vec<JobId>),
}
