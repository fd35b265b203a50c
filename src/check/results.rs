//! The findings of a check as Gradescope reads them: `results.json` of an autograder.

use std::io;
use std::path::{Path, PathBuf};

use amazons_program::files::write_whole;
use serde::Serialize;

use super::finding::{Finding, Label, Status};
use crate::text::visible;

/// The points of a player that passes.
const MAX_SCORE: f64 = 100.0;

/// The findings so far, and where they go.
#[derive(Debug)]
pub(super) struct Results {
    path: PathBuf,
    tests: Vec<Test>,
    /// The steps that a player must pass.
    needed: usize,
}

#[derive(Debug, Serialize)]
struct Test {
    number: String,
    name: &'static str,
    /// Not for steps that were skipped, or that are optional and failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    output: String,
}

#[derive(Serialize)]
struct File<'a> {
    score: f64,
    stdout_visibility: &'static str,
    tests: &'a [Test],
    leaderboard: [Place; 1],
}

#[derive(Serialize)]
struct Place {
    name: &'static str,
    value: usize,
}

impl Results {
    pub(super) fn new(path: &Path) -> Self {
        Self { path: path.to_owned(), tests: Vec::new(), needed: 0 }
    }

    pub(super) fn add(&mut self, label: Label, finding: &Finding) {
        self.needed += usize::from(!label.is_optional);
        let (status, note) = match finding.status {
            Status::Passed => (Some("passed"), ""),
            Status::Failed if label.is_optional => (None, "failed, but this is optional: "),
            Status::Failed => (Some("failed"), ""),
            Status::Skipped => (None, "skipped: "),
        };
        let advice = finding.advice.as_ref().map_or_else(String::new, |advice| format!("\n{}", visible(advice)));
        let output = format!("{note}{}{advice}", visible(&finding.detail));
        self.tests.push(Test { number: label.number.to_string(), name: label.title, status, output });
    }

    /// Writes the file, whole or not at all. A player that fails gets points for the steps that it passed: what was
    /// skipped may have been for want of something else, but only where nothing failed.
    pub(super) fn write(&self, passed: usize, is_passed: bool) -> io::Result<()> {
        let share = if is_passed { 1.0 } else { passed as f64 / self.needed.max(passed + 1) as f64 };
        let file = File {
            score: (share * MAX_SCORE).floor(),
            stdout_visibility: "visible",
            tests: &self.tests,
            leaderboard: [Place { name: "Steps passed", value: passed }],
        };
        let mut text = serde_json::to_vec_pretty(&file)?;
        text.push(b'\n');
        let named = |error| io::Error::other(format!("{}: {error}", self.path.display()));
        write_whole(&self.path, &text).map_err(named)
    }
}
