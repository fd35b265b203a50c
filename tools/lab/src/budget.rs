//! What a contender may use for a move.

use std::str::FromStr;
use std::thread::{self, ThreadId};
use std::time::Duration;

use amazons_search::{Budget, Progress};
use rustix::time::{ClockId, clock_gettime};

/// Nodes, or processor time of the thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BudgetSpec {
    Nodes(u64),
    Time(Duration),
}

impl FromStr for BudgetSpec {
    type Err = String;

    /// Reads `2000` (nodes) or `50ms`.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = |digits: &str| {
            digits.parse().map_err(|_| format!("'{text}' is neither nodes nor a time: use 2000 or 50ms"))
        };
        match text.strip_suffix("ms") {
            Some(millis) => Ok(Self::Time(Duration::from_millis(number(millis)?))),
            None => Ok(Self::Nodes(number(text)?)),
        }
    }
}

impl BudgetSpec {
    pub(crate) fn start(self) -> SearchBudget {
        match self {
            Self::Nodes(nodes) => SearchBudget { nodes, end: None },
            Self::Time(time) => {
                SearchBudget { nodes: u64::MAX, end: Some((thread::current().id(), thread_time() + time)) }
            }
        }
    }
}

/// An allowance that is being used.
#[derive(Debug)]
pub(crate) struct SearchBudget {
    nodes: u64,
    /// By the clock of the thread that has started.
    end: Option<(ThreadId, Duration)>,
}

impl Budget for SearchBudget {
    fn exhausted(&mut self, _: &Progress) -> bool {
        self.end.is_some_and(|(leader, end)| thread::current().id() == leader && thread_time() >= end)
    }

    fn max_nodes(&self) -> u64 {
        self.nodes
    }
}

/// The processor time of this thread.
pub(crate) fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}
