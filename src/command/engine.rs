use std::fs;
use std::io::{BufRead, Write};

use amazons_engine_player::{Bundled, Found};
use anyhow::Context;

use crate::cli::EngineArgs;
use crate::command::{Exit, refuse_early_ends};
use crate::engine_protocol::{Engine, Time, Way, talk};
use crate::game::{BoardArgs, ConfigError, GameArgs, GameConfig};
use crate::host::Launcher;
use crate::referee::PlayerNumber;

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
    let library = config.players[PlayerNumber::One].library().and_then(|file| fs::read(file).ok());
    let way = match library.map_or(Found::Other, |library| Bundled::find(&library)) {
        Found::Bundled(bundled) => Way::Own(bundled),
        Found::OtherBuild => Way::OtherBuild(Launcher::new(config.isolation)?),
        Found::Other => Way::Sandboxed(Launcher::new(config.isolation)?),
    };
    let time = match (config.limits.game, args.settings.move_time) {
        (Some(game), _) => Time::Game(game),
        (None, Some(_)) => Time::Move(config.limits.play),
        (None, None) => Time::Default,
    };
    let BoardArgs { position, shape, size } = &args.board;
    let has_board = position.is_some() || shape.is_some() || size.is_some();
    talk(Engine { config, way, time, has_board }, input, out).context("cannot talk to the other program")?;
    Ok(Exit::Success)
}

/// The game that the player would play against itself.
fn game(args: &EngineArgs) -> GameArgs {
    let game = GameArgs::between([&args.player, &args.player], args.settings.clone());
    GameArgs { board: args.board.clone(), seed: args.seed, ..game }
}
