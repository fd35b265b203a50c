use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use amazons_protocol::Dialect;
use amazons_rules::{Board, Color, Directions, Position, Shape};
use rand::rngs::SysRng;
use rand::{RngExt, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::ConfigError;
use super::args::{BoardArgs, GameArgs};
use super::choices::{DirectionsArg, FirstArg};
use super::own::PlayerSettings;
use crate::bridge::{BotzoneSeat, ProgramCommand, engine_options, is_its_board};
use crate::files::ELF_MAGIC;
use crate::host::{Isolation, Limits, SandboxMode, available_memory};
use crate::participant::{Participant, ParticipantKind, Protocol};
use crate::referee::{MatchRules, PlayerNumber};
use crate::values::Bytes;

/// Maximum number of files and folders that players may be allowed to read.
const ALLOW_READ_MAX: usize = 32;

/// One game, checked as far as possible before it starts.
#[derive(Clone, Debug)]
pub struct GameConfig {
    /// The starting position.
    pub position: Position,
    pub players: [Participant; 2],
    /// The seed of all random choices.
    pub seed: u64,
    pub rules: MatchRules,
    /// The limits of the players.
    pub limits: Limits,
    /// Each player's own settings.
    pub own: [OwnConfig; 2],
    /// The numbering of the edges for each player.
    pub directions: [Directions; 2],
    /// The isolation of players from the server.
    pub isolation: Isolation,
    /// The reaction to a kernel that offers less than the sandbox needs.
    pub sandbox: SandboxMode,
    /// Files and folders that players may read besides their own.
    pub allow_read: Vec<PathBuf>,
    /// The commands of the players that are programs.
    pub programs: [Option<ProgramCommand>; 2],
}

/// The own settings of a player of an event.
#[derive(Clone, Debug, Default)]
pub struct OwnConfig {
    /// Its own limits; without them, those of the game apply.
    pub limits: Option<Limits>,
    pub options: Option<String>,
    /// Variables of its environment, the options among them.
    pub environment: Vec<(String, String)>,
}

impl GameConfig {
    pub fn limits_of(&self, player: PlayerNumber) -> &Limits {
        self.own[player].limits.as_ref().unwrap_or(&self.limits)
    }

    /// Checks the arguments.
    pub fn new(args: &GameArgs) -> Result<Self, ConfigError> {
        Self::of(args, starting_position(&args.board)?)
    }

    /// Checks the other arguments, for a game from this position.
    pub fn of(args: &GameArgs, position: Position) -> Result<Self, ConfigError> {
        refuse_conflicts(args)?;
        let [black, white] = Color::ALL.map(|color| position.queens(color).len());
        if black != white || black == 0 {
            return other(format_args!(
                "--position: {black} black and {white} white queens: both sides need the same number, at least one"
            ));
        }
        let (Some(one), Some(two)) = (&args.player1, &args.player2) else {
            return other("missing PLAYER1 and PLAYER2: see --help");
        };
        let parse = |player, typed: &PathBuf| {
            Participant::parse(typed).map_err(|error| ConfigError::Player { player, reason: error.to_string() })
        };
        let players = [parse(PlayerNumber::One, one)?, parse(PlayerNumber::Two, two)?];
        let own = |player: PlayerNumber, given: &Option<String>| {
            let refused = |reason: &dyn Display| ConfigError::Player { player, reason: reason.to_string() };
            if given.is_some() && players[player].is_person() {
                return Err(refused(&"a person has no options: leave them out"));
            }
            let options = players[player].options(given.as_deref()).map_err(|error| refused(&error))?;
            let settings = PlayerSettings { options: options.clone(), ..PlayerSettings::default() };
            settings.validate().map_err(|error| refused(&error))?;
            Ok::<_, ConfigError>(OwnConfig { limits: None, options, environment: settings.variables() })
        };
        let own = [own(PlayerNumber::One, &args.options1)?, own(PlayerNumber::Two, &args.options2)?];
        let program =
            |player: PlayerNumber| program(args, player, &players[player], own[player].options.as_deref(), &position);
        let programs = [program(PlayerNumber::One)?, program(PlayerNumber::Two)?];
        let directions = match args.settings.directions[..] {
            [] => [DirectionsArg::default(); 2],
            [both] => [both; 2],
            [one, two] => [one, two],
            _ => {
                return other(format_args!(
                    "--directions: {} numberings for two players: name one for both, or one for each",
                    args.settings.directions.len()
                ));
            }
        };
        let seed = match args.seed {
            Some(seed) => seed,
            // At most 53 bits, which every reader of JSON keeps.
            None => SysRng.try_next_u64().map(|random| random >> 11).or_else(|error| {
                other(format_args!("--seed: none was given and the system has no random numbers: {error}"))
            })?,
        };
        let first = match args.first {
            FirstArg::One => PlayerNumber::One,
            FirstArg::Two => PlayerNumber::Two,
            FirstArg::Random => PlayerNumber::ALL[Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..2)],
        };
        let limits = args.settings.limits(memory(args.settings.memory.map(|Bytes(wanted)| wanted))?);
        if matches!(args.isolation, Isolation::Process) {
            check_fit(&position, limits.memory)?;
        }
        Ok(Self {
            position,
            players,
            seed,
            rules: args.settings.rules(first),
            limits,
            own,
            directions: directions.map(Directions::from),
            isolation: args.isolation,
            sandbox: args.settings.sandbox,
            allow_read: readable(&args.settings.allow_read)?,
            programs,
        })
    }
}

fn other<T>(reason: impl ToString) -> Result<T, ConfigError> {
    Err(ConfigError::Other(reason.to_string()))
}

/// Refuses options that would silently have no effect.
fn refuse_conflicts(args: &GameArgs) -> Result<(), ConfigError> {
    let settings = &args.settings;
    let is_read_allowed = !settings.allow_read.is_empty();
    let (option, with, reason) = match (args.isolation, settings.sandbox) {
        (Isolation::None, sandbox) => {
            let given = [
                ("--sandbox strict", matches!(sandbox, SandboxMode::Strict)),
                ("--freeze", settings.freeze),
                ("--memory", settings.memory.is_some()),
                ("--threads", settings.threads.is_some()),
                ("--allow-read", is_read_allowed),
            ];
            let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
            (option, "--isolation none", "players then run inside the server, which cannot limit them")
        }
        (Isolation::Process, SandboxMode::Off) if is_read_allowed => {
            ("--allow-read", "--sandbox off", "players may then read everything")
        }
        (Isolation::Process, _) => return Ok(()),
    };
    conflict(option, with, reason)
}

fn conflict<T>(option: &str, with: &str, reason: &str) -> Result<T, ConfigError> {
    other(format_args!("{option} cannot be used with {with}: {reason}"))
}

/// Returns a player's memory limit: with two of them, a tenth of the free memory is left for everything else.
fn memory(wanted: Option<u64>) -> Result<u64, ConfigError> {
    let most = available_memory().map(|free| free / 20 * 9);
    let mib = |bytes: u64| bytes >> 20;
    match (wanted, most) {
        (Some(wanted), Some(most)) if wanted > most => {
            let (wanted, free, most) = (mib(wanted), mib(most / 9 * 20), mib(most));
            other(format_args!(
                "--memory: two players with {wanted} MiB each are more than the {free} MiB that are free: \
                 at most {most} MiB"
            ))
        }
        (Some(wanted), _) => Ok(wanted),
        (None, most) => Ok(Limits::MEMORY.min(most.unwrap_or(Limits::MEMORY))),
    }
}

/// Refuses a board too large for a player's process, which holds the graph as received and as handed over.
fn check_fit(position: &Position, memory: u64) -> Result<(), ConfigError> {
    /// An id has at most eight edges, of two numbers each, and an offset.
    const MAX_PER_ID: usize = 2 * (2 * 8 + 1) * size_of::<u32>();
    if (position.board().vertex_ids() * MAX_PER_ID) as u64 <= memory {
        return Ok(());
    }
    let matrix = position.matrix_without_arrows(Directions::default());
    let numbers = 2 * matrix.nnz() + matrix.rows() + 1;
    let least = 2 * (numbers * size_of::<u32>()) as u64;
    if least > memory {
        let (given, least) = (memory >> 20, least.div_ceil(1 << 20));
        return other(format_args!(
            "--memory: {given} MiB are too little for this board: a player needs {least} MiB before it begins"
        ));
    }
    Ok(())
}

fn readable(paths: &[PathBuf]) -> Result<Vec<PathBuf>, ConfigError> {
    if paths.len() > ALLOW_READ_MAX {
        let count = paths.len();
        return other(format_args!(
            "--allow-read: {count} paths are too many: at most {ALLOW_READ_MAX}, so name folders"
        ));
    }
    let check = |path: &PathBuf| match std::fs::metadata(path) {
        Ok(_) => Ok(path.clone()),
        Err(error) => other(format_args!("--allow-read: cannot read {}: {error}", path.display())),
    };
    paths.iter().map(check).collect()
}

/// Returns the position of the options: a shape's start, or a text on a shape or on its own rectangle.
pub fn starting_position(args: &BoardArgs) -> Result<Position, ConfigError> {
    let shape = || Board::new(args.shape.unwrap_or(Shape::Square), args.size.unwrap_or(10)).map(Arc::new);
    Ok(match &args.position {
        None => Position::start(shape()?),
        Some(text) if args.shape.is_none() && args.size.is_none() => Position::parse(text)?,
        Some(text) => Position::parse_on(shape()?, text)?,
    })
}

/// Refuses an invalid participant, and finds a program's command.
fn program(
    args: &GameArgs,
    player: PlayerNumber,
    participant: &Participant,
    options: Option<&str>,
    position: &Position,
) -> Result<Option<ProgramCommand>, ConfigError> {
    let protocol = match participant.kind() {
        ParticipantKind::Library => return check_player(player, participant.file()).map(|()| None),
        ParticipantKind::Human(_) | ParticipantKind::Browser(_) => return Ok(None),
        ParticipantKind::Program(protocol, _) => *protocol,
    };
    let found = ProgramCommand::of(participant).or_else(|error| other(format_args!("{player}: {error}")))?;
    if matches!(args.isolation, Isolation::None) {
        return conflict("a program as a player", "--isolation none", "another program has a process of its own");
    }
    match protocol {
        Protocol::Botzone(_) if !BotzoneSeat::is_its_start(position) => {
            other(format_args!("{player}: bots of Botzone play from the start of the square board of size 8: add -m 8"))
        }
        Protocol::Codingame if !is_its_board(position) => {
            other(format_args!("{player}: bots of CodinGame play on eight columns and eight rows: add -m 8"))
        }
        Protocol::Engine(Dialect::Uci) => {
            let wanted = engine_options(options.unwrap_or_default());
            let wanted = wanted.or_else(|error| other(format_args!("{player}: {error}")))?;
            let has_variant = wanted.iter().any(|option| option.is("UCI_Variant") || option.is("Size"));
            if has_variant || [position.board().columns(), position.board().rows()] == [10; 2] {
                return Ok(found);
            }
            other(format_args!(
                "{player}: programs that speak UCI play on ten columns and ten rows: for others, set its option \
                 UCI_Variant or Size"
            ))
        }
        _ => Ok(found),
    }
}

/// Refuses a file that no loader would open.
fn check_player(player: PlayerNumber, path: &Path) -> Result<(), ConfigError> {
    let unreadable = |source| ConfigError::Unreadable { player, path: path.to_owned(), source };
    let refused = |reason| Err(ConfigError::NotALibrary { player, path: path.to_owned(), reason });
    // Opening a FIFO would block.
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
        Ok(()) => refused(match magic {
            [b'M', b'Z', ..] => "it is for Windows",
            [0xfe, 0xed, 0xfa, _] | [0xce | 0xcf, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe] => "it is for macOS",
            [b'!', b'<', b'a', b'r'] => "it is an archive of object files, to be linked with cc -shared",
            [b'#', b'!', ..] => "it is a script, which plays as bridge:\"COMMAND\"",
            _ => "invalid ELF header",
        }),
        Err(_) if kind.len() == 0 => refused("it is empty"),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => refused("file too short"),
        Err(error) => Err(unreadable(error)),
    }
}
