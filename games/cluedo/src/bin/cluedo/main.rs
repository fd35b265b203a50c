//! Cluedo at the terminal.

mod bench;
mod bot;
mod cards;
mod cli;
mod dialogue;
mod document;
mod join;
mod person;
mod play;
mod replay;
mod serve;
mod solve;
mod statistics;
mod statistics_text;
mod values;

use std::io;
use std::process::ExitCode;

use amazons_program::{arguments, finish, ranks::alone};

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli: Cli = match arguments("cluedo") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        Command::Play(args) => play::run(args, io::stdin().lock(), out),
        Command::Replay(args) => alone(|| replay::run(args, out)),
        Command::Bench(args) => bench::run(args, out),
        Command::Cards => alone(|| cards::run(out)),
        Command::Bot(args) => alone(|| bot::run(args)),
        Command::Join(args) => alone(|| join::run(args, out)),
        Command::Serve(args) => alone(|| serve::run(args, out)),
        Command::Solve(args) => alone(|| solve::run(args, out)),
        Command::Statistics(args) => statistics::run(args, out),
    };
    finish("cluedo", done)
}
