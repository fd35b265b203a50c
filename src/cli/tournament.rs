use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::tournament::PlanSettings;
use crate::values;

/// An event, or something about one.
#[derive(Clone, Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_help_heading = "Other commands")]
pub struct TournamentArgs {
    /// Another thing to do.
    #[command(subcommand)]
    pub command: Option<TournamentCommand>,
    /// The event to play.
    #[command(flatten)]
    pub event: EventArgs,
}

/// The other commands on an event.
#[derive(Clone, Debug, Subcommand)]
pub enum TournamentCommand {
    /// Let the server that plays in a folder finish its running games and stop; the same command goes on later
    Stop(StopArgs),
    /// Print the pairs that can be played now as tasks, one a line, for 'server play-pair' on any machine
    Tasks {
        /// The event.
        #[command(flatten)]
        event: Box<EventArgs>,
    },
    /// Withdraw a player from a Swiss event that no server works on: it plays the round that is on, and no more
    Withdraw {
        /// The folder of the event
        dir: PathBuf,
        /// The player's name in the event
        name: String,
    },
    /// Take the results of tasks into the journal of an event, and write its standings
    Collect {
        /// The folder of the event
        dir: PathBuf,
    },
}

/// A folder whose server is to stop.
#[derive(Clone, Debug, Args)]
pub struct StopArgs {
    /// The folder
    pub dir: PathBuf,
    /// Drop the running games; they are played again later
    #[arg(long)]
    pub now: bool,
}

/// An event and how it is played.
#[derive(Clone, Debug, Args)]
pub struct EventArgs {
    /// A plan (a file that ends with .toml), or the players: shared libraries, or other programs as for a game
    #[arg(value_name = "PLAN.toml|PLAYER...")]
    pub what: Vec<PathBuf>,
    /// The folder of the event; when there is one already, it goes on [default: the name of the plan without .toml, or 'tournament']
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// How it runs.
    #[command(flatten)]
    pub run: RunArgs,
    /// Test whether player 1 is stronger than player 2, and stop as soon as that is known: elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized (or logistic)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., allow_negative_numbers = true, help_heading = "Plan")]
    pub sprt: Vec<String>,
    /// The plan, when there is no file.
    #[command(flatten)]
    pub plan: PlanSettings,
}

/// How the games of an event or a ladder run here.
#[derive(Clone, Copy, Debug, Args)]
pub struct RunArgs {
    /// How many games at a time, each on a core of its own [default: the physical cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub concurrency: Option<NonZeroU32>,
    /// Allow more games at a time than there are physical cores: times get less fair
    #[arg(long)]
    pub force: bool,
    /// Show nothing but failures
    #[arg(short, long)]
    pub quiet: bool,
}
