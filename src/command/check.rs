use std::ffi::OsStr;
use std::io::Write;

use amazons_protocol::Dialect;

use crate::bridge::ProgramCommand;
use crate::check::{self, CheckReport, Form, LeakSearch, Servers};
use crate::cli::CheckArgs;
use crate::command::{Exit, refuse_early_ends};
use crate::game::{BoardArgs, ConfigError, GameArgs, GameConfig};
use crate::host::Launcher;
use crate::participant::{Participant, ParticipantKind, Protocol};

/// Tries out a player, step by step.
pub(super) fn run(args: &CheckArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    refuse_early_ends(&args.settings)?;
    let form = if args.json { Form::Json } else { Form::Text };
    let report = CheckReport::new(form, &mut *out, args.results.clone());
    let participant = Participant::parse(&args.player).map_err(Exit::usage)?;
    match participant.kind() {
        ParticipantKind::Library => {}
        ParticipantKind::Program(protocol, command) => return run_program(args, *protocol, command, report),
        ParticipantKind::Human(_) | ParticipantKind::Browser(_) => {
            return Ok(Exit::usage("a person cannot be checked: name a player"));
        }
    }
    let is_passed = match GameConfig::new(&game(args)) {
        Ok(config) => {
            let servers = if args.this_server { Servers::This } else { Servers::All };
            let search = if args.valgrind { LeakSearch::Valgrind } else { LeakSearch::Counting };
            check::run(config, args.size, search, servers, report)?
        }
        Err(ConfigError::NotALibrary { reason, .. }) => check::not_a_library(reason, report)?,
        Err(ConfigError::Unreadable { path, source, .. }) => {
            return Ok(Exit::usage(format_args!("cannot read {}: {source}", path.display())));
        }
        Err(error) => return Err(error.into()),
    };
    Ok(if is_passed { Exit::Success } else { Exit::Partly })
}

/// Tries out whether a program keeps to the engine protocol.
fn run_program(
    args: &CheckArgs,
    protocol: Protocol,
    command: &OsStr,
    report: CheckReport<impl Write>,
) -> anyhow::Result<Exit> {
    if args.valgrind {
        return Ok(Exit::usage("--valgrind is for players in shared libraries"));
    }
    let command = ProgramCommand::find(command).map_err(Exit::usage)?;
    let Protocol::Engine(dialect) = protocol else {
        return Ok(Exit::usage(
            "only programs behind bridge: and uci: can be checked: let the bot play a game instead",
        ));
    };
    // UCI knows one board.
    let size = if dialect == Dialect::Uci { Some(10) } else { args.size };
    let config = GameConfig::new(&GameArgs { board: BoardArgs { size, ..BoardArgs::default() }, ..game(args) })?;
    let launcher = Launcher::new(config.isolation)?;
    let Some(parent) = launcher.parent() else { return Ok(Exit::usage("programs need processes")) };
    let is_passed = check::run_program(parent, &command, dialect, &config, report)?;
    Ok(if is_passed { Exit::Success } else { Exit::Partly })
}

/// The game that the player would play against itself: its limits and its seed hold in all steps.
fn game(args: &CheckArgs) -> GameArgs {
    let game = GameArgs::between([&args.player, &args.player], args.settings.clone());
    GameArgs { board: BoardArgs { size: args.size, ..BoardArgs::default() }, seed: Some(args.seed), ..game }
}
