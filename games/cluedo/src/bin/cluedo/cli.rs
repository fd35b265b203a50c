use clap::{Parser, Subcommand};

use crate::assist::AssistArgs;
use crate::bench::BenchArgs;
use crate::bot::BotArgs;
use crate::join::JoinArgs;
use crate::play::PlayArgs;
use crate::replay::ReplayArgs;
use crate::serve::ServeArgs;
use crate::show::ShowArgs;
use crate::solve::SolveArgs;
use crate::statistics::StatisticsArgs;
use crate::tournament::TournamentArgs;
use crate::watch::WatchArgs;

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
    /// Help at a real table: what is certain and why, chances, the best question
    Assist(AssistArgs),
    /// Check records of games: deals, answers, moves and results
    #[command(visible_alias = "verify")]
    Replay(ReplayArgs),
    /// Play the same games by direct calls and over ranks, compare them, and measure
    Bench(BenchArgs),
    /// List the 21 cards with their numbers and names
    Cards,
    /// Let a bot join a server
    Bot(BotArgs),
    /// Join a server yourself, at the terminal or in a browser
    Join(JoinArgs),
    /// Serve tables to bots that speak lines over TCP
    Serve(ServeArgs),
    /// Show what a seat had seen at a moment of a recorded game
    Show(ShowArgs),
    /// Count all deals that agree with what a seat has seen
    Solve(SolveArgs),
    /// Let AIs play alone, many games: how many rounds they need, and who wins
    Statistics(StatisticsArgs),
    /// Let programs play each other by a plan, and compare them
    Tournament(TournamentArgs),
    /// Look at records of games in a browser
    Watch(WatchArgs),
}
