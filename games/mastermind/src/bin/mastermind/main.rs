//! Mastermind at the terminal.

mod auto;
mod bench;
mod bench_args;
mod board;
mod break_code;
mod cli;
mod files;
mod helper;
mod input;
mod next;
mod operation_counts;
mod optimum;
mod options;
mod page;
mod play;
mod rank_rows;
mod ranks;
mod session;
mod show;
mod table;
mod timings;
mod tree;
mod workloads;

use std::io;
use std::process::ExitCode;

use amazons_program::{Exit, Interrupt, SIGINT, arguments, finish, ranks::alone};

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli: Cli = match arguments("mastermind") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        // Those of many ranks stop by themselves.
        Some(Command::Auto(args)) => auto::run(args, out),
        Some(Command::Bench(args)) => bench::run(args, out),
        Some(Command::Break(args)) => break_code::run(args, out),
        Some(Command::Optimum(args)) => optimum::run(args, out),
        _ => alone(|| {
            Interrupt::end_at_once(&[SIGINT]).map_err(Exit::failure)?;
            match &cli.command {
                None => play::run(&cli.play, out),
                Some(Command::Make(args)) => play::run(args, out),
                Some(Command::Next(args)) => next::run(args, out),
                Some(Command::Table(args)) => table::run(args, out),
                Some(Command::Tree(args)) => tree::run(args, out),
                Some(Command::Helper(args)) => helper::run(args, out),
                Some(Command::Show(args)) => show::show(args, out),
                Some(Command::Replay(args)) => show::replay(args, out),
                Some(Command::Auto(_) | Command::Bench(_) | Command::Break(_) | Command::Optimum(_)) => {
                    Ok(Exit::Success)
                }
            }
        }),
    };
    finish("mastermind", done)
}
