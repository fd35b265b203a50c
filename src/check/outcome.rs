//! The findings of a check: its text, its JSON and its file for Gradescope are written from this, and read from no text.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use amazons_rules::Directions;
use serde::{Deserialize, Serialize};

use super::finding::{Finding, Label, Status};
use crate::game::DirectionsArg;
use crate::text::visible;

/// The indent of a failure's second line.
const INDENT: usize = 13;

/// A step, and what was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CheckedStep {
    #[serde(rename = "step")]
    pub(super) number: usize,
    /// For programs.
    pub(super) name: Cow<'static, str>,
    pub(super) status: Status,
    /// Whether a failure is only a warning.
    #[serde(rename = "optional")]
    pub(super) is_optional: bool,
    pub(super) detail: String,
    pub(super) advice: Option<String>,
    /// For people.
    pub(super) title: Cow<'static, str>,
}

/// The findings of a check.
#[derive(Clone, Debug, Default)]
pub struct CheckOutcome {
    pub(super) steps: Vec<CheckedStep>,
    /// The numbering that the player needs, if it is not the requested one.
    pub needed: Option<DirectionsArg>,
}

/// The last line as JSON.
#[derive(Serialize, Deserialize)]
pub(super) struct SummaryLine {
    verdict: Status,
    passed: usize,
    failed: usize,
    warnings: usize,
    skipped: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    directions: Option<DirectionsArg>,
}

impl CheckedStep {
    pub(super) fn new(label: Label, finding: Finding) -> Self {
        let Label { number, name, title, is_optional } = label;
        let Finding { status, detail, advice } = finding;
        Self { number, name: name.into(), title: title.into(), status, is_optional, detail, advice }
    }

    fn is_failure(&self) -> bool {
        self.status == Status::Failed && !self.is_optional
    }
}

impl CheckOutcome {
    /// Reads the lines that `check --json` has written, of a check that was ended also the first ones; returns what else
    /// was printed, too.
    pub fn read(printed: &str) -> (Self, String) {
        let (mut outcome, mut rest) = (Self::default(), String::new());
        for line in printed.lines() {
            if let Ok(step) = serde_json::from_str(line) {
                outcome.steps.push(step);
            } else if let Ok(SummaryLine { directions, .. }) = serde_json::from_str(line) {
                outcome.needed = directions;
            } else {
                rest += &format!("{line}\n");
            }
        }
        (outcome, rest)
    }

    /// Returns whether the player passes: optional and skipped steps do not count.
    pub fn is_passed(&self) -> bool {
        !self.steps.iter().any(CheckedStep::is_failure)
    }

    /// Returns the first finding that a player fails for.
    pub fn failure(&self) -> Option<String> {
        let step = self.steps.iter().find(|step| step.is_failure())?;
        Some(format!("{}: {}", step.title, visible(&step.detail)))
    }

    pub(super) fn passed(&self) -> usize {
        self.numbers(Status::Passed, |_| true).len()
    }

    pub(super) fn summary(&self) -> SummaryLine {
        SummaryLine {
            verdict: if self.is_passed() { Status::Passed } else { Status::Failed },
            passed: self.passed(),
            failed: self.numbers(Status::Failed, |step| !step.is_optional).len(),
            warnings: self.numbers(Status::Failed, |step| step.is_optional).len(),
            skipped: self.numbers(Status::Skipped, |_| true).len(),
            directions: self.needed,
        }
    }

    /// Returns the last line of the text.
    pub fn verdict(&self) -> String {
        let mut parts = vec![format!("{} passed", self.passed())];
        for (words, is_optional) in [("failed", false), ("failed but optional", true)] {
            let steps = self.numbers(Status::Failed, |step| step.is_optional == is_optional);
            if !steps.is_empty() {
                let noun = if steps.len() == 1 { "step" } else { "steps" };
                parts.push(format!("{} {words} ({noun} {})", steps.len(), steps.join(", ")));
            }
        }
        let skipped = self.numbers(Status::Skipped, |_| true).len();
        if skipped > 0 {
            parts.push(format!("{skipped} skipped"));
        }
        let word = if self.is_passed() { "passed" } else { "failed" };
        let needs =
            self.needed.map_or_else(String::new, |needed| format!("; needs --directions {}", Directions::from(needed)));
        format!("{word}: {}{needs}", parts.join(", "))
    }

    /// Returns the numbers of some steps of a status.
    fn numbers(&self, status: Status, is_meant: impl Fn(&CheckedStep) -> bool) -> Vec<String> {
        let meant = self.steps.iter().filter(|step| step.status == status && is_meant(step));
        meant.map(|step| step.number.to_string()).collect()
    }
}

impl Display for CheckedStep {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let word = match self.status {
            Status::Passed => "Passed",
            Status::Failed => "Failed",
            Status::Skipped => "Skipped",
        };
        let optional = if self.status == Status::Failed && self.is_optional { ", optional" } else { "" };
        write!(f, "{:>2}  {word:<7}  {}{optional}: {}", self.number, self.title, visible(&self.detail))?;
        match &self.advice {
            Some(advice) => write!(f, "\n{:INDENT$}{}", "", visible(advice)),
            None => Ok(()),
        }
    }
}

/// The steps as text, without the verdict.
impl Display for CheckOutcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}
