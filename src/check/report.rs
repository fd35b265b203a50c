//! Writes the findings of a check while it goes on.

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::finding::{Finding, Label};
use super::outcome::{CheckOutcome, CheckedStep};
use super::results;
use crate::game::DirectionsArg;

/// The output format of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Writes findings, and keeps them.
#[derive(Debug)]
pub struct CheckReport<W> {
    form: Form,
    out: W,
    outcome: CheckOutcome,
    results: Option<PathBuf>,
}

impl<W: Write> CheckReport<W> {
    /// Begins a report; `results` is a file to write at the end, as Gradescope reads it.
    pub fn new(form: Form, out: W, results: Option<PathBuf>) -> Self {
        Self { form, out, outcome: CheckOutcome::default(), results }
    }

    /// Writes a step's finding.
    pub(super) fn add(&mut self, label: Label, finding: Finding) -> io::Result<()> {
        let step = CheckedStep::new(label, finding);
        match self.form {
            Form::Text => writeln!(self.out, "{step}")?,
            Form::Json => json(&mut self.out, &step)?,
        }
        self.outcome.steps.push(step);
        self.out.flush()
    }

    /// Writes the verdict, and returns whether the player passes.
    pub(super) fn finish(mut self, needed: Option<DirectionsArg>) -> io::Result<bool> {
        self.outcome.needed = needed;
        if let Some(path) = &self.results {
            results::write(path, &self.outcome)?;
        }
        match self.form {
            Form::Text => writeln!(self.out, "{}", self.outcome.verdict())?,
            Form::Json => json(&mut self.out, &self.outcome.summary())?,
        }
        self.out.flush()?;
        Ok(self.outcome.is_passed())
    }
}

fn json(out: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)
}
