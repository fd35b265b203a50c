use std::fmt::Display;

use thiserror::Error;

use super::names::{PLAYERS, name_rule};

/// The reason why a plan cannot be played, in a line.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct PlanError(pub(in crate::tournament) String);

impl PlanError {
    pub(crate) fn new(reason: impl Display) -> Self {
        Self(reason.to_string())
    }

    /// Refuses a name that cannot stand in a table and in a file's name.
    pub fn of_name(name: &str) -> Self {
        Self(format!("invalid player name '{name}': {}", name_rule()))
    }

    /// Refuses to plan an event of so many players.
    pub(super) fn of_players(count: usize) -> Self {
        let (least, most) = (PLAYERS.start(), PLAYERS.end());
        Self(format!("an event cannot have {count} players: name {least} to {most}"))
    }
}
