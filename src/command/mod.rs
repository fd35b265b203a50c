//! The commands, one a file.

mod analyze;
mod bench;
mod check;
mod convert;
mod course;
mod doctor;
mod engine;
mod event;
mod games;
mod ladder;
mod moves;
mod outputs;
mod perft;
mod play;
mod puzzles;
mod queries;
mod ranks;
mod rate;
mod replay;
mod report;
mod review;
mod show;
mod soak;
mod solve;
mod tasks;
mod threads;
mod tournament;
mod watch;

use std::env;
use std::io::{self, Write};
use std::path::Path;

use amazons_sandbox::be_idle;
use anyhow::Context;
use clap::CommandFactory;

use crate::cli::{Cli, Command};
use crate::game::{ConfigError, GameSettings};
use crate::new_player::{self, Template};
use crate::text::error_chain;

pub use amazons_program::Exit;

/// Does what was asked for.
pub fn run(cli: Cli) -> anyhow::Result<Exit> {
    // Wrong options are the user's affair, not ours.
    let usage = |error: anyhow::Error| error.downcast::<ConfigError>().map(Exit::usage);
    dispatch(cli).or_else(|error| error.downcast::<Exit>().or_else(usage))
}

fn dispatch(cli: Cli) -> anyhow::Result<Exit> {
    let mut out = io::stdout().lock();
    let Some(command) = cli.command else {
        return play::run(&cli.play, out);
    };
    match command {
        Command::Engine(args) => {
            // Two threads write there, so neither may hold it for itself.
            drop(out);
            engine::run(&args, io::stdin().lock(), io::stdout())
        }
        Command::Analyze(args) => {
            if args.idle {
                be_idle();
            }
            if args.queries {
                drop(out);
                return queries::run(&args);
            }
            analyze::run(&args, &mut out)
        }
        Command::Replay { file, game, quiet } => replay::run(&file, game, quiet, &mut out),
        Command::Show(args) => show::run(&args, &mut out),
        Command::Convert(args) => convert::run(&args, &mut out),
        Command::Watch(args) => watch::run(&args, &mut out),
        Command::Perft { board, depth, divide } => perft::run(&board, depth, divide, &mut out),
        Command::Moves { board, stdin } if stdin => moves::run_all(&board, &mut out),
        Command::Moves { board, .. } => moves::run_one(&board, &mut out),
        Command::Tournament(args) => tournament::run(&args, &mut out),
        Command::Course(args) => course::run(&args, &mut out),
        Command::Ladder(args) => ladder::run(&args, &mut out),
        Command::Rate { dirs, to } => rate::run(&dirs, to, &mut out),
        Command::Report { dir, html } => report::run(&dir, &html, &mut out),
        Command::PlayPair { task } => tasks::play(&task),
        Command::Check(args) => check::run(&args, &mut out),
        Command::Solve(args) => solve::run(&args, &mut out),
        Command::VerifyProof { file } => solve::verify(&file, &mut out),
        Command::Puzzles(args) => puzzles::run(&args, &mut out),
        Command::Bench(args) => bench::run(&args, &mut out),
        Command::Soak { games, jobs, game } => soak::run(&game, games, jobs, &mut out),
        Command::Doctor { json } => doctor::run(json, &mut out),
        Command::NewPlayer { language, name, gsl, dir } => {
            let template = match language {
                Template::C if gsl => Template::CWithGsl,
                _ if gsl => return Ok(Exit::usage("--gsl is for C players")),
                language => language,
            };
            let folder = new_player::write(template, &name, &dir).map_err(|error| Exit::usage(error_chain(&error)))?;
            let next = match template {
                Template::Python => "'make check' there tries it out".to_owned(),
                _ => format!("'make' there builds {name}.so"),
            };
            writeln!(out, "wrote {}: {next}", folder.display()).context("cannot write")?;
            Ok(Exit::Success)
        }
        Command::Completions { shell } => {
            // The generator panics when it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), called(), &mut script);
            let script = String::from_utf8_lossy(&script);
            // After an option whose value is still to come, fish would not ask for the values of options.
            let script = script.replace("2>/dev/null\n    or return\n", "2>/dev/null\n    or return 0\n");
            out.write_all(script.as_bytes()).context("cannot write the completion script")?;
            Ok(Exit::Success)
        }
        Command::Man => {
            let mut page = Vec::new();
            let usage = format!("{0} [OPTIONS] PLAYER1 PLAYER2\n       {0} COMMAND ...", called());
            clap_mangen::Man::new(Cli::command().name(called()).override_usage(usage))
                .render(&mut page)
                .context("cannot make the manual page")?;
            out.write_all(of_one_page(&page).as_bytes()).context("cannot write the manual page")?;
            Ok(Exit::Success)
        }
    }
}

/// Refuses settings that end a game early, for a command that tries or serves a single player.
fn refuse_early_ends(settings: &GameSettings) -> Result<(), Exit> {
    if settings.adjudicate || settings.resign.is_some() {
        return Err(Exit::usage("--adjudicate and --resign are for single games and events"));
    }
    Ok(())
}

/// The name by which the server was called: it may be installed under another one.
fn called() -> &'static str {
    let name = env::args_os().next().and_then(|path| Path::new(&path).file_name()?.to_str().map(str::to_owned));
    // Once in a process that ends soon.
    name.map_or("server", |name| name.leak())
}

/// Makes commands of references to pages of their own, `server-replay(1)`: there is only this page.
fn of_one_page(page: &[u8]) -> String {
    let name = called();
    let prefix = format!("{}\\-", name.replace('-', "\\-"));
    let page = String::from_utf8_lossy(page).replace("\\*(Aqserver ", &format!("\\*(Aq{name} "));
    let line = |line: &str| match line.strip_prefix(&*prefix).and_then(|rest| rest.strip_suffix("(1)")) {
        Some(command) => format!("\\fB{name} {command}\\fR\n"),
        None => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

/// Returns whether a failure only means that the reader of our output went away.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken))
}
