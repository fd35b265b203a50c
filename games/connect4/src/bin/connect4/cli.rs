use clap::{Parser, Subcommand};

use crate::analyze::AnalyzeArgs;
use crate::bench::BenchArgs;
use crate::book::BookArgs;
use crate::evaluate::EvaluateArgs;
use crate::match_args::MatchArgs;
use crate::perft::PerftArgs;
use crate::play::PlayArgs;
use crate::show::ShowArgs;
use crate::solve::SolveArgs;

/// Connect 4: play, evaluate, measure.
///
/// Without a command, two players play: by default a person against average:8. Under mpirun or srun, the search runs on
/// all ranks.
#[derive(Debug, Parser)]
#[command(name = "connect4", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

/// The commands; each has its arguments in its own file.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the score of each move of a game, and what it gave away
    Analyze(AnalyzeArgs),
    /// Make or check an opening book
    Book(BookArgs),
    /// Print the averaged score of each column
    Evaluate(EvaluateArgs),
    /// Let levels play many games, and print who is how strong
    Match(MatchArgs),
    /// Measure searches by the number of processes
    Bench(BenchArgs),
    /// Count sequences of moves, or different positions with --distinct
    Perft(PerftArgs),
    /// Print scores of perfect play
    Solve(SolveArgs),
    /// Show a recorded game
    Show(ShowArgs),
}
