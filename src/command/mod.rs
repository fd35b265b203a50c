//! One file for each thing that the command line can do.

mod analyze;
mod bench;
mod check;
mod convert;
mod doctor;
mod engine;
mod event;
mod exit;
mod files;
mod games;
mod ladder;
mod moves;
mod outputs;
mod perft;
mod play;
mod ranks;
mod rate;
mod replay;
mod show;
mod soak;
mod solve;
mod tasks;
mod threads;
mod tournament;
mod watch;

use std::io::{self, Write};

use anyhow::Context;
use clap::CommandFactory;

use crate::cli::{Cli, Command, LanguageArg};
use crate::game::ConfigError;
use crate::new_player::{self, Template};

pub use exit::{Exit, FAILURE};

/// Does what was asked for.
///
/// # Errors
/// When we could not do our work.
pub fn run(cli: Cli) -> anyhow::Result<Exit> {
    dispatch(cli).or_else(|error| error.downcast())
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
        Command::Replay { file, quiet } => replay::run(&file, quiet, &mut out),
        Command::Show(args) => show::run(&args, &mut out),
        Command::Convert(args) => convert::run(&args, &mut out),
        Command::Watch(args) => watch::run(&args, &mut out),
        Command::Perft { board, depth, divide } => perft::run(&board, depth, divide, &mut out),
        Command::Moves { board, stdin } if stdin => moves::run_all(&board, io::stdin().lock(), &mut out),
        Command::Moves { board, .. } => moves::run_one(&board, &mut out),
        Command::Tournament(args) => tournament::run(&args, &mut out),
        Command::Ladder(args) => ladder::run(&args, &mut out),
        Command::Rate { dirs, to } => rate::run(&dirs, to, &mut out),
        Command::PlayPair { task } => tasks::play(&task),
        Command::Check(args) => check::run(&args, &mut out),
        Command::Solve(args) => solve::run(&args, &mut out),
        Command::Analyze(args) => analyze::run(&args, &mut out),
        Command::Bench => bench::run(&mut out),
        Command::Soak { games, jobs, game } => soak::run(&game, games, jobs, &mut out),
        Command::Doctor { json } => doctor::run(json, &mut out),
        Command::NewPlayer { language, name, gsl, dir } => {
            let template = match (language, gsl) {
                (LanguageArg::C, false) => Template::C,
                (LanguageArg::C, true) => Template::CWithGsl,
                (LanguageArg::Rust, false) => Template::Rust,
                (LanguageArg::Rust, true) => return Ok(Exit::usage("--gsl is for C players")),
            };
            match new_player::write(template, &name, &dir) {
                Ok(folder) => {
                    writeln!(out, "wrote {}: 'make' there builds {name}.so", folder.display())
                        .context("cannot write")?;
                    Ok(Exit::Success)
                }
                Err(error) => Ok(Exit::usage(crate::text::error_chain(&error))),
            }
        }
        Command::Completions { shell } => {
            // The generator panics when it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "server", &mut script);
            out.write_all(&script).context("cannot write the completion script")?;
            Ok(Exit::Success)
        }
        Command::Man => {
            clap_mangen::Man::new(Cli::command()).render(&mut out).context("cannot write the manual page")?;
            Ok(Exit::Success)
        }
    }
}

/// What is wrong with the options is the user's affair, not ours.
impl From<ConfigError> for Exit {
    fn from(error: ConfigError) -> Self {
        Self::usage(error)
    }
}

/// Returns whether a failure only means that whoever read our output went away.
#[must_use]
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_broken = |cause: &io::Error| cause.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| cause.downcast_ref().is_some_and(is_broken))
}
