use std::io::{self, Write};
use std::path::{Path, PathBuf};

use amazons_program::csv_field;
use amazons_program::files::write_whole_with;

use crate::tournament::plan::Plan;
use crate::tournament::results::Results;
use crate::tournament::schedule::Pair;

/// Writes the list of all games, in the order of the schedule, each with its record and logs, into a folder.
pub(in crate::tournament) fn write_games(
    folder: &Path,
    plan: &Plan,
    pairs: &[Pair],
    results: &Results,
    rated: usize,
) -> Result<(), (PathBuf, io::Error)> {
    let path = folder.join("games.csv");
    write_whole_with(&path, |out| games_csv(plan, pairs, results, rated, out)).map(drop).map_err(|error| (path, error))
}

fn games_csv(plan: &Plan, pairs: &[Pair], results: &Results, rated: usize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "pair,game,stage,first,second,winner,termination,moves,at_fault,rated,record,log1,log2\r\n")?;
    for pair in pairs {
        let names = pair.players.map(|id| csv_field(&plan.players[id].name));
        for game in [1, 2] {
            let Some(result) = results.game(pair.number, game) else { continue };
            let [one, two] = &names;
            let (first, second) = if game == 1 { (one, two) } else { (two, one) };
            let winner = result.winner.map_or("", |winner| &names[winner]);
            let faulty: Vec<&str> =
                names.iter().zip(result.at_fault).filter(|(_, is)| *is).map(|(name, _)| name.as_str()).collect();
            let is_rated = results.half_points(pair.number).is_some() && pair.number as usize <= rated;
            let (record, logs) = result.files(pair.number, game);
            let (record, [log1, log2]) = (record.unwrap_or_default(), logs.map(Option::unwrap_or_default));
            write!(
                out,
                "{},{game},{},{first},{second},{winner},{},{},{},{},{record},{log1},{log2}\r\n",
                pair.number,
                pair.stage,
                result.termination.name(),
                result.moves,
                faulty.join(" "),
                if is_rated { "yes" } else { "no" },
            )?;
        }
    }
    Ok(())
}
