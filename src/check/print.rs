//! What a run finds out, as lines.

use std::io::{self, Write};

use amazons_rules::Directions;
use serde::Serialize;

use super::report::{Finding, Report, Status, Step};
use crate::text::visible;

/// Where the second line of a failure begins.
const INDENT: usize = 13;

/// How findings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

#[derive(Serialize)]
struct StepLine<'a> {
    step: u32,
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
    /// The numbering that the player needs, where it is not the one that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    directions: Option<&'static str>,
}

impl Form {
    /// Writes what one step found out.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finding(self, out: &mut impl Write, step: Step, finding: &Finding) -> io::Result<()> {
        let label =
            Label { number: step.number(), name: step.name(), title: step.title(), is_optional: step.is_optional() };
        self.labelled(out, &label, finding)
    }

    /// Writes what one step of any check found out.
    pub(crate) fn labelled(self, out: &mut impl Write, label: &Label, finding: &Finding) -> io::Result<()> {
        let Finding { status, detail, advice } = finding;
        if self == Self::Json {
            let line = StepLine {
                step: label.number,
                name: label.name,
                status: *status,
                optional: label.is_optional,
                detail,
                advice: advice.as_deref(),
            };
            return json(out, &line);
        }
        let word = match status {
            Status::Passed => "Passed",
            Status::Failed => "Failed",
            Status::Skipped => "Skipped",
        };
        let optional = if *status == Status::Failed && label.is_optional { ", optional" } else { "" };
        let Label { number, title, .. } = label;
        writeln!(out, "{number:>2}  {word:<7}  {title}{optional}: {}", visible(detail))?;
        if let Some(advice) = advice {
            writeln!(out, "{:INDENT$}{}", "", visible(advice))?;
        }
        out.flush()
    }

    /// Writes the verdict.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn summary(self, out: &mut impl Write, report: &Report) -> io::Result<()> {
        let numbers = |optional| report.failed(optional).into_iter().map(Step::number).collect();
        let sum = Sum {
            passed: report.count(Status::Passed),
            failed: numbers(false),
            warnings: numbers(true),
            skipped: report.count(Status::Skipped),
            needed_directions: report.needed_directions,
        };
        self.sum(out, &sum)
    }

    /// Writes the verdict of any check.
    pub(crate) fn sum(self, out: &mut impl Write, sum: &Sum) -> io::Result<()> {
        if self == Self::Json {
            return json(
                out,
                &SummaryLine {
                    verdict: if sum.failed.is_empty() { Status::Passed } else { Status::Failed },
                    passed: sum.passed,
                    failed: sum.failed.len(),
                    warnings: sum.warnings.len(),
                    skipped: sum.skipped,
                    directions: sum.needed_directions.map(Directions::name),
                },
            );
        }
        writeln!(out, "{}", verdict(sum))
    }
}

/// What a step is called.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Label {
    pub(crate) number: u32,
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Whether a failure is a warning only.
    pub(crate) is_optional: bool,
}

/// How many steps went how; failures by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) passed: usize,
    pub(crate) failed: Vec<u32>,
    pub(crate) warnings: Vec<u32>,
    pub(crate) skipped: usize,
    pub(crate) needed_directions: Option<Directions>,
}

/// Precedes a numbering at the end of the last line.
const NEEDS: &str = "; needs --directions ";

/// Reads from a report for people which numbering the player needs, where it is not the one that was asked for.
#[must_use]
pub fn needed_directions(report: &str) -> Option<Directions> {
    let (_, name) = report.trim_end().lines().last()?.rsplit_once(NEEDS)?;
    Directions::ALL.into_iter().find(|directions| directions.name() == name)
}

/// Says in one line how a run went.
fn verdict(sum: &Sum) -> String {
    let mut parts = vec![format!("{} passed", sum.passed)];
    for (word, steps) in [("failed", &sum.failed), ("failed but optional", &sum.warnings)] {
        if !steps.is_empty() {
            let numbers: Vec<String> = steps.iter().map(u32::to_string).collect();
            let noun = if steps.len() == 1 { "step" } else { "steps" };
            parts.push(format!("{} {word} ({noun} {})", steps.len(), numbers.join(", ")));
        }
    }
    if sum.skipped > 0 {
        parts.push(format!("{} skipped", sum.skipped));
    }
    let word = if sum.failed.is_empty() { "passed" } else { "failed" };
    let needs = sum.needed_directions.map_or_else(String::new, |needed| format!("{NEEDS}{needed}"));
    format!("{word}: {}{needs}", parts.join(", "))
}

fn json(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    out.flush()
}
