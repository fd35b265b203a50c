//! Connect 4 at the terminal.

mod analyze;
mod bench;
mod bench_tables;
mod board_args;
mod book;
mod evaluate;
mod human;
mod input;
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
use clap::{Parser, Subcommand};

/// Connect 4: play, evaluate, measure.
///
/// Without a command, two players play: by default a person against average:8. Under mpirun or srun, the search runs on
/// all ranks.
#[derive(Debug, Parser)]
#[command(name = "connect4", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: play::PlayArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Print the score of each move of a game, and what it gave away
    Analyze(analyze::AnalyzeArgs),
    /// Make or check an opening book
    Book(book::BookArgs),
    /// Print the averaged score of each column
    Evaluate(evaluate::EvaluateArgs),
    /// Let levels play many games, and print who is how strong
    Match(matches::MatchArgs),
    /// Measure searches by the number of processes
    Bench(bench::BenchArgs),
    /// Count sequences of moves, or different positions with --distinct
    Perft(perft::PerftArgs),
    /// Print scores of perfect play
    Solve(solve::SolveArgs),
    /// Show a recorded game
    Show(show::ShowArgs),
}

fn main() -> ExitCode {
    let cli: Cli = match arguments("connect4") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        None => play::start(&cli.play, out),
        Some(Command::Analyze(args)) => alone(|| analyze::run(args, out)),
        Some(Command::Book(args)) => book::run(args, out),
        Some(Command::Evaluate(args)) => evaluate::run(args, out),
        Some(Command::Match(args)) => alone(|| matches::run(args, out)),
        Some(Command::Bench(args)) => bench::run(args, out),
        Some(Command::Perft(args)) => alone(|| perft::run(args, out)),
        Some(Command::Show(args)) => alone(|| show::run(args, out)),
        Some(Command::Solve(args)) => solve::run(args, out),
    };
    finish("connect4", done)
}
