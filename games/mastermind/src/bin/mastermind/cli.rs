use clap::{Parser, Subcommand};

use crate::auto::AutoArgs;
use crate::bench_args::BenchArgs;
use crate::break_code::BreakArgs;
use crate::helper::HelperArgs;
use crate::next::NextArgs;
use crate::optimum::OptimumArgs;
use crate::play::PlayArgs;
use crate::show::{ReplayArgs, ShowArgs};
use crate::table::TableArgs;
use crate::tree::TreeArgs;

/// Mastermind: play, evaluate, solve.
#[derive(Debug, Parser)]
#[command(name = "mastermind", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Guess the computer's secret, as without a command
    Make(PlayArgs),
    /// Let the computer guess your secret
    Break(BreakArgs),
    /// Let the computer play both sides, on many ranks
    Auto(AutoArgs),
    /// Print the codes left and the next guesses
    Next(NextArgs),
    /// Play strategies against all secrets
    Table(TableArgs),
    /// Prove the fewest guesses in sum over all secrets
    Optimum(OptimumArgs),
    /// Work with saved trees
    Tree(TreeArgs),
    /// Count and time what the protocols and the heavy loads cost
    Bench(BenchArgs),
    /// Write a page that helps at a real board
    Helper(HelperArgs),
    /// Print the game of a record
    Show(ShowArgs),
    /// Play a record again and check it
    Replay(ReplayArgs),
}
