use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{RunArgs, StopArgs};
use crate::tournament::ladder::LadderSettings;
use crate::values::{self, Count};

/// A ladder, or something about one.
#[derive(Clone, Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    subcommand_help_heading = "Other commands"
)]
pub struct LadderArgs {
    /// Another thing to do.
    #[command(subcommand)]
    pub command: Option<LadderCommand>,
    /// The ladder to keep running.
    #[command(flatten)]
    pub run: LadderRunArgs,
}

/// The other commands on a ladder.
#[derive(Clone, Debug, Subcommand)]
pub enum LadderCommand {
    /// Hand in a player, or a newer version of one, as a copy in the folder of players
    Add {
        /// The folder of the ladder
        dir: PathBuf,
        /// The player, a shared library
        #[arg(value_name = "PLAYER.so|champion:LEVEL")]
        file: PathBuf,
        /// Its name in the ladder [default: that of the file without .so]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Take a player out of the folder of players
    Remove {
        /// The folder of the ladder
        dir: PathBuf,
        /// Its name in the ladder
        name: String,
    },
    /// Print the ladder as it is, computed from its journal
    Status {
        /// The folder of the ladder
        dir: PathBuf,
    },
    /// Let the server that plays in a folder finish its running games and stop; the same command goes on later
    Stop(StopArgs),
}

/// A ladder and how it is kept running.
#[derive(Clone, Debug, Args)]
pub struct LadderRunArgs {
    /// The folder of the ladder: players are put into its folder 'players', settings may be in its ladder.toml
    #[arg(value_name = "DIR", required = true)]
    pub dir: Option<PathBuf>,
    /// How it runs.
    #[command(flatten)]
    pub run: RunArgs,
    /// End after so long (8h, 90m, 30s), when the games that are running then are finished [default: never]
    #[arg(long = "for", value_name = "TIME", value_parser = values::span)]
    pub time: Option<Duration>,
    /// End when the ladder has so many games [default: never]
    #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
    pub games: Option<u32>,
    /// The settings, when there is no file.
    #[command(flatten)]
    pub settings: LadderSettings,
}
