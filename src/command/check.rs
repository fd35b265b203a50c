use std::ffi::OsStr;
use std::io::Write;

use amazons_protocol::Dialect;

use crate::bridge::ProgramCommand;
use crate::check::{self, CheckError, Finding, Form, LeakSearch, ProgramCheck, Step};
use crate::cli::{BoardArgs, CheckArgs, FirstArg, GameArgs, IsolationArg};
use crate::command::Exit;
use crate::game::{ConfigError, GameConfig};
use crate::host::Launcher;
use crate::participant::{Participant, ParticipantKind, Protocol};

/// Tries out a player and says step by step what works.
pub(super) fn run(args: &CheckArgs, out: &mut impl Write) -> anyhow::Result<Exit> {
    let form = if args.json { Form::Json } else { Form::Text };
    let participant = match Participant::parse(&args.player) {
        Ok(participant) => participant,
        Err(error) => return Ok(Exit::usage(error)),
    };
    match participant.kind() {
        ParticipantKind::Library => {}
        ParticipantKind::Program(protocol, command) => return run_program(args, *protocol, command, form, out),
        ParticipantKind::Human(_) | ParticipantKind::Browser(_) => {
            return Ok(Exit::usage("a person cannot be checked: name a player"));
        }
    }
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

/// Tries out whether a program keeps to the engine protocol.
fn run_program(
    args: &CheckArgs,
    protocol: Protocol,
    command: &OsStr,
    form: Form,
    out: &mut impl Write,
) -> anyhow::Result<Exit> {
    if args.valgrind {
        return Ok(Exit::usage("--valgrind is for players in shared libraries"));
    }
    let command = match ProgramCommand::find(command) {
        Ok(command) => command,
        Err(error) => return Ok(Exit::usage(error)),
    };
    let Protocol::Engine(dialect) = protocol else {
        return Ok(Exit::usage(
            "only programs behind bridge: and uci: can be checked: let the bot play a game instead",
        ));
    };
    // UCI knows one board.
    let size = if dialect == Dialect::Uci { Some(10) } else { args.size };
    let config = match GameConfig::new(&GameArgs { board: BoardArgs { size, ..BoardArgs::default() }, ..game(args) }) {
        Ok(config) => config,
        Err(error) => return Ok(error.into()),
    };
    let launcher = Launcher::new(config.isolation)?;
    let Some(parent) = launcher.parent() else { return Ok(Exit::usage("programs need processes")) };
    let check = ProgramCheck::new(parent, command, dialect, &config);
    let is_passed = check.run(form, out)?;
    Ok(if is_passed { Exit::Success } else { Exit::Failed })
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
        directions: vec![args.directions],
        isolation: IsolationArg::Process,
        sandbox: args.sandbox,
        allow_read: args.allow_read.clone(),
    }
}
