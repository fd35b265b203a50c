//! Events and ladders as the commands open and end them.

use std::io::{ErrorKind, Write};
use std::path::Path;

use amazons_program::Interrupt;
use amazons_program::journal::JournalError;
use anyhow::Context;

use crate::command::Exit;
use crate::complain;
use crate::tournament::{Derived, Ended, Event, EventError, Histogram, OpenEvent, Plan, RunError, task_results};

/// Opens an event, with all results of tasks.
pub(super) fn open(folder: &Path, plan: Plan) -> anyhow::Result<(OpenEvent, Interrupt)> {
    let mut open = Event::open(folder, plan).map_err(refused)?;
    take_in(&mut open)?;
    let interrupts = Interrupt::catch_all().context("cannot catch Ctrl-C")?;
    tell_how_it_begins(&open);
    Ok((open, interrupts))
}

/// Writes everything that follows from the games, and returns how to exit.
pub(super) fn conclude(
    open: &OpenEvent,
    played: Result<(Ended, Histogram), RunError>,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    let none = Histogram::default();
    let overhead = played.as_ref().map_or(&none, |(_, overhead)| overhead);
    let derived = Derived::of(&open.event, overhead);
    if let Err((path, error)) = derived.write_all() {
        complain(&format!("cannot write {}: {error}: the same command writes it again", path.display()));
    }
    let (ended, _) = played.map_err(|failure| anyhow::anyhow!(failure.advice()))?;
    out.write_all(derived.text().as_bytes()).context("cannot write")?;
    end(ended, "stopped before the end", &open.folder, out)
}

/// Names the folder that has more, and returns how to exit.
pub(super) fn end(ended: Ended, stopped: &str, folder: &Path, out: &mut impl Write) -> anyhow::Result<Exit> {
    let folder = folder.display();
    writeln!(out, "\nmore in {folder}; as pages: server watch {folder}").context("cannot write")?;
    match ended {
        Ended::Complete => return Ok(Exit::Success),
        Ended::Stopped => complain(&format!("{stopped}: the same command goes on")),
        Ended::Dropped => complain("stopped, and running games are dropped: the same command plays them again"),
    }
    Ok(Exit::Stopped)
}

/// Decides how to exit without an event or a ladder: a failure of the disk is not the user's mistake.
pub(super) fn refused(error: EventError) -> anyhow::Error {
    match error {
        EventError::Folder { folder, source }
            if matches!(source.kind(), ErrorKind::AlreadyExists | ErrorKind::NotADirectory) =>
        {
            Exit::usage(format_args!("cannot make {}: a file is in the way: name a folder", folder.display())).into()
        }
        EventError::Journal(JournalError::Io { path, source })
            if matches!(source.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
        {
            let folder = path.parent().unwrap_or(&path).display();
            Exit::usage(format_args!("{folder} holds no event and no ladder: there is no {}", path.display())).into()
        }
        EventError::Folder { .. } | EventError::Journal(JournalError::Io { .. }) => error.into(),
        error => Exit::usage(error).into(),
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
    open.warning().iter().for_each(|line| complain(line));
    loop {
        let found = task_results(&open.event)?;
        if found.games.is_empty() {
            for (path, reason) in found.damaged {
                complain(&format!("{}: {reason}: left out, the task is to be played again", path.display()));
            }
            return Ok(());
        }
        // A stage that is over now may have made room for tasks that were played already.
        for line in found.games {
            open.add(line)?;
        }
        open.journal.sync()?;
    }
}
