//! What a person may type.

mod complaint;
mod values;

use std::path::PathBuf;

use amazons_rules::{Board, Directions, Shape};
use clap::{Args, Parser, Subcommand, ValueEnum};

pub use complaint::complaint;
pub use values::Seconds;

/// The game of the Amazons between two players
#[derive(Clone, Debug, Parser)]
#[command(
    name = "server",
    version,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    subcommand_help_heading = "Other commands",
    override_usage = "server [OPTIONS] PLAYER1 PLAYER2\n       server COMMAND ...",
    after_help = "Options may stand before, between and after the players.\n\n\
        Exit status: 0 the game came to an end, 1 a record does not verify, 2 wrong usage, 3 a player was at fault \
        (with --strict), 70 our own failure, 141 nobody reads our output any more."
)]
pub struct Cli {
    /// Another thing to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The game to play.
    #[command(flatten)]
    pub play: PlayArgs,
}

/// A board by its shape and size.
#[derive(Clone, Debug, Default, Args)]
pub struct BoardArgs {
    /// Size of the board: M rows and M columns, 5 to 1000 [default: 10]
    #[arg(short = 'm', long = "size", value_name = "M", value_parser = values::size, allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Shape of the board: c square, d donut, t clover, 8 figure-eight [default: c]
    #[arg(short = 't', long = "type", value_name = "SHAPE")]
    pub shape: Option<ShapeArg>,
    /// Start from a position text such as '3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w'; without -m and -t its ranks make the board
    #[arg(long, value_name = "TEXT")]
    pub position: Option<String>,
}

/// The shape of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShapeArg {
    /// Square
    C,
    /// Donut
    D,
    /// Clover
    T,
    /// Figure-eight
    #[value(name = "8")]
    Eight,
}

impl From<ShapeArg> for Shape {
    fn from(arg: ShapeArg) -> Self {
        match arg {
            ShapeArg::C => Self::Square,
            ShapeArg::D => Self::Donut,
            ShapeArg::T => Self::Clover,
            ShapeArg::Eight => Self::FigureEight,
        }
    }
}

/// One game.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// Player 1, a shared library
    #[arg(value_name = "PLAYER1", required = true)]
    pub player1: Option<PathBuf>,
    /// Player 2, a shared library; may be the same file
    #[arg(value_name = "PLAYER2", required = true)]
    pub player2: Option<PathBuf>,
    /// The board.
    #[command(flatten)]
    pub board: BoardArgs,
    /// Seed of all random choices, also of the players' rand() [default: a new one each time, shown]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Who moves first
    #[arg(long, value_name = "WHO", default_value = "1")]
    pub first: FirstArg,
    /// Stop without a winner after N moves
    #[arg(long, value_name = "N", value_parser = values::moves, allow_negative_numbers = true)]
    pub max_moves: Option<u32>,
    /// Time for each move, in seconds (2, 0.5) or with a unit (500ms)
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "15")]
    pub move_time: Seconds,
    /// Time for initialize
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "15")]
    pub init_time: Seconds,
    /// Time for loading a player
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "5")]
    pub load_time: Seconds,
    /// Time for finalize
    #[arg(long, value_name = "TIME", allow_negative_numbers = true, default_value = "1")]
    pub finalize_time: Seconds,
    /// How the edges of the graph are numbered for the players
    #[arg(long, value_name = "NUMBERS", default_value = "subject")]
    pub directions: DirectionsArg,
    /// What stands between players and server; none: they run inside it, without any protection
    #[arg(long, value_name = "HOW", default_value = "process")]
    pub isolation: IsolationArg,
    /// Write the result only
    #[arg(short, long)]
    pub quiet: bool,
    /// Write the events of the game as JSON, one a line, and nothing else
    #[arg(long, conflicts_with = "quiet")]
    pub json: bool,
    /// Write the events of the game to a new file as well
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Keep what the players print, as player1.log and player2.log in a folder
    #[arg(long, value_name = "DIR")]
    pub log_dir: Option<PathBuf>,
    /// When to draw the board [default: every on a terminal, ends elsewhere]
    #[arg(long, value_name = "WHEN")]
    pub boards: Option<BoardsArg>,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorArg,
    /// Exit with status 3 when a player was at fault
    #[arg(long)]
    pub strict: bool,
}

/// Who moves first.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum FirstArg {
    /// Player 1.
    #[value(name = "1")]
    One,
    /// Player 2.
    #[value(name = "2")]
    Two,
    /// Drawn with the seed.
    Random,
}

/// How edges are numbered.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum DirectionsArg {
    /// N 1, NE 2, W 3, SE 4, S 5, SW 6, E 7, NW 8
    Subject,
    /// N 1, NE 2, E 3, SE 4, S 5, SW 6, W 7, NW 8
    Ring,
}

impl From<DirectionsArg> for Directions {
    fn from(arg: DirectionsArg) -> Self {
        match arg {
            DirectionsArg::Subject => Self::Subject,
            DirectionsArg::Ring => Self::Ring,
        }
    }
}

/// What stands between players and server.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum IsolationArg {
    /// A process for each player
    Process,
    /// Nothing
    None,
}

/// When to draw the board.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum BoardsArg {
    /// After every move
    Every,
    /// At the start and at the end
    Ends,
    /// Not at all
    Never,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ColorArg {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What the server does besides playing.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Play a record again and check every move, fault and the end
    Replay {
        /// The record, as written by --record or --json
        file: PathBuf,
        /// Write nothing when the record is right
        #[arg(short, long)]
        quiet: bool,
    },
    /// Count the sequences of legal moves from a position
    Perft {
        /// The board.
        #[command(flatten)]
        board: BoardArgs,
        /// Length of the sequences
        #[arg(short, long, value_name = "D", default_value = "1", value_parser = values::depth, allow_negative_numbers = true)]
        depth: u32,
        /// Count each first move on its own
        #[arg(long)]
        divide: bool,
    },
    /// List the legal moves of a position: their number, a tab, the moves in order
    Moves {
        /// The board.
        #[command(flatten)]
        board: BoardArgs,
        /// Read position texts from standard input, one a line
        #[arg(long, conflicts_with = "position")]
        stdin: bool,
    },
    /// Measure the speed of the rules; the node count at the end tells two builds apart
    Bench,
    /// Write a ready-to-build player into a new folder
    NewPlayer {
        /// The language
        #[arg(value_name = "LANGUAGE")]
        language: LanguageArg,
        /// Name of the player and of the folder
        #[arg(value_name = "NAME")]
        name: String,
        /// C only: start from the template that uses GSL
        #[arg(long)]
        gsl: bool,
        /// Where to make the folder
        #[arg(long, value_name = "DIR", default_value = ".")]
        dir: PathBuf,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// The language of a new player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LanguageArg {
    /// C99
    C,
    /// Rust
    Rust,
}

/// The sizes that `-m` takes, for messages.
pub(crate) const SIZES: std::ops::RangeInclusive<u32> = Board::MIN_SIZE..=Board::MAX_SIZE;
