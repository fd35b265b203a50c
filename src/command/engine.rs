use std::io::{BufRead, Write};

use anyhow::Context;

use crate::cli::EngineArgs;
use crate::command::Exit;
use crate::engine::talk;
use crate::game::{ConfigError, GameArgs, GameConfig};
use crate::host::Launcher;

/// Lets a player serve whatever program speaks to us.
pub(super) fn run(args: &EngineArgs, input: impl BufRead, out: impl Write + Send) -> anyhow::Result<Exit> {
    let config = match GameConfig::new(&game(args)) {
        Ok(config) => config,
        Err(ConfigError::NotALibrary { reason, path, .. }) => {
            return Ok(Exit::usage(format_args!("{} is not a shared library: {reason}", path.display())));
        }
        Err(ConfigError::Unreadable { path, source, .. }) => {
            return Ok(Exit::usage(format_args!("cannot read {}: {source}", path.display())));
        }
        Err(error) => return Ok(error.into()),
    };
    let launcher = Launcher::new(config.isolation)?;
    talk(launcher, config, input, out).context("cannot talk to the other program")?;
    Ok(Exit::Success)
}

/// The game that the player would play against itself.
fn game(args: &EngineArgs) -> GameArgs {
    let game = GameArgs::between([&args.player, &args.player], args.settings.clone());
    GameArgs { board: args.board.clone(), seed: args.seed, ..game }
}
