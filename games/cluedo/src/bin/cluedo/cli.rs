use clap::{Parser, Subcommand};

use crate::bench::BenchArgs;
use crate::bot::BotArgs;
use crate::join::JoinArgs;
use crate::play::PlayArgs;
use crate::replay::ReplayArgs;
use crate::serve::ServeArgs;
use crate::solve::SolveArgs;
use crate::statistics::StatisticsArgs;

/// Cluedo: play against AIs, measure them.
#[derive(Debug, Parser)]
#[command(name = "cluedo", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play against 2 to 5 AIs; under mpirun, each AI has a process of its own
    Play(PlayArgs),
    /// Check records of games: deals, answers, moves and results
    Replay(ReplayArgs),
    /// Play the same games by direct calls and over ranks, compare them, and measure
    Bench(BenchArgs),
    /// List the 21 cards with their numbers and names
    Cards,
    /// Let a bot join a server
    Bot(BotArgs),
    /// Join a server yourself, at the terminal
    Join(JoinArgs),
    /// Serve tables to bots that speak lines over TCP
    Serve(ServeArgs),
    /// Count all deals that agree with what a seat has seen
    Solve(SolveArgs),
    /// Let AIs play alone, many games: how many rounds they need, and who wins
    Statistics(StatisticsArgs),
}
