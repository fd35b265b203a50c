//! What a run finds out, as lines.

use std::io::{self, Write};

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
}

impl Form {
    /// Writes what one step found out.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finding(self, out: &mut impl Write, step: Step, finding: &Finding) -> io::Result<()> {
        let Finding { status, detail, advice } = finding;
        if self == Self::Json {
            let line = StepLine {
                step: step.number(),
                name: step.name(),
                status: *status,
                optional: step.is_optional(),
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
        let optional = if *status == Status::Failed && step.is_optional() { ", optional" } else { "" };
        let (number, title) = (step.number(), step.title());
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
        if self == Self::Json {
            return json(
                out,
                &SummaryLine {
                    verdict: if report.is_passed() { Status::Passed } else { Status::Failed },
                    passed: report.count(Status::Passed),
                    failed: report.failed(false).len(),
                    warnings: report.failed(true).len(),
                    skipped: report.count(Status::Skipped),
                },
            );
        }
        writeln!(out, "{}", verdict(report))
    }
}

/// Says in one line how a run went.
fn verdict(report: &Report) -> String {
    let mut parts = vec![format!("{} passed", report.count(Status::Passed))];
    for (word, steps) in [("failed", report.failed(false)), ("failed but optional", report.failed(true))] {
        if !steps.is_empty() {
            let numbers: Vec<String> = steps.iter().map(|step| step.number().to_string()).collect();
            let noun = if steps.len() == 1 { "step" } else { "steps" };
            parts.push(format!("{} {word} ({noun} {})", steps.len(), numbers.join(", ")));
        }
    }
    let skipped = report.count(Status::Skipped);
    if skipped > 0 {
        parts.push(format!("{skipped} skipped"));
    }
    let word = if report.is_passed() { "passed" } else { "failed" };
    format!("{word}: {}", parts.join(", "))
}

fn json(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)?;
    out.flush()
}
