use serde::Serialize;

/// One thing that was looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What was looked at.
    pub subject: &'static str,
    /// How it is.
    pub state: State,
    /// What was found.
    pub found: String,
    /// What is lost because of that; null when nothing is.
    pub lost: Option<&'static str>,
    /// How to get it; null when there is nothing to get.
    pub remedy: Option<&'static str>,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// As it should be.
    Good,
    /// Less than there could be, but nothing that protects anybody.
    Fair,
    /// Something that protects others from players is missing.
    Poor,
}

impl Finding {
    pub(super) fn good(subject: &'static str, found: impl Into<String>) -> Self {
        Self { subject, state: State::Good, found: found.into(), lost: None, remedy: None }
    }

    pub(super) fn lacking(
        subject: &'static str,
        state: State,
        found: impl Into<String>,
        lost: &'static str,
        remedy: &'static str,
    ) -> Self {
        Self { subject, state, found: found.into(), lost: Some(lost), remedy: Some(remedy) }
    }
}
