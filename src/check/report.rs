//! The findings of a check, and their output.

use std::io::{self, Write};
use std::path::Path;

use amazons_rules::Directions;
use serde::Serialize;

use super::finding::{Finding, Label, Status};
use super::results::Results;
use crate::text::visible;

/// The indent of a failure's second line.
const INDENT: usize = 13;

/// Precedes a numbering at the end of the last line.
const NEEDS: &str = "; needs --directions ";

/// The output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Serialize)]
struct StepLine<'a> {
    step: usize,
    name: &'static str,
    status: Status,
    optional: bool,
    detail: &'a str,
    advice: Option<&'a str>,
}

#[derive(Serialize)]
struct SummaryLine {
    verdict: Status,
    passed: usize,
    failed: usize,
    warnings: usize,
    skipped: usize,
    /// The numbering that the player needs, if it is not the requested one.
    #[serde(skip_serializing_if = "Option::is_none")]
    directions: Option<&'static str>,
}

/// Writes and counts findings.
#[derive(Debug)]
pub struct CheckReport<W> {
    form: Form,
    out: W,
    passed: usize,
    failed: Vec<usize>,
    warnings: Vec<usize>,
    skipped: usize,
    results: Option<Results>,
}

impl<W: Write> CheckReport<W> {
    /// Begins a report.
    pub const fn new(form: Form, out: W) -> Self {
        Self { form, out, passed: 0, failed: Vec::new(), warnings: Vec::new(), skipped: 0, results: None }
    }

    /// Also writes a file as Gradescope reads it, at the end.
    #[must_use]
    pub fn with_results(self, path: Option<&Path>) -> Self {
        Self { results: path.map(Results::new), ..self }
    }

    /// Writes a step's finding.
    pub(super) fn add(&mut self, label: Label, finding: &Finding) -> io::Result<()> {
        let Label { number, name, title, is_optional: optional } = label;
        match finding.status {
            Status::Passed => self.passed += 1,
            Status::Skipped => self.skipped += 1,
            Status::Failed if optional => self.warnings.push(number),
            Status::Failed => self.failed.push(number),
        }
        if let Some(results) = &mut self.results {
            results.add(label, finding);
        }
        let Finding { status, detail, advice } = finding;
        if self.form == Form::Json {
            let advice = advice.as_deref();
            return self.json(&StepLine { step: number, name, status: *status, optional, detail, advice });
        }
        let word = match status {
            Status::Passed => "Passed",
            Status::Failed => "Failed",
            Status::Skipped => "Skipped",
        };
        let optional = if *status == Status::Failed && optional { ", optional" } else { "" };
        writeln!(self.out, "{number:>2}  {word:<7}  {title}{optional}: {}", visible(detail))?;
        if let Some(advice) = advice {
            writeln!(self.out, "{:INDENT$}{}", "", visible(advice))?;
        }
        self.out.flush()
    }

    /// Writes the verdict, and returns whether the player passes: warnings and skipped steps do not count.
    pub(super) fn finish(&mut self, needed: Option<Directions>) -> io::Result<bool> {
        let is_passed = self.failed.is_empty();
        if let Some(results) = &self.results {
            results.write(self.passed, is_passed)?;
        }
        if self.form == Form::Json {
            self.json(&SummaryLine {
                verdict: if is_passed { Status::Passed } else { Status::Failed },
                passed: self.passed,
                failed: self.failed.len(),
                warnings: self.warnings.len(),
                skipped: self.skipped,
                directions: needed.map(Directions::name),
            })?;
            return Ok(is_passed);
        }
        let mut parts = vec![format!("{} passed", self.passed)];
        for (word, steps) in [("failed", &self.failed), ("failed but optional", &self.warnings)] {
            if !steps.is_empty() {
                let numbers: Vec<String> = steps.iter().map(ToString::to_string).collect();
                let noun = if steps.len() == 1 { "step" } else { "steps" };
                parts.push(format!("{} {word} ({noun} {})", steps.len(), numbers.join(", ")));
            }
        }
        if self.skipped > 0 {
            parts.push(format!("{} skipped", self.skipped));
        }
        let word = if is_passed { "passed" } else { "failed" };
        let needs = needed.map_or_else(String::new, |needed| format!("{NEEDS}{needed}"));
        writeln!(self.out, "{word}: {}{needs}", parts.join(", "))?;
        Ok(is_passed)
    }

    fn json(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        writeln!(self.out)?;
        self.out.flush()
    }
}

/// Reads the numbering that the player needs from a text report, if it is not the requested one.
pub fn needed_directions(report: &str) -> Option<Directions> {
    let (_, name) = report.trim_end().lines().last()?.rsplit_once(NEEDS)?;
    Directions::ALL.into_iter().find(|directions| directions.name() == name)
}
