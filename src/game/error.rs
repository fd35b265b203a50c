use std::io;
use std::path::PathBuf;

use amazons_rules::{BoardError, TextError};
use thiserror::Error;

use crate::bridge::CommandError;
use crate::participant::ParticipantError;
use crate::referee::PlayerNumber;

/// More files and folders than anybody names.
pub(super) const ALLOW_READ_MAX: usize = 32;

/// An error in the options that the command line's parser cannot see.
#[derive(Debug, Error)]
pub enum ConfigError {
    /// The board cannot be built.
    #[error("-m: {0}")]
    Board(#[from] BoardError),
    /// The position text cannot be read, or not on this board.
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
    /// A path that players may read does not exist.
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
        source: CommandError,
    },
    /// A participant cannot be parsed.
    #[error("{player}: {source}")]
    Participant {
        /// Which player.
        player: PlayerNumber,
        /// Why not.
        source: ParticipantError,
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
