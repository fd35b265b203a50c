//! Mastermind at the terminal.

mod auto;
mod bench;
mod board;
mod break_code;
mod cli;
mod helper;
mod input;
mod lookahead;
mod next;
mod optimum;
mod options;
mod page;
mod play;
mod ranks;
mod show;
mod table;
mod timing;
mod tree;

use std::io;
use std::process::ExitCode;

use amazons_program::{arguments, finish, ranks::alone};

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli: Cli = match arguments("mastermind") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        None => alone(|| play::run(&cli.play, out)),
        Some(Command::Make(args)) => alone(|| play::run(args, out)),
        Some(Command::Break(args)) => break_code::run(args, out),
        Some(Command::Auto(args)) => auto::run(args, out),
        Some(Command::Next(args)) => alone(|| next::run(args, out)),
        Some(Command::Table(args)) => alone(|| table::run(args, out)),
        Some(Command::Optimum(args)) => optimum::run(args, out),
        Some(Command::Tree(args)) => alone(|| tree::run(args, out)),
        Some(Command::Bench(args)) => bench::run(args, out),
        Some(Command::Helper(args)) => alone(|| helper::run(args, out)),
        Some(Command::Show(args)) => alone(|| show::show(args, out)),
        Some(Command::Replay(args)) => alone(|| show::replay(args, out)),
        Some(Command::LookAhead(args)) => alone(|| lookahead::run(args, out)),
    };
    finish("mastermind", done)
}
