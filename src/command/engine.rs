use std::io::{BufRead, Write};

use anyhow::Context;

use crate::cli::{EngineArgs, FirstArg, GameArgs, IsolationArg};
use crate::command::Exit;
use crate::engine::talk;
use crate::game::{ConfigError, GameConfig};
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
    GameArgs {
        player1: Some(args.player.clone()),
        player2: Some(args.player.clone()),
        board: args.board.clone(),
        seed: args.seed,
        first: FirstArg::One,
        max_moves: None,
        limits: args.limits.clone(),
        directions: vec![args.directions],
        isolation: IsolationArg::Process,
        sandbox: args.sandbox,
        allow_read: args.allow_read.clone(),
    }
}
