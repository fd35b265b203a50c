use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::{RecordsArg, RulesArgs, Seconds, values};

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

/// What can be done with a ladder besides keeping it running.
#[derive(Clone, Debug, Subcommand)]
pub enum LadderCommand {
    /// Hand in a player, or a newer version of one, as a copy in the folder of players
    Add {
        /// The folder of the ladder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// The player, a shared library
        #[arg(value_name = "PLAYER.so")]
        file: PathBuf,
        /// Its name in the ladder [default: that of the file without .so]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
    },
    /// Take a player out of the folder of players
    Remove {
        /// The folder of the ladder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Its name in the ladder
        #[arg(value_name = "NAME")]
        name: String,
    },
    /// Print the ladder as it is, computed from its journal
    Status {
        /// The folder of the ladder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
    /// Let the server that plays in a folder finish its running games and stop; the same command goes on later
    Stop {
        /// The folder of the ladder
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Drop the running games; they are played again later
        #[arg(long)]
        now: bool,
    },
}

/// A ladder and how it is kept running.
#[derive(Clone, Debug, Args)]
pub struct LadderRunArgs {
    /// The folder of the ladder: players are put into its folder 'players', settings may be in its ladder.toml
    #[arg(value_name = "DIR", required = true)]
    pub dir: Option<PathBuf>,
    /// How many games at a time, each on a core of its own [default: the physical cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub concurrency: Option<NonZeroU32>,
    /// Allow more games at a time than there are physical cores: times get less fair
    #[arg(long)]
    pub force: bool,
    /// End after so long (8h, 90m, 30s), when the games that are running then are finished [default: never]
    #[arg(long = "for", value_name = "TIME", value_parser = values::span)]
    pub time: Option<Duration>,
    /// End when the ladder has so many games [default: never]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true)]
    pub games: Option<u32>,
    /// Tell of nothing but failures
    #[arg(short, long)]
    pub quiet: bool,
    /// The settings, when there is no file.
    #[command(flatten)]
    pub plan: LadderPlanArgs,
}

/// The settings of a ladder as flags; ladder.toml has the same words as keys, and check = false for --no-check.
#[derive(Clone, Debug, Args)]
pub struct LadderPlanArgs {
    /// The boards, in turn: names such as c10,d9,t10,8-12,10x8 or standard [default: c10]
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', help_heading = "Ladder")]
    pub boards: Vec<String>,
    /// Random plies before each pair, the same for every pairing [default: 4]
    #[arg(long, value_name = "N", value_parser = values::ply, allow_negative_numbers = true, help_heading = "Ladder")]
    pub plies: Option<u32>,
    /// Pairs of games when two players meet [default: 1]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Ladder")]
    pub pairs: Option<u32>,
    /// The most pairs of a player; after them it plays only when others need an opponent [default: no limit]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Ladder")]
    pub max_pairs: Option<u32>,
    /// Seed of openings, of the players' random choices and of who meets whom [default: 0]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true, help_heading = "Ladder")]
    pub seed: Option<u64>,
    /// Which games to keep as records [default: all]
    #[arg(long, value_name = "WHICH", help_heading = "Ladder")]
    pub records: Option<RecordsArg>,
    /// Admit every player that is a shared library, without 'server check'
    #[arg(long, conflicts_with = "check_size", help_heading = "Ladder")]
    pub no_check: bool,
    /// Size of the boards of 'server check', 5 to 1000 [default: 6]
    #[arg(long, value_name = "M", value_parser = values::size, allow_negative_numbers = true, help_heading = "Ladder")]
    pub check_size: Option<u32>,
    /// How often to look at the folder of players; a file is taken when it has not changed for so long [default: 2]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, help_heading = "Ladder")]
    pub look: Option<Seconds>,
    /// The rules of each game.
    #[command(flatten)]
    pub rules: RulesArgs,
}
