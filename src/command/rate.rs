use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;

use crate::cli::StandingsArg;
use crate::command::Exit;
use crate::command::event::refused;
use crate::complain;
use crate::tournament::report::{self, Report};
use crate::tournament::{Event, counted_twice, merged_standings, write_pgn};

/// Computes standings from journals.
pub(super) fn run(dirs: &[PathBuf], to: StandingsArg, out: &mut impl Write) -> anyhow::Result<Exit> {
    let events = dirs.iter().map(|dir| Event::read(dir).map_err(refused)).collect::<anyhow::Result<Vec<_>>>()?;
    if let Some(([one, two], [player, opponent])) = counted_twice(&events) {
        let [one, two] = [one, two].map(|event| dirs[event].display());
        return Ok(Exit::usage(format_args!(
            "{two} has the seed and the openings of {one}, and {player} and {opponent} meet in both: their games would \
             count twice: leave one out (--seed begins other games, more --pairs extend an event)"
        )));
    }
    let standings = merged_standings(&events);
    let title = dirs.iter().map(|dir| dir.display().to_string()).collect::<Vec<_>>().join(", ");
    let subtitle =
        format!("{} events, {} players, {} whole pairs", events.len(), standings.players.len(), standings.pairs);
    let report = Report { title: &title, subtitle: &subtitle, standings: &standings, timing: None };
    let text = match to {
        StandingsArg::Text => report::text(&report),
        StandingsArg::Csv => report::csv(&standings),
        StandingsArg::Json => report::json(&standings),
        StandingsArg::Pgn => {
            write_pgn(&events, out, complain).context("cannot write")?;
            return Ok(Exit::Success);
        }
    };
    out.write_all(text.as_bytes()).context("cannot write")?;
    Ok(Exit::Success)
}
