use std::io::{self, Write};

use super::csv::field;
use crate::referee::PlayerNumber;
use crate::tournament::results::{log_path, record_path};
use crate::tournament::{Pair, Plan, Results};

/// Writes all games as comma-separated values, in the order of the schedule, each with its record and logs.
///
/// # Errors
/// When the writer fails.
pub fn games_csv(plan: &Plan, pairs: &[Pair], results: &Results, rated: usize, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "pair,game,stage,first,second,winner,termination,moves,at_fault,rated,record,log1,log2\r\n")?;
    for pair in pairs {
        let names = pair.players.map(|id| field(&plan.players[id].name));
        for game in [1, 2] {
            let Some(result) = results.game(pair.number, game) else { continue };
            let [one, two] = &names;
            let (first, second) = if game == 1 { (one, two) } else { (two, one) };
            let winner = result.winner.map_or("", |winner| &names[winner]);
            let faulty: Vec<&str> =
                names.iter().zip(result.at_fault).filter(|(_, is)| *is).map(|(name, _)| name.as_str()).collect();
            let is_rated = results.half_points(pair.number).is_some() && pair.number as usize <= rated;
            let record = if result.kept[0] { record_path(pair.number, game) } else { String::new() };
            let log = |player| {
                if result.kept[usize::from(u8::from(player))] {
                    log_path(pair.number, game, player)
                } else {
                    String::new()
                }
            };
            let [log1, log2] = PlayerNumber::ALL.map(log);
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
