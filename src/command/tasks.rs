//! Pairs of an event as tasks for other machines.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::command::Exit;
use crate::command::event::{refused, take_in};
use crate::tournament::{Derived, Event, Histogram, Plan, TaskError, play_task};

/// Prints the pairs that can be played now, one a line.
pub(super) fn print(plan: Plan, folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut open = Event::open(folder, plan).map_err(refused)?;
    take_in(&mut open)?;
    if open.event.is_over() {
        return Ok(Exit::Success);
    }
    for pair in open.event.schedule().pairs() {
        if open.event.results().half_points(pair.number).is_none() {
            writeln!(out, "{}:{}", folder.display(), pair.number).context("cannot write")?;
        }
    }
    Ok(Exit::Success)
}

/// Plays one of them.
pub(super) fn play(task: &str) -> anyhow::Result<Exit> {
    let found = task.rsplit_once(':').and_then(|(folder, pair)| Some((PathBuf::from(folder), pair.parse().ok()?)));
    let Some((folder, pair)) = found else {
        return Ok(Exit::usage(format_args!(
            "'{task}' is not a task: use a line of 'server tournament tasks', such as spring:12"
        )));
    };
    let mut event = Event::read(&folder).map_err(refused)?;
    match play_task(&mut event, pair) {
        Ok(()) => Ok(Exit::Success),
        Err(TaskError::Refused(reason)) => Ok(Exit::Usage(reason)),
        Err(TaskError::Failed(error)) => Err(error),
    }
}

/// Takes results into the journal and writes the standings.
pub(super) fn collect(folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut open = Event::reopen(folder).map_err(refused)?;
    take_in(&mut open)?;
    let derived = Derived::of(&open.event, &Histogram::default());
    derived.write_all().map_err(|(path, error)| anyhow::anyhow!("cannot write {}: {error}", path.display()))?;
    out.write_all(derived.text().as_bytes()).context("cannot write")?;
    Ok(Exit::Success)
}
