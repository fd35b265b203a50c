//! The result of a step.

use serde::{Deserialize, Serialize};

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    Passed,
    Failed,
    Skipped,
}

/// The result of a step.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    pub(super) status: Status,
    /// An observation, an error, or why the step was skipped: a lower-case fragment.
    pub(super) detail: String,
    /// Advice on a failure.
    pub(super) advice: Option<String>,
}

impl Finding {
    pub(super) fn passed(detail: impl Into<String>) -> Self {
        Self { status: Status::Passed, detail: detail.into(), advice: None }
    }

    pub(super) fn skipped(detail: impl Into<String>) -> Self {
        Self { status: Status::Skipped, detail: detail.into(), advice: None }
    }

    pub(super) fn failed(detail: impl Into<String>, advice: impl Into<String>) -> Self {
        Self { status: Status::Failed, detail: detail.into(), advice: Some(advice.into()) }
    }
}

/// A step's label in reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub(super) number: usize,
    /// For programs.
    pub(super) name: &'static str,
    /// For people.
    pub(super) title: &'static str,
    /// Whether a failure is only a warning: our server never asks this of a player.
    pub(super) is_optional: bool,
}
