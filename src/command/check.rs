use std::io::Write;

use crate::check::{self, CheckError, Finding, Form, LeakSearch, Step};
use crate::cli::{BoardArgs, CheckArgs, DirectionsArg, FirstArg, GameArgs, IsolationArg};
use crate::command::Exit;
use crate::config::{ConfigError, GameConfig};

/// Tries out a player and says step by step what works.
pub(super) fn run(args: &CheckArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let form = if args.json { Form::Json } else { Form::Text };
    let mut tell = |step: Step, finding: &Finding| form.finding(out, step, finding);
    let report = match GameConfig::new(&game(args)) {
        Ok(config) => {
            let search = if args.valgrind { LeakSearch::Valgrind } else { LeakSearch::Counting };
            check::run(config, args.size, search, &mut tell)
        }
        Err(ConfigError::NotALibrary { reason, .. }) => check::not_a_library(reason, &mut tell),
        Err(ConfigError::Unreadable { path, source, .. }) => {
            return Ok(Exit::usage(format_args!("cannot read {}: {source}", path.display())));
        }
        Err(error) => return Ok(error.into()),
    };
    let report = report?;
    form.summary(out, &report).map_err(CheckError::from)?;
    Ok(if report.is_passed() { Exit::Success } else { Exit::Failed })
}

/// The game that the player would play against itself: its limits and its seed hold in all steps.
fn game(args: &CheckArgs) -> GameArgs {
    GameArgs {
        player1: Some(args.player.clone()),
        player2: Some(args.player.clone()),
        board: BoardArgs { size: args.size, ..BoardArgs::default() },
        seed: Some(args.seed),
        first: FirstArg::One,
        max_moves: None,
        limits: args.limits.clone(),
        directions: DirectionsArg::Subject,
        isolation: IsolationArg::Process,
        sandbox: args.sandbox,
        allow_read: args.allow_read.clone(),
    }
}
