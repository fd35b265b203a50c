//! Connect 4 at the terminal.

mod analyze;
mod bench;
mod bench_tables;
mod board_args;
mod book;
mod book_option;
mod cli;
mod evaluate;
mod game;
mod human;
mod input;
mod latency;
mod levels;
mod match_args;
mod match_report;
mod matches;
mod measurement;
mod perft;
mod play;
mod player;
mod progress;
mod ranks;
mod recorder;
mod show;
mod solve;
mod table;
mod view;
mod web;
mod web_record;

use std::io;
use std::process::ExitCode;

use amazons_program::{arguments, finish, ranks::alone};

use cli::{Cli, Command};

fn main() -> ExitCode {
    let cli: Cli = match arguments("connect4") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        None => match cli.play.web_game() {
            Ok(Some(game)) => alone(|| web::run(game, cli.play.address(), out)),
            Ok(None) => play::start(&cli.play),
            Err(exit) => alone(|| Err(exit)),
        },
        Some(Command::Analyze(args)) => alone(|| analyze::run(args, out)),
        Some(Command::Book(args)) => book::run(args, out),
        Some(Command::Evaluate(args)) => {
            ranks::lead(&args.ranks.options(), |engine, _| evaluate::run(args, engine, out))
        }
        Some(Command::Match(args)) => alone(|| matches::run(args, out)),
        Some(Command::Bench(args)) => bench::run(args, out),
        Some(Command::Perft(args)) => alone(|| perft::run(args, out)),
        Some(Command::Show(args)) => alone(|| show::run(args, out)),
        Some(Command::Solve(args)) => solve::run(args, out),
    };
    finish("connect4", done)
}
