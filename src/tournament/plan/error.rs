use std::io;
use std::path::PathBuf;

use amazons_formats::UnknownBoard;
use amazons_rules::BoardError;
use amazons_statistics::SprtError;
use thiserror::Error;

use super::names::{PLAYERS, name_rule};
use crate::bridge::CommandError;
use crate::participant::ParticipantError;

/// Says what is wrong with a plan.
#[derive(Debug, Error)]
pub enum PlanError {
    /// An event needs some players.
    #[error("an event cannot have {0} players: name {least} to {most}", least = PLAYERS.start(), most = PLAYERS.end())]
    Players(usize),
    /// Two players have one name.
    #[error("two players are called '{0}': give each a name of its own")]
    Name(String),
    /// A name cannot stand in a table and in a file's name.
    #[error("invalid player name '{0}': {rule}", rule = name_rule())]
    Spelling(String),
    /// An option is missing or has no meaning here.
    #[error("{0}")]
    Option(String),
    /// There is no such board.
    #[error("boards: {0}")]
    Board(#[from] UnknownBoard),
    /// There is no board of this size.
    #[error("boards: {0}")]
    BoardSize(#[from] BoardError),
    /// A line of the openings is no position.
    #[error("{path}: line {line}: {reason}", path = .path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A file cannot be read.
    #[error("cannot read {path}: {source}", path = .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A person would have to play all night.
    #[error("{0}: a person cannot play in a tournament")]
    Person(String),
    /// A command is none.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The time of a person cannot be used.
    #[error(transparent)]
    Participant(#[from] ParticipantError),
    /// The test is none.
    #[error("sprt: {0}")]
    Sprt(#[from] SprtError),
    /// A game with these options cannot be played.
    #[error("{0}")]
    Game(String),
}
