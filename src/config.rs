//! What is valid: options after they were checked, ready to be used.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use amazons_rules::{Board, BoardError, Color, Directions, Position, Shape, TextError};
use rand::rngs::SysRng;
use rand::{RngExt, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

use crate::bridge::{BotzoneSeat, Protocol, Seated, SeatedError};
use crate::cli::{BoardArgs, ClockArg, FirstArg, GameArgs, IsolationArg, LimitArgs, SandboxArg};
use crate::host::{Clock, GameTime, Isolation, Limits, Pondering, Printed, SandboxMode, available_memory};
use crate::human::Table;
use crate::protocol::Dialect;
use crate::referee::PlayerNumber;

/// The first bytes of every shared library.
const ELF_MAGIC: [u8; 4] = *b"\x7fELF";

/// More files and folders than anybody names.
const ALLOW_READ_MAX: usize = 32;

/// One game, checked as far as it can be before it starts.
#[derive(Clone, Debug)]
pub struct GameConfig {
    /// The starting position.
    pub position: Position,
    /// The players' files.
    pub players: [PathBuf; 2],
    /// Seeds everything random.
    pub seed: u64,
    /// Who moves first.
    pub first: PlayerNumber,
    /// When the game stops without a winner.
    pub max_moves: Option<u32>,
    /// What the players may use.
    pub limits: Limits,
    /// How the edges are numbered for each player.
    pub directions: [Directions; 2],
    /// What stands between players and server.
    pub isolation: Isolation,
    /// What to do where the kernel has less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// What players may read besides their own files.
    pub allow_read: Vec<PathBuf>,
    /// Where people at browsers sit.
    pub tables: [Option<Arc<Table>>; 2],
    /// Where to show what the players print while they play.
    pub printed: [Option<Printed>; 2],
}

/// Says what is wrong with the options, beyond what the command line can see.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The board is none.
    #[error("-m: {0}")]
    Board(#[from] BoardError),
    /// The position text is none, or none on the board.
    #[error("--position: {0}")]
    Position(#[from] TextError),
    /// Players can only be told of equally many queens.
    #[error("--position: {black} black and {white} white queens: both sides need the same number, at least one")]
    Queens {
        /// Number of black queens.
        black: usize,
        /// Number of white queens.
        white: usize,
    },
    /// A game needs two players.
    #[error("missing PLAYER1 and PLAYER2: see --help")]
    NoPlayers,
    /// The system has no random numbers to give.
    #[error("--seed: none was given and the system has no random numbers: {0}")]
    Seed(String),
    /// Two players could use more memory than there is.
    #[error(
        "--memory: two players with {wanted} MiB each are more than the {free} MiB that are free: at most {most} MiB"
    )]
    Memory {
        /// What each player should be allowed, in MiB.
        wanted: u64,
        /// What there is.
        free: u64,
        /// What would do.
        most: u64,
    },
    /// The board does not fit into what a player may keep.
    #[error("--memory: {given} MiB are too little for this board: a player needs {least} MiB before it begins")]
    TooLittle {
        /// What each player should be allowed, in MiB.
        given: u64,
        /// What the board takes.
        least: u64,
    },
    /// Two options contradict each other.
    #[error("{option} cannot be used with {other}: {reason}")]
    Conflict {
        /// The one that would have no effect.
        option: &'static str,
        /// The one that makes it so.
        other: &'static str,
        /// Why.
        reason: &'static str,
    },
    /// A numbering for each of more than two players.
    #[error("--directions: {0} numberings for two players: name one for both, or one for each")]
    Directions(usize),
    /// More than a player's process can be told.
    #[error("--allow-read: {0} paths are too many: at most {ALLOW_READ_MAX}, so name folders")]
    TooManyPaths(usize),
    /// What players should be allowed to read is not there.
    #[error("--allow-read: cannot read {path}: {source}", path = .path.display())]
    AllowRead {
        /// The path.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The player's file cannot be read.
    #[error("{player}: cannot read {path}: {source}", path = .path.display())]
    Unreadable {
        /// Which player.
        player: PlayerNumber,
        /// Its file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The program that should play cannot.
    #[error("{player}: {source}")]
    Program {
        /// Which player.
        player: PlayerNumber,
        /// Why not.
        source: SeatedError,
    },
    /// Bots of Botzone know one board.
    #[error("{player}: bots of Botzone play from the start of the square board of size 8: add -m 8")]
    Botzone {
        /// Which player.
        player: PlayerNumber,
    },
    /// Programs that speak UCI know one board.
    #[error("{player}: programs that speak UCI play on ten columns and ten rows")]
    UciBoard {
        /// Which player.
        player: PlayerNumber,
    },
    /// The player's file is something else.
    #[error("{player}: {path} is not a shared library: {reason}", path = .path.display())]
    NotALibrary {
        /// Which player.
        player: PlayerNumber,
        /// Its file.
        path: PathBuf,
        /// What it is.
        reason: &'static str,
    },
}

impl GameConfig {
    /// Checks what was typed.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(args: &GameArgs) -> Result<Self, ConfigError> {
        Self::of(args, starting_position(&args.board)?)
    }

    /// Checks the rest of what was typed, for a game from this position.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn of(args: &GameArgs, position: Position) -> Result<Self, ConfigError> {
        refuse_conflicts(args)?;
        let [black, white] = Color::ALL.map(|color| position.queens(color).len());
        if black != white || black == 0 {
            return Err(ConfigError::Queens { black, white });
        }
        let (Some(one), Some(two)) = (&args.player1, &args.player2) else {
            return Err(ConfigError::NoPlayers);
        };
        let players = [one.clone(), two.clone()];
        let tables = players.each_ref().map(|player| match Seated::read(player) {
            Ok(Seated::Browser(limit)) => Some(Arc::new(Table::new(&position, limit))),
            _ => None,
        });
        for player in PlayerNumber::ALL {
            check_seated(args, player, &players[player], &position)?;
        }
        let directions = match args.directions[..] {
            [both] => [both; 2],
            [one, two] => [one, two],
            _ => return Err(ConfigError::Directions(args.directions.len())),
        };
        let seed = match args.seed {
            Some(seed) => seed,
            None => SysRng.try_next_u64().map_err(|error| ConfigError::Seed(error.to_string()))?,
        };
        let first = match args.first {
            FirstArg::One => PlayerNumber::One,
            FirstArg::Two => PlayerNumber::Two,
            FirstArg::Random => PlayerNumber::ALL[Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..2)],
        };
        let limits = limits(&args.limits)?;
        if matches!(args.isolation, IsolationArg::Process) {
            check_fit(&position, limits.memory)?;
        }
        Ok(Self {
            position,
            players,
            seed,
            first,
            max_moves: args.max_moves,
            limits,
            directions: directions.map(Directions::from),
            isolation: match args.isolation {
                IsolationArg::Process => Isolation::Process,
                IsolationArg::None => Isolation::None,
            },
            sandbox: match args.sandbox {
                SandboxArg::Strict => SandboxMode::Strict,
                SandboxArg::Auto => SandboxMode::Auto,
                SandboxArg::Off => SandboxMode::Off,
            },
            allow_read: readable(&args.allow_read)?,
            tables,
            printed: [None, None],
        })
    }
}

/// Refuses options that would silently have no effect.
fn refuse_conflicts(args: &GameArgs) -> Result<(), ConfigError> {
    let limits = &args.limits;
    let is_read_allowed = !args.allow_read.is_empty();
    let (option, other, reason) = match (args.isolation, args.sandbox) {
        (IsolationArg::None, sandbox) => {
            let given = [
                ("--sandbox strict", matches!(sandbox, SandboxArg::Strict)),
                ("--freeze", limits.freeze),
                ("--memory", limits.memory.is_some()),
                ("--threads", limits.threads.is_some()),
                ("--allow-read", is_read_allowed),
            ];
            let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
            (option, "--isolation none", "players then run inside the server, which cannot limit them")
        }
        (IsolationArg::Process, SandboxArg::Off) if is_read_allowed => {
            ("--allow-read", "--sandbox off", "players may then read everything")
        }
        (IsolationArg::Process, _) => return Ok(()),
    };
    Err(ConfigError::Conflict { option, other, reason })
}

/// Returns what the players may use.
fn limits(args: &LimitArgs) -> Result<Limits, ConfigError> {
    let default = Limits::default();
    let move_time = args.move_time.map(|time| time.0);
    let no_limit = Duration::from_secs(7 * 24 * 3600);
    Ok(Limits {
        load: args.load_time.0,
        initialize: args.init_time.0,
        play: move_time.unwrap_or(if args.game_time.is_some() { no_limit } else { default.play }),
        finalize: args.finalize_time.0,
        game: args.game_time.map(|bank| GameTime {
            bank: bank.0,
            increment: args.increment.map_or(Duration::ZERO, |increment| increment.0),
        }),
        clock: match args.clock {
            ClockArg::Cpu => Clock::Cpu,
            ClockArg::Wall => Clock::Wall,
        },
        pondering: if args.freeze { Pondering::Frozen } else { Pondering::Charged },
        threads: args.threads.unwrap_or(default.threads),
        memory: memory(args.memory)?,
        log: args.log_limit,
        ..default
    })
}

/// Returns how much memory a player may keep: with two of them, a tenth of what is free stays for everybody else.
fn memory(wanted: Option<u64>) -> Result<u64, ConfigError> {
    let most = available_memory().map(|free| free / 20 * 9);
    let mib = |bytes: u64| bytes >> 20;
    match (wanted, most) {
        (Some(wanted), Some(most)) if wanted > most => {
            Err(ConfigError::Memory { wanted: mib(wanted), free: mib(most / 9 * 20), most: mib(most) })
        }
        (Some(wanted), _) => Ok(wanted),
        (None, most) => Ok(Limits::MEMORY.min(most.unwrap_or(Limits::MEMORY))),
    }
}

/// Refuses a board that a player's process could not even be given: it holds the graph as it came and as it is handed over.
fn check_fit(position: &Position, memory: u64) -> Result<(), ConfigError> {
    /// An id has at most eight edges, of two numbers each, and an offset.
    const MOST_PER_ID: usize = 2 * (2 * 8 + 1) * size_of::<u32>();
    if (position.board().vertex_ids() * MOST_PER_ID) as u64 <= memory {
        return Ok(());
    }
    let matrix = position.matrix_without_arrows(Directions::default());
    let numbers = 2 * matrix.nnz() + matrix.rows() + 1;
    let least = 2 * (numbers * size_of::<u32>()) as u64;
    if least > memory {
        return Err(ConfigError::TooLittle { given: memory >> 20, least: least.div_ceil(1 << 20) });
    }
    Ok(())
}

fn readable(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ConfigError> {
    if paths.len() > ALLOW_READ_MAX {
        return Err(ConfigError::TooManyPaths(paths.len()));
    }
    let check = |path: &PathBuf| match std::fs::metadata(path) {
        Ok(_) => Ok(path.clone()),
        Err(source) => Err(ConfigError::AllowRead { path: path.clone(), source }),
    };
    paths.iter().map(check).collect()
}

/// Returns the position that the options describe: a shape's start, or a text on a shape or on its own rectangle.
///
/// # Errors
/// When the text is no position, or none on the shape.
pub fn starting_position(args: &BoardArgs) -> Result<Position, ConfigError> {
    let shape = || Board::new(args.shape.map_or(Shape::Square, Shape::from), args.size.unwrap_or(10)).map(Arc::new);
    Ok(match &args.position {
        None => Position::start(shape()?),
        Some(text) if args.shape.is_none() && args.size.is_none() => Position::parse(text)?,
        Some(text) => Position::parse_on(shape()?, text)?,
    })
}

/// Refuses who cannot take a seat, before a game starts.
fn check_seated(args: &GameArgs, player: PlayerNumber, typed: &Path, position: &Position) -> Result<(), ConfigError> {
    let command = match Seated::read(typed) {
        Ok(Seated::Library) => return check_player(player, typed),
        Ok(Seated::Human(_) | Seated::Browser(_)) => return Ok(()),
        Ok(Seated::Program(command)) => command,
        Err(source) => return Err(ConfigError::Program { player, source }),
    };
    if matches!(args.isolation, IsolationArg::None) {
        let reason = "another program has a process of its own";
        return Err(ConfigError::Conflict { option: "a program as a player", other: "--isolation none", reason });
    }
    match command.protocol {
        Protocol::Botzone(_) if !BotzoneSeat::is_its_start(position) => Err(ConfigError::Botzone { player }),
        Protocol::Engine(Dialect::Uci) if position.board().columns() != 10 || position.board().rows() != 10 => {
            Err(ConfigError::UciBoard { player })
        }
        _ => Ok(()),
    }
}

/// Refuses what no loader would open, before a game starts.
fn check_player(player: PlayerNumber, path: &Path) -> Result<(), ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { player, path: path.to_owned(), source };
    let refused = |reason| Err(ConfigError::NotALibrary { player, path: path.to_owned(), reason });
    // A FIFO would block whoever opens it.
    let kind = std::fs::metadata(path).map_err(unreadable)?;
    if kind.is_dir() {
        return refused("it is a folder");
    }
    if !kind.is_file() {
        return refused("it is a device or a pipe");
    }
    let mut magic = [0; ELF_MAGIC.len()];
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    match io::Read::read_exact(&mut file, &mut magic) {
        Ok(()) if magic == ELF_MAGIC => Ok(()),
        Ok(()) => refused("invalid ELF header"),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => refused("file too short"),
        Err(error) => Err(unreadable(error)),
    }
}
