use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use crate::cli::StandingsArg;
use crate::command::Exit;
use crate::command::event::refused;
use crate::tournament::report::{self, Report};
use crate::tournament::{Event, Merged};

/// Computes standings from journals.
pub(super) fn run(dirs: &[PathBuf], to: StandingsArg, out: &mut impl Write) -> anyhow::Result<Exit> {
    let mut events = Vec::new();
    for dir in dirs {
        match Event::read(dir) {
            Ok(event) => events.push(event),
            Err(error) => return refused(error),
        }
    }
    let standings = Merged::of(&events).standings();
    let title = dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(", ");
    let subtitle =
        format!("{} events, {} players, {} whole pairs", events.len(), standings.players.len(), standings.pairs);
    let report = Report { title: &title, subtitle: &subtitle, standings: &standings, timing: None };
    let text = match to {
        StandingsArg::Text => report::text(&report),
        StandingsArg::Csv => report::csv(&standings),
        StandingsArg::Json => report::json(&standings),
        StandingsArg::Html => report::html(&report, &[], 0),
    };
    out.write_all(text.as_bytes()).context("cannot write")?;
    Ok(Exit::Success)
}
