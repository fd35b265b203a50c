use std::io::{BufRead, Write};

use anyhow::Context;

use crate::cli::EngineArgs;
use crate::command::{Exit, refuse_early_ends};
use crate::engine_protocol::talk;
use crate::game::{ConfigError, GameArgs, GameConfig};
use crate::host::Launcher;

/// Lets a player serve the program that speaks to us.
pub(super) fn run(args: &EngineArgs, input: impl BufRead, out: impl Write + Send) -> anyhow::Result<Exit> {
    refuse_early_ends(&args.settings)?;
    let config = GameConfig::new(&game(args)).map_err(|error| match error {
        ConfigError::NotALibrary { reason, path, .. } => {
            Exit::usage(format_args!("{} is not a shared library: {reason}", path.display()))
        }
        ConfigError::Unreadable { path, source, .. } => {
            Exit::usage(format_args!("cannot read {}: {source}", path.display()))
        }
        error => Exit::usage(error),
    })?;
    let launcher = Launcher::new(config.isolation)?;
    talk(launcher, config, input, out).context("cannot talk to the other program")?;
    Ok(Exit::Success)
}

/// The game that the player would play against itself.
fn game(args: &EngineArgs) -> GameArgs {
    let game = GameArgs::between([&args.player, &args.player], args.settings.clone());
    GameArgs { board: args.board.clone(), seed: args.seed, ..game }
}
