//! The engine's laboratory: games against itself, learning from them, and matches between versions.
//!
//! `lab play` writes games, `lab learn` learns weights from them, `lab match` decides whether a change is worth
//! keeping. With budgets of nodes, everything follows from the seed.

mod boards;
mod budget_spec;
mod calibrate;
mod contender;
mod descent;
mod games;
mod learn;
mod matches;
mod openings;
mod ownership;
mod pairs;
mod peer;
mod samples;
mod train;
mod workers;

use clap::Parser;

/// The engine's laboratory.
#[derive(Debug, Parser)]
#[command(version, arg_required_else_help = true)]
enum Command {
    /// Plays games of the engine against itself and writes them to a file.
    Play(games::PlayArgs),
    /// Learns weights from files of games.
    Learn(learn::LearnArgs),
    /// Trains a network with files of games.
    Train(train::TrainArgs),
    /// Learns who will own each vertex from files of games, or tests what was learned.
    Ownership(ownership::OwnershipArgs),
    /// Compares the chances that people are told with the results of games.
    Calibrate(calibrate::CalibrateArgs),
    /// Prints openings, one a line, for `server tournament --openings`.
    Openings(openings::PrintArgs),
    /// Plays a match between two contenders, each opening with both colours.
    Match(matches::MatchArgs),
    /// Plays a match against another program.
    Peer(peer::PeerArgs),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Play(args) => games::play(&args),
        Command::Learn(args) => learn::learn(&args),
        Command::Train(args) => train::train(&args),
        Command::Ownership(args) => ownership::ownership(&args),
        Command::Calibrate(args) => calibrate::calibrate(&args),
        Command::Openings(args) => openings::print(&args),
        Command::Match(args) => matches::play(&args),
        Command::Peer(args) => peer::play(&args),
    }
}
