use std::fs;
use std::io::Write;
use std::path::PathBuf;

use amazons_program::Exit;
use clap::Args;
use cluedo::table;

#[derive(Args, Debug)]
pub(crate) struct ReplayArgs {
    /// The records of games
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
}

/// Checks records: a line for each that is right, and one on standard error for each that is not.
pub(crate) fn run(args: &ReplayArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let mut exit = Exit::Success;
    for path in &args.files {
        let shown = path.display();
        let record = fs::read_to_string(path).map_err(|error| Exit::usage(format!("cannot read {shown}: {error}")))?;
        match table::replay(&record) {
            Ok(game) => {
                let winner = match game.winner {
                    Some(0) => "the person wins".to_owned(),
                    Some(rank) => format!("AI {rank} wins"),
                    None => "nobody wins".to_owned(),
                };
                writeln!(out, "{shown}: right: {} suggestions, {} answers, {winner}", game.suggestions, game.answers)?;
            }
            Err(defect) => {
                eprintln!("cluedo: {shown}:{defect}");
                exit = Exit::Partly;
            }
        }
    }
    Ok(exit)
}
