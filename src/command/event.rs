//! An event as the commands open and end it.

use std::io::Write;
use std::path::Path;

use anyhow::Context;

use crate::command::Exit;
use crate::complain;
use crate::tournament::{
    Derived, Ended, Event, EventError, Histogram, Interrupts, OpenEvent, Plan, RunError, TaskResults, task_results,
};

/// Opens an event, with all results of tasks; the inner error is what to exit with.
pub(super) fn open(folder: &Path, plan: Plan) -> anyhow::Result<Result<(OpenEvent, Interrupts), Exit>> {
    let mut open = match Event::open(folder, plan) {
        Ok(open) => open,
        Err(error) => return refused(error).map(Err),
    };
    take_in(&mut open)?;
    let interrupts = Interrupts::catch().context("cannot catch Ctrl-C")?;
    tell_how_it_begins(&open);
    Ok(Ok((open, interrupts)))
}

/// Writes what follows from the games, and says how it ended.
pub(super) fn conclude(
    open: &OpenEvent,
    played: Result<(Ended, Histogram), RunError>,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let (failure, ended, overhead) = match played {
        Ok((ended, overhead)) => (None, ended, overhead),
        Err(failure) => (Some(failure), Ended::Stopped, Histogram::default()),
    };
    let derived = Derived::of(&open.event, &overhead);
    if let Err((path, error)) = derived.write().and_then(|()| derived.write_games()) {
        complain(&format!("cannot write {}: {error}: the same command writes it again", path.display()));
    }
    if let Some(failure) = failure {
        anyhow::bail!(failure.advice());
    }
    out.write_all(derived.text().as_bytes()).context("cannot write")?;
    writeln!(out, "\nmore in {}", open.event.folder().join("standings.html").display()).context("cannot write")?;
    Ok(match ended {
        Ended::Complete => Exit::Success,
        Ended::Stopped => Exit::Stopped("stopped before the end: the same command goes on".to_owned()),
        Ended::Dropped => {
            Exit::Stopped("stopped, and running games are dropped: the same command plays them again".to_owned())
        }
    })
}

/// Whose fault it is that there is no event decides the exit status.
pub(super) fn refused(error: EventError) -> anyhow::Result<Exit> {
    match error {
        EventError::Folder { .. } | EventError::Journal(crate::tournament::JournalError::Io { .. }) => {
            Err(error.into())
        }
        error => Ok(Exit::usage(error)),
    }
}

fn tell_how_it_begins(open: &OpenEvent) {
    let folder = open.event.folder().display();
    if open.torn > 0 {
        complain(&format!("{folder}: the last line of the journal was torn and is dropped; its game is played again"));
    }
    let games = open.event.results().games();
    if games > 0 && !open.event.is_over() {
        complain(&format!("{folder}: going on after {games} games"));
    }
}

/// Takes the results of finished tasks into the journal.
pub(super) fn take_in(open: &mut OpenEvent) -> anyhow::Result<()> {
    loop {
        let TaskResults { games, damaged } = task_results(&open.event)?;
        if games.is_empty() {
            for (path, reason) in damaged {
                complain(&format!("{}: {reason}: left out, the task is to be played again", path.display()));
            }
            return Ok(());
        }
        // A stage that is over now may have made room for tasks that were played already.
        for line in games {
            open.add(line)?;
        }
        open.journal.sync()?;
    }
}
