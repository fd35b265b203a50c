use std::io::Write;
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use clap::{Args, Subcommand};
use mastermind::{Game, Tree};

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
    let (_, walk) = Tree::check(&text).map_err(|error| wrong(&error))?;
    writeln!(
        out,
        "{}: all {} secrets found in {} guesses, at most {}; at guess 1, 2, ..: {}",
        walk.game,
        walk.game.codes(),
        walk.total(),
        walk.distribution.len(),
        numbers(&walk.distribution)
    )?;
    Ok(Exit::Success)
}

pub(crate) fn save(tree: &Tree, game: Game, path: &Path, out: &mut impl Write) -> Result<(), Exit> {
    let text = tree.to_text(game).map_err(Exit::failure)?;
    files::write(path, &text)?;
    Ok(writeln!(out, "tree saved to {}", path.display())?)
}

/// Returns numbers as text, with spaces between them.
pub(crate) fn numbers(numbers: &[u64]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
