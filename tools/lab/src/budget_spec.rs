//! The limits of a contender's moves.

use std::str::FromStr;
use std::time::Duration;

use amazons_player::thread_time;
use amazons_search::Limits;

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
    /// Returns the limits of a search that starts now, on this thread.
    pub(crate) fn limits(self) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::Time(time) => Limits::default().with_time(time, thread_time),
        }
    }
}
