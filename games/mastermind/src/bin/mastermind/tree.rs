use std::io::Write;
use std::path::PathBuf;

use amazons_program::Exit;
use clap::{Args, Subcommand};
use mastermind::Tree;

use crate::board::numbers;
use crate::files;

#[derive(Args, Debug)]
pub(crate) struct TreeArgs {
    #[command(subcommand)]
    command: TreeCommand,
}

#[derive(Debug, Subcommand)]
enum TreeCommand {
    /// Play a saved tree against every secret
    Check {
        /// The file
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(crate) fn run(args: &TreeArgs, out: &mut impl Write) -> Result<Exit, Exit> {
    let TreeCommand::Check { file } = &args.command;
    let wrong = |error: &dyn std::fmt::Display| Exit::usage(format!("{}: {error}", file.display()));
    let text = files::read(file)?;
    let (_, game, walk) = Tree::check(&text).map_err(|error| wrong(&error))?;
    writeln!(
        out,
        "{}: all {} secrets found in {} guesses, at most {}; at guess 1, 2, ..: {}",
        game,
        game.codes(),
        walk.total(),
        walk.distribution.len(),
        numbers(&walk.distribution)
    )?;
    Ok(Exit::Success)
}
