//! A person's command.

mod choices;
mod complaint;
mod course;
mod deferred;
mod ladder;
mod suggestion;
mod tournament;

use std::ffi::OsString;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;

use clap::{Arg, ArgAction, Args, Parser, Subcommand};

use crate::game::{BoardArgs, GameArgs, GameSettings};
use crate::new_player::Template;
use crate::terminal::Boards;
use crate::values::{self, BoardSize, Count, Seconds, whole};

pub use choices::{ColorArg, StandingsArg, UntilArg};
pub use complaint::complaint;
pub use course::{CourseArgs, CourseCommand, CourseRunArgs};
pub use deferred::Deferred;
pub use ladder::{LadderArgs, LadderCommand, LadderRunArgs};
pub use suggestion::{misplaced_command, suggestion};
pub use tournament::{EventArgs, RunArgs, StopArgs, TournamentArgs, TournamentCommand};

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
        The time behind each move is what is charged: processor time of all threads divided by --threads, or the wall clock \
        with --clock wall. Where a player waited for long, the wall clock stands behind it.\n\n\
        Exit status: 0 the game came to an end, 1 the answer is no (a record does not verify, a player fails its check, \
        a soak leaves something behind, the doctor finds fault), 2 wrong usage, 3 a player was at fault, in finalize too \
        (with --strict), 70 our own failure, 130 a tournament or a ladder was stopped before its end, 141 nobody reads our output any more."
)]
pub struct Cli {
    /// Another thing to do.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The game to play.
    #[command(flatten)]
    pub play: PlayArgs,
}

impl Cli {
    /// Parses the name of the program and its arguments, as [`Parser::try_parse_from`] does, but a game more quickly.
    ///
    /// A valid game is parsed by its own arguments alone: describing the commands as well takes longer than parsing it.
    /// Fails when they are not valid, or when help is requested.
    pub fn parse_quickly(words: &[OsString]) -> Result<Self, clap::Error> {
        let first = words.get(1).map_or(&[][..], |word| word.as_encoded_bytes());
        let may_be_command = first.iter().all(|&byte| byte.is_ascii_lowercase() || byte == b'-');
        if (!may_be_command || first.starts_with(b"-"))
            && let Ok(GameCli { play }) = GameCli::try_parse_from(words)
        {
            return Ok(Self { command: None, play });
        }
        Self::try_parse_from(words)
    }
}

/// A command line without commands; its errors and its help are not shown.
#[derive(Debug, Parser)]
#[command(disable_help_flag = true)]
struct GameCli {
    /// The game to play.
    #[command(flatten)]
    play: PlayArgs,
}

/// One game and how it is shown.
#[derive(Clone, Debug, Args)]
pub struct PlayArgs {
    /// The game.
    #[command(flatten)]
    pub game: GameArgs,
    /// Write the result only
    #[arg(short, long, help_heading = "Output", conflicts_with = "boards")]
    pub quiet: bool,
    /// Write the events of the game as JSON, one a line, and nothing else
    #[arg(long, help_heading = "Output", conflicts_with = "quiet")]
    pub json: bool,
    /// Write the events of the game to a new file as well
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub record: Option<PathBuf>,
    /// Keep what the players print, as player1.log and player2.log in a folder; those of an earlier game are not overwritten: name a new folder, or remove them
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub log_dir: Option<PathBuf>,
    /// When to draw the board [default: every on a terminal, ends elsewhere]
    #[arg(long, value_name = "WHEN", help_heading = "Output")]
    pub boards: Option<Boards>,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", help_heading = "Output")]
    pub color: ColorArg,
    /// Show the game to browsers while it is played, at an address that is told on standard error; stay: until Ctrl-C
    #[arg(
        long,
        value_name = "UNTIL",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "end",
        help_heading = "Watching"
    )]
    pub watch: Option<UntilArg>,
    /// Where browsers find it.
    #[command(flatten, next_help_heading = "Watching")]
    pub address: AddressArgs,
    /// Exit with status 3 when a player was at fault, also in finalize, where it changes no result
    #[arg(long, help_heading = "Output")]
    pub strict: bool,
}

/// The address at which browsers find games, and the browsers that may.
#[derive(Clone, Debug, Args)]
pub struct AddressArgs {
    /// Port to listen on [default: one that is free]
    #[arg(long, value_name = "N", value_parser = values::port, allow_negative_numbers = true)]
    pub port: Option<u16>,
    /// Address to listen on; others than this machine's own need --public
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub host: IpAddr,
    /// Let everybody in who reaches the address; they see the games, but no folders and nothing that players printed
    #[arg(long)]
    pub public: bool,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
}

/// Records to be shown, and where browsers find them.
#[derive(Clone, Debug, Args)]
pub struct WatchArgs {
    /// Folders with records, named *.jsonl, or single records; folders in them are left out; or folders of tournaments and ladders [default: .]
    #[arg(value_name = "FOLDER|FILE")]
    pub paths: Vec<PathBuf>,
    /// Analyse games and positions that visitors ask for, with processors that nothing else wants
    #[arg(long)]
    pub analyze: bool,
    /// Let visitors of this machine play against this player; may be repeated
    #[arg(long, value_name = "PLAYER")]
    pub play: Vec<PathBuf>,
    /// Where what the players printed is kept, if not with the records; may be repeated
    #[arg(long, value_name = "DIR")]
    pub logs: Vec<PathBuf>,
    /// Where browsers find them.
    #[command(flatten)]
    pub address: AddressArgs,
}

/// The commands.
#[derive(Clone, Debug, Subcommand)]
pub enum Command {
    /// Play a record again and check every move, fault and the end
    Replay {
        /// The record, as written by --record or --json
        file: PathBuf,
        /// The number of the game where the file holds several [default: 1]
        #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
        game: Option<u32>,
        /// Write nothing when the record is right
        #[arg(short, long)]
        quiet: bool,
    },
    /// Show a game at one moment: a record, SGF, PGN or position text
    Show(Deferred<ShowArgs>),
    /// Write a game in another format: json, sgf, pgn, fen, svg, png, gif or html, by the files' names
    Convert(Deferred<ConvertArgs>),
    /// Show games to browsers: records of a folder, and those that are being written
    Watch(Deferred<WatchArgs>),
    /// Count the sequences of legal moves from a position
    Perft {
        /// The board.
        #[command(flatten)]
        board: BoardArgs,
        /// Length of the sequences
        #[arg(short, long, value_name = "D", default_value = "1", value_parser = |text: &str| whole::<u32>(text, 0..=u32::MAX.into(), ""), allow_negative_numbers = true)]
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
    /// Find out who wins a position with best play, and prove it
    Solve(Deferred<SolveArgs>),
    /// Check a proof that 'server solve --proof' has written, without any search
    VerifyProof {
        /// The file
        file: PathBuf,
    },
    /// Say what the engine thinks of a position, or of every move of a game
    Analyze(Deferred<AnalyzeArgs>),
    /// Find puzzles in games: positions in which exactly one move wins, proven, and another one looks best
    ///
    /// docs/puzzles.md tells about it.
    Puzzles(Deferred<PuzzlesArgs>),
    /// Measure the speed of rules, evaluation and search; the node counts at the end tell two builds apart
    Bench(BenchArgs),
    /// Check the server: play many games in one process, see that nothing is left of them, and tell how fast that was
    ///
    /// To check a player there is 'server check'.
    Soak {
        /// How many games
        #[arg(short = 'n', long, value_name = "N", default_value = "1000", value_parser = Count::number, allow_negative_numbers = true)]
        games: u32,
        /// How many games at a time, each on a core of its own [default: the number of cores]
        #[arg(short, long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
        jobs: Option<NonZeroU32>,
        /// The game.
        #[command(flatten)]
        game: Deferred<GameArgs>,
    },
    /// Play a tournament: round robin, gauntlet, Swiss, knockout, or a test of two players; the same command goes on after a stop
    ///
    /// docs/tournaments.md tells about plans, files and results.
    Tournament(Deferred<TournamentArgs>),
    /// Keep a ladder running: players are added, replaced and removed while games are played; the same command goes on after a stop
    ///
    /// docs/tournaments.md tells about it.
    Ladder(Deferred<LadderArgs>),
    /// Run a course: teams hand in players over the network, which are built, checked and play each other
    ///
    /// docs/course.md tells about it.
    Course(Deferred<CourseArgs>),
    /// Compute the standings of one or more events anew from their journals
    Rate {
        /// The folders of events
        #[arg(value_name = "DIR", required = true)]
        dirs: Vec<PathBuf>,
        /// The output to write
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        to: StandingsArg,
    },
    /// Publish an event, a ladder or a course: pages for any web server, with standings, tables and all games
    Report {
        /// The folder of the event, the ladder or the course
        dir: PathBuf,
        /// The folder to write: a new one, or that of an earlier report
        #[arg(long, value_name = "FOLDER")]
        html: PathBuf,
    },
    /// Play one pair of an event, a line of 'server tournament tasks': a repeated task does nothing
    PlayPair {
        /// The task: the folder of the event, a colon, the number of the pair
        #[arg(value_name = "DIR:PAIR")]
        task: String,
    },
    /// Try out a player step by step: loading, names, whole games, other servers' graphs, memory, time
    Check(Deferred<CheckArgs>),
    /// Let a player serve another program: speak the Amazons engine protocol, or UCI, on standard input and output
    ///
    /// docs/protocol.md specifies both. Time without a 'go' that tells one is --move-time or --game-time.
    Engine(Deferred<EngineArgs>),
    /// Say what this machine offers for running players safely, what is missing, and how to get it
    Doctor {
        /// Write JSON
        #[arg(long)]
        json: bool,
    },
    /// Write a ready-to-build player into a new folder
    NewPlayer {
        /// The language
        language: Template,
        /// Name of the player and of the folder
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

/// How the speed is measured.
#[derive(Clone, Debug, Args)]
pub struct BenchArgs {
    /// Measure everything so many times, and take the medians
    #[arg(short = 'n', long, value_name = "N", default_value = "3", value_parser = Count::number, allow_negative_numbers = true)]
    pub runs: u32,
    /// Run 'bench' of this server and of another one in turn, and print the ratios of their speeds
    #[arg(long, value_name = "SERVER")]
    pub compare: Option<PathBuf>,
}

/// A game to be shown.
#[derive(Clone, Debug, Args)]
pub struct ShowArgs {
    /// The game; - is standard input
    pub file: PathBuf,
    /// After so many moves [default: all of them]
    #[arg(long, value_name = "N", value_parser = values::ply, allow_negative_numbers = true)]
    pub ply: Option<u32>,
    /// Mark free vertices by whose queens are nearer: b, w, = both, . nobody
    #[arg(long)]
    pub territory: bool,
    /// The format of the file: json, sgf, pgn or fen [default: by its name, or by how it begins]
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<String>,
    /// The number of the game where the file holds several [default: 1]
    #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
    pub game: Option<u32>,
    /// Whether to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorArg,
}

/// A game to be written in another format.
#[derive(Clone, Debug, Args)]
pub struct ConvertArgs {
    /// The game; - is standard input
    #[arg(value_name = "IN")]
    pub input: PathBuf,
    /// The file to write; - is standard output
    #[arg(value_name = "OUT")]
    pub output: PathBuf,
    /// The format of IN: json, sgf, pgn or fen [default: by its name, or by how it begins]
    #[arg(long, value_name = "FORMAT")]
    pub from: Option<String>,
    /// The format of OUT: json, sgf, pgn, fen, svg, png, gif or html [default: by its name]
    #[arg(long, value_name = "FORMAT")]
    pub to: Option<String>,
    /// The number of the game where the file holds several [default: 1]
    #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
    pub game: Option<u32>,
    /// Leave out what comes after so many moves
    #[arg(long, value_name = "N", value_parser = values::ply, allow_negative_numbers = true)]
    pub ply: Option<u32>,
    /// Pictures: shade free vertices by whose queens are nearer
    #[arg(long)]
    pub territory: bool,
    /// Pictures: the longer side, in pixels [default: 600]
    #[arg(long, value_name = "PX", value_parser = |text: &str| whole::<u32>(text, 16..=8192, " of pixels"), allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Animations: how long each move is shown, in milliseconds [default: 700]
    #[arg(long, value_name = "MS", value_parser = |text: &str| whole::<u32>(text, 20..=60_000, " of milliseconds"), allow_negative_numbers = true)]
    pub delay: Option<u32>,
    /// Overwrite OUT
    #[arg(long)]
    pub force: bool,
}

/// A position to be solved, and what that may cost.
#[derive(Clone, Debug, Args)]
pub struct SolveArgs {
    /// A position text, as for --position; or a file with one, or a game: its last position; - is standard input
    #[arg(value_name = "POSITION|GAME", conflicts_with = "position")]
    pub text: Option<String>,
    /// Solve position texts from standard input, one a line
    #[arg(long, conflicts_with_all = ["position", "text"])]
    pub stdin: bool,
    /// The position of the game after so many moves
    #[arg(long, value_name = "N", requires = "text", value_parser = values::ply, allow_negative_numbers = true)]
    pub ply: Option<u32>,
    /// The number of the game where the file holds several [default: 1]
    #[arg(long, value_name = "N", requires = "text", value_parser = Count::number, allow_negative_numbers = true)]
    pub game: Option<u32>,
    /// The board.
    #[command(flatten)]
    pub board: BoardArgs,
    /// Give up after so many positions whose moves were tried
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Give up after so long
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub time: Option<Seconds>,
    /// Size of the table of proven positions
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = values::table, allow_negative_numbers = true)]
    pub table: usize,
    /// How many threads search, on each rank under mpirun [default: 1]
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub threads: Option<NonZeroU32>,
    /// Search even if the result is known from docs/solved.md
    #[arg(long)]
    pub anew: bool,
    /// Keep what was found in a file, and go on from there if it exists
    #[arg(long, value_name = "FILE", conflicts_with = "stdin")]
    pub checkpoint: Option<PathBuf>,
    /// Do not count the positions of the proof
    #[arg(long)]
    pub no_proof: bool,
    /// Write a proof that stands alone, for 'server verify-proof' and other programs; docs/proofs.md tells about it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["no_proof", "stdin"])]
    pub proof: Option<PathBuf>,
    /// Write JSON
    #[arg(long)]
    pub json: bool,
}

/// Games to be searched for puzzles, and what that may cost.
#[derive(Clone, Debug, Args)]
pub struct PuzzlesArgs {
    /// Games: records, SGF or PGN, all that a file holds; - is standard input
    #[arg(value_name = "RECORD", required = true)]
    pub records: Vec<PathBuf>,
    /// Stop once so many are found
    #[arg(short = 'n', long, value_name = "N", default_value = "30", value_parser = Count::number, allow_negative_numbers = true)]
    pub count: u32,
    /// Leave out a position, and those before it, if a proof takes more positions whose moves are tried
    #[arg(long, value_name = "N", default_value = "20000", value_parser = values::nodes, allow_negative_numbers = true)]
    pub nodes: u64,
    /// How many visits of its tree the engine gets to find the move
    #[arg(long, value_name = "N", default_value = "100000", value_parser = values::nodes, allow_negative_numbers = true)]
    pub visits: u64,
    /// Write a page to try them, one file without a server
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

/// A position or a record to be analysed, and what that may cost.
#[derive(Clone, Debug, Args)]
pub struct AnalyzeArgs {
    /// A position text, as for --position; or a file with one, or a game: a record, SGF or PGN; - is standard input
    #[arg(value_name = "POSITION|GAME", conflicts_with = "position")]
    pub subject: Option<OsString>,
    /// The board.
    #[command(flatten)]
    pub board: BoardArgs,
    /// Only the position of the game after so many moves
    #[arg(long, value_name = "N", requires = "subject", value_parser = values::ply, allow_negative_numbers = true)]
    pub ply: Option<u32>,
    /// The number of the game where the file holds several [default: 1]
    #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
    pub game: Option<u32>,
    /// Processor time of one thread for the position, or for each of a game [default: 1, none with --nodes]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    pub time: Option<Seconds>,
    /// Stop after so many visits of the tree; with one thread, everybody then gets the same
    #[arg(long, value_name = "N", value_parser = values::nodes, allow_negative_numbers = true)]
    pub nodes: Option<u64>,
    /// Stop once the longest line has so many half-moves, steps and arrows
    #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
    pub depth: Option<u32>,
    /// Answer queries of positions: a JSON object a line on standard input, as docs/analysis.md has them
    #[arg(long, conflicts_with_all = ["subject", "position", "shape", "size", "time", "nodes", "depth", "multipv", "ownership", "json"])]
    pub queries: bool,
    /// Only use processors that nothing else wants
    #[arg(long)]
    pub idle: bool,
    /// Annotate a game: write it with what the engine says of each move, or go on with such a file
    #[arg(long, value_name = "FILE", requires = "subject")]
    pub annotate: Option<PathBuf>,
    /// How many moves of a position to tell, best first [default: 3]
    #[arg(long, value_name = "N", value_parser = Count::number, allow_negative_numbers = true)]
    pub multipv: Option<u32>,
    /// How many threads search [default: 1]
    #[arg(long, value_name = "N", value_parser = values::threads, allow_negative_numbers = true)]
    pub threads: Option<NonZeroU32>,
    /// For a position, also tell how likely each vertex is to become either side's territory
    #[arg(long)]
    pub ownership: bool,
    /// Write JSON, one object a line
    #[arg(long)]
    pub json: bool,
}

/// A player to be tried out.
#[derive(Clone, Debug, Args)]
#[command(
    mut_arg("max_moves", unused),
    mut_arg("adjudicate", |arg| arg.hide(true)),
    mut_arg("resign", |arg| arg.hide(true)),
    mut_arg("directions", |arg| {
        one(arg, "The numbering of edges to try first; the other one is tried where a step fails [default: ring]")
    })
)]
pub struct CheckArgs {
    /// The player, a shared library; or another program, as bridge:COMMAND or uci:COMMAND
    pub player: PathBuf,
    /// Write JSON, one object a line
    #[arg(long)]
    pub json: bool,
    /// Also write the findings to this file in Gradescope's form, results.json: see examples/gradescope
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Size of the boards of whole games, 5 to 1000 [default: 10]
    #[arg(short = 'm', long = "size", value_name = "M", value_parser = BoardSize::number, allow_negative_numbers = true)]
    pub size: Option<u32>,
    /// Check for this server on this machine alone, as ladders do: leave out what is optional, and let the player use its limits to the full
    #[arg(long)]
    pub this_server: bool,
    /// Look for leaks and wrong accesses with valgrind too, outside of the sandbox: for players that you trust
    #[arg(long)]
    pub valgrind: bool,
    /// Seed of all random choices, also of the player's rand()
    #[arg(long, value_name = "N", default_value = "0", value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// The settings of its games.
    #[command(flatten)]
    pub settings: GameSettings,
}

/// A player that serves another program.
#[derive(Clone, Debug, Args)]
#[command(
    mut_arg("max_moves", unused),
    mut_arg("adjudicate", |arg| arg.hide(true)),
    mut_arg("resign", |arg| arg.hide(true)),
    mut_arg("directions", |arg| one(arg, "How the edges of the graph are numbered for the player [default: ring]"))
)]
pub struct EngineArgs {
    /// The player, a shared library
    pub player: PathBuf,
    /// The board of 'position start'.
    #[command(flatten)]
    pub board: BoardArgs,
    /// Seed of the player's random choices [default: a new one each time]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// The settings of its games.
    #[command(flatten)]
    pub settings: GameSettings,
}

/// Hides and refuses an option that would have no effect on a command.
fn unused(arg: Arg) -> Arg {
    arg.hide(true).value_parser(|_: &str| Err::<Count, _>("it is for single games and events"))
}

/// Makes a list of numberings a single one.
fn one(arg: Arg, help: &'static str) -> Arg {
    arg.help(help).action(ArgAction::Set).value_delimiter(None)
}
