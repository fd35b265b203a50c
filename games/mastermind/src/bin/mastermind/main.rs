//! Mastermind at the terminal.

mod auto;
mod bench;
mod bench_args;
mod board;
mod break_code;
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
mod workloads;

use std::io;
use std::process::ExitCode;

use amazons_program::{Exit, Interrupt, SIGINT, arguments, finish};
use clap::{Parser, Subcommand};

/// Mastermind: play, evaluate, solve.
#[derive(Debug, Parser)]
#[command(name = "mastermind", version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: play::PlayArgs,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Guess the computer's secret, as without a command
    Make(play::PlayArgs),
    /// Let the computer guess your secret
    Break(break_code::BreakArgs),
    /// Let the computer play both sides, on many ranks
    Auto(auto::AutoArgs),
    /// Print the codes left and the next guesses
    Next(next::NextArgs),
    /// Play strategies against all secrets
    Table(table::TableArgs),
    /// Prove the fewest guesses in sum over all secrets
    Optimum(optimum::OptimumArgs),
    /// Work with saved trees
    Tree(optimum::TreeArgs),
    /// Count and time what the protocols and the heavy loads cost
    Bench(bench_args::BenchArgs),
    /// Write a page that helps at a real board
    Helper(helper::HelperArgs),
    /// Print the game of a record
    Show(show::ShowArgs),
    /// Play a record again and check it
    Replay(show::ReplayArgs),
}

fn main() -> ExitCode {
    let cli: Cli = match arguments("mastermind") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        None => alone(|| play::run(&cli.play, out)),
        Some(Command::Make(args)) => alone(|| play::run(args, out)),
        Some(Command::Next(args)) => alone(|| next::run(args, out)),
        Some(Command::Table(args)) => alone(|| table::run(args, out)),
        Some(Command::Tree(args)) => alone(|| optimum::tree(args, out)),
        Some(Command::Helper(args)) => alone(|| helper::run(args, out)),
        Some(Command::Show(args)) => alone(|| show::show(args, out)),
        Some(Command::Replay(args)) => alone(|| show::replay(args, out)),
        // Those of many ranks stop by themselves.
        Some(Command::Auto(args)) => auto::run(args, out),
        Some(Command::Bench(args)) => bench::run(args, out),
        Some(Command::Break(args)) => break_code::run(args, out),
        Some(Command::Optimum(args)) => optimum::run(args, out),
    };
    finish("mastermind", done)
}

/// Runs a command that needs no other ranks, and that Ctrl-C may end at any time.
fn alone(command: impl FnOnce() -> Result<Exit, Exit>) -> Result<Exit, Exit> {
    amazons_program::ranks::alone(|| {
        Interrupt::end_at_once(&[SIGINT]).map_err(Exit::failure)?;
        command()
    })
}
