//! The findings of a check as Gradescope reads them: `results.json` of an autograder.

use std::io;
use std::path::Path;

use amazons_program::files::write_whole;
use serde::Serialize;

use super::finding::Status;
use super::outcome::{CheckOutcome, CheckedStep};
use crate::text::visible;

/// The points of a player that passes.
const MAX_SCORE: f64 = 100.0;

#[derive(Debug, Serialize)]
struct Test<'a> {
    number: String,
    name: &'a str,
    /// Not for steps that were skipped, or that are optional and failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    output: String,
}

#[derive(Serialize)]
struct File<'a> {
    score: f64,
    stdout_visibility: &'static str,
    tests: Vec<Test<'a>>,
    leaderboard: [Place; 1],
}

#[derive(Serialize)]
struct Place {
    name: &'static str,
    value: usize,
}

fn test(step: &CheckedStep) -> Test<'_> {
    let (status, note) = match step.status {
        Status::Passed => (Some("passed"), ""),
        Status::Failed if step.is_optional => (None, "failed, but this is optional: "),
        Status::Failed => (Some("failed"), ""),
        Status::Skipped => (None, "skipped: "),
    };
    let advice = step.advice.as_ref().map_or_else(String::new, |advice| format!("\n{}", visible(advice)));
    let output = format!("{note}{}{advice}", visible(&step.detail));
    Test { number: step.number.to_string(), name: &step.title, status, output }
}

/// Writes the file, whole or not at all. A player that fails gets points for the steps that it passed: what was skipped
/// may have been for want of something else, but only where nothing failed.
pub(super) fn write(path: &Path, outcome: &CheckOutcome) -> io::Result<()> {
    let passed = outcome.passed();
    // Steps that a player must pass.
    let needed = outcome.steps.iter().filter(|step| !step.is_optional).count();
    let share = if outcome.is_passed() { 1.0 } else { passed as f64 / needed.max(passed + 1) as f64 };
    let file = File {
        score: (share * MAX_SCORE).floor(),
        stdout_visibility: "visible",
        tests: outcome.steps.iter().map(test).collect(),
        leaderboard: [Place { name: "Steps passed", value: passed }],
    };
    let mut text = serde_json::to_vec_pretty(&file)?;
    text.push(b'\n');
    let named = |error| io::Error::other(format!("{}: {error}", path.display()));
    write_whole(path, &text).map_err(named)
}
