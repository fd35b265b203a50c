use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::{DirectionsArg, LimitArgs, SandboxArg, values};

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

/// What can be done with an event besides playing it.
#[derive(Clone, Debug, Subcommand)]
pub enum TournamentCommand {
    /// Let the server that plays in a folder finish its running games and stop; the same command goes on later
    Stop {
        /// The folder of the event
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Drop the running games; they are played again later
        #[arg(long)]
        now: bool,
    },
    /// Print the pairs that can be played now as tasks, one a line, for 'server play-pair' on any machine
    Tasks {
        /// The event.
        #[command(flatten)]
        event: Box<EventArgs>,
    },
    /// Take the results of tasks into the journal of an event, and write its standings
    Collect {
        /// The folder of the event
        #[arg(value_name = "DIR")]
        dir: PathBuf,
    },
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
    /// How many games at a time, each on a core of its own [default: the physical cores]
    #[arg(short = 'j', long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub concurrency: Option<NonZeroU32>,
    /// Allow more games at a time than there are physical cores: times get less fair
    #[arg(long)]
    pub force: bool,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// The plan, when there is no file.
    #[command(flatten)]
    pub plan: PlanArgs,
}

/// A plan as flags; a file has the same words as keys.
#[derive(Clone, Debug, Args)]
pub struct PlanArgs {
    /// Who meets whom [default: round-robin]
    #[arg(long, value_name = "FORMAT", help_heading = "Plan")]
    pub format: Option<FormatArg>,
    /// Pairs of games for each two players that meet, in each round of swiss [default: 1]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Plan")]
    pub pairs: Option<u32>,
    /// swiss: how many rounds
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Plan")]
    pub rounds: Option<u32>,
    /// gauntlet: how many of the players, from the first, meet all others [default: 1]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Plan")]
    pub seeds: Option<u32>,
    /// knockout: how many pairs a match has at most before it is even [default: 1]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Plan")]
    pub best_of: Option<u32>,
    /// Test whether player 1 is stronger than player 2, and stop as soon as that is known: elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized (or logistic)
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., allow_negative_numbers = true, help_heading = "Plan")]
    pub sprt: Vec<String>,
    /// --sprt: stop without a verdict after so many pairs [default: 50000]
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Plan")]
    pub max_pairs: Option<u32>,
    /// The boards, in turn: names such as c10,d9,t10,8-12,10x8 or standard [default: c10]
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',', help_heading = "Plan")]
    pub boards: Vec<String>,
    /// Random plies before each pair, the same for every pairing [default: 4, none with --openings]
    #[arg(long, value_name = "N", value_parser = values::ply, allow_negative_numbers = true, help_heading = "Plan")]
    pub plies: Option<u32>,
    /// Openings from a file of position texts, one a line, in turn
    #[arg(long, value_name = "FILE", help_heading = "Plan")]
    pub openings: Option<PathBuf>,
    /// Seed of openings and of the players' random choices [default: 0]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true, help_heading = "Plan")]
    pub seed: Option<u64>,
    /// Which games to keep as records [default: all]
    #[arg(long, value_name = "WHICH", help_heading = "Plan")]
    pub records: Option<RecordsArg>,
    /// The rules of each game.
    #[command(flatten)]
    pub rules: RulesArgs,
}

/// Who meets whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatArg {
    /// Everybody meets everybody
    RoundRobin,
    /// The first players meet all others
    Gauntlet,
    /// Players of equal points meet, nobody twice
    Swiss,
    /// Who loses a match is out
    Knockout,
}

/// Which games to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RecordsArg {
    /// Every game
    All,
    /// Games in which a player was at fault
    Faulty,
    /// None
    None,
}

/// What holds for each game, as for a single one.
#[derive(Clone, Debug, Args)]
pub struct RulesArgs {
    /// Stop a game without a winner after N moves: half a point each
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true, help_heading = "Game")]
    pub max_moves: Option<u32>,
    /// How the edges of the graph are numbered, for all players, or for each in turn: ring,subject,ring [default: ring]
    #[arg(long, value_name = "NUMBERING", value_delimiter = ',', num_args = 1, help_heading = "Game")]
    pub directions: Vec<DirectionsArg>,
    /// What the players may use.
    #[command(flatten)]
    pub limits: LimitArgs,
    /// What to do where the kernel has less than the sandbox needs
    #[arg(long, value_name = "MODE", default_value = "auto", help_heading = "Safety")]
    pub sandbox: SandboxArg,
    /// Let players read a file or folder besides their own file and the system's libraries; may be repeated
    #[arg(long, value_name = "PATH", help_heading = "Safety")]
    pub allow_read: Vec<PathBuf>,
}

/// The same, on its own: the options of a plan that is read from a file.
#[derive(Clone, Debug, Parser)]
#[command(name = "server", no_binary_name = true, disable_help_flag = true)]
pub struct RulesLine {
    /// The rules.
    #[command(flatten)]
    pub rules: RulesArgs,
}
