//! Cluedo at the terminal.

mod assist;
mod bench;
mod bot;
mod client;
mod hint;
mod input_file;
mod join;
mod person;
mod play;
mod replay;
mod seats;
mod serve;
mod show;
mod solve;
mod statistics;
mod statistics_text;
mod tournament;
mod values;
mod web;

use std::io::{self, Write};
use std::process::ExitCode;

use amazons_program::{Exit, arguments, finish, ranks::alone};
use clap::{Parser, Subcommand};
use cluedo::card_names::CardNames;

/// Cluedo: play against AIs, measure them.
#[derive(Debug, Parser)]
#[command(name = "cluedo", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Play against 2 to 5 AIs; under mpirun, each AI has a process of its own
    Play(play::PlayArgs),
    /// Help at a real table: what is certain and why, chances, the best question
    Assist(assist::AssistArgs),
    /// Check records of games: deals, answers, moves and results
    #[command(visible_alias = "verify")]
    Replay(replay::ReplayArgs),
    /// Play the same games by direct calls and over ranks, compare them, and measure
    Bench(bench::BenchArgs),
    /// List the 21 cards with their numbers and names
    Cards,
    /// Let a bot join a server
    Bot(bot::BotArgs),
    /// Join a server yourself, at the terminal or in a browser
    Join(join::JoinArgs),
    /// Serve tables to bots that speak lines over TCP
    Serve(serve::ServeArgs),
    /// Show what a seat had seen at a moment of a recorded game
    Show(show::ShowArgs),
    /// Count all deals that agree with what a seat has seen
    Solve(solve::SolveArgs),
    /// Let AIs play alone, many games: how many rounds they need, and who wins
    Statistics(statistics::StatisticsArgs),
    /// Let programs play each other by a plan, and compare them
    Tournament(tournament::TournamentArgs),
    /// Look at records of games in a browser
    Watch(web::WatchArgs),
}

fn main() -> ExitCode {
    if let Some(served) = seats::serve_sandbox() {
        return finish("cluedo", served.map(|()| Exit::Success).map_err(Exit::usage));
    }
    let cli: Cli = match arguments("cluedo") {
        Ok(cli) => cli,
        Err(status) => return status,
    };
    let out = &mut io::stdout().lock();
    let done = match &cli.command {
        Command::Assist(args) => alone(|| assist::run(args, io::stdin().lock(), out)),
        Command::Play(args) => play::run(args, io::stdin().lock(), out),
        Command::Replay(args) => alone(|| replay::run(args, out)),
        Command::Bench(args) => bench::run(args, out),
        Command::Cards => alone(|| cards(out)),
        Command::Bot(args) => alone(|| bot::run(args)),
        Command::Join(args) => alone(|| join::run(args, out)),
        Command::Serve(args) => alone(|| serve::run(args, out)),
        Command::Solve(args) => alone(|| solve::run(args, out)),
        Command::Show(args) => alone(|| show::run(args, out)),
        Command::Watch(args) => alone(|| web::watch(args, out)),
        Command::Statistics(args) => statistics::run(args, out),
        Command::Tournament(args) => tournament::run(args, out),
    };
    finish("cluedo", done)
}

/// Prints a line for each card: number, type, English and French name.
fn cards(out: &mut impl Write) -> Result<Exit, Exit> {
    let CardNames { deck, kinds, .. } = CardNames::classic();
    for card in deck.all().iter() {
        let names = CardNames::classic().names(card);
        writeln!(out, "{card:2}  {:8} {:16} {}", kinds[deck.kind(card)], names[0], names[1])?;
    }
    Ok(Exit::Success)
}
