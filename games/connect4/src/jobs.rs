//! The jobs that the ranks of a session do for each other.

use std::time::Duration;

use amazons_mpi::jobs::NobodyLeft;
use serde::{Deserialize, Serialize};

use crate::average::Value;
use crate::{DepthError, Position, Task};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Job {
    Average(Question),
    /// To share the tables of the averaged search at this address, if it is of this machine.
    Tables([u8; 16]),
    Perfect(BoundQuestion),
}

/// The answer to a job of the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Reply {
    Average(Answer),
    Tables,
    /// A bound of the score, and the positions searched for it.
    Perfect {
        bound: i32,
        nodes: u64,
    },
}

/// How a task is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Method {
    /// The rule as it is written, to count its calls.
    Plain,
    /// With a table, and wins seen early.
    Table,
}

/// A task of the averaged search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The number of the search.
    pub search: u32,
    /// The position; the game goes on.
    pub position: Position,
    /// The plies to search.
    pub depth: u32,
    pub method: Method,
    /// The plies of the whole search, which the size of the table follows from.
    pub whole_depth: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// For the side to move.
    pub value: Value,
    /// Executions of the rule, or positions looked at.
    pub calls: u64,
    /// The processor time it took.
    pub cpu: Duration,
}

/// Is the score of a position at least `beta`?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoundQuestion {
    pub position: Position,
    pub beta: i32,
}

/// No game has more plies.
const MAX_DEPTH: u32 = 64;

impl Question {
    pub const fn new(task: &Task, search: u32, method: Method, whole_depth: u32) -> Self {
        Self { search, position: task.position, depth: task.depth, method, whole_depth }
    }

    /// Returns whether it can be answered.
    pub fn is_sound(&self) -> bool {
        self.depth <= MAX_DEPTH && self.whole_depth <= MAX_DEPTH && self.position.ending().is_none()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    #[error(transparent)]
    Depth(#[from] DepthError),
    #[error(transparent)]
    NobodyLeft(#[from] NobodyLeft),
    /// A rank sent what nobody asked for: it runs another program, or another version.
    #[error("rank {rank}: {what}")]
    Protocol { rank: usize, what: String },
    #[error("stopped")]
    Stopped,
}

impl SearchError {
    pub(crate) fn another_kind(rank: usize) -> Self {
        Self::Protocol { rank, what: "it answered a job of another kind".to_owned() }
    }
}
