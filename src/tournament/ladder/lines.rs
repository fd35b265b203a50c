use amazons_program::journal;
use serde::{Deserialize, Serialize};

use super::LadderPlan;
use crate::game::DirectionsArg;
use crate::tournament::journal_lines::{JOURNAL_FORMAT, RunLine};
use crate::tournament::plan::is_name;
use crate::tournament::results::GameLine;

/// The first line of a ladder's journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LadderHeader {
    /// The version of the format.
    pub journal: u32,
    /// The program that made the journal, with its version.
    pub program: String,
    /// The settings that its games follow from.
    pub ladder: LadderPlan,
}

impl LadderHeader {
    /// Begins a journal.
    pub fn new(ladder: LadderPlan) -> Self {
        Self { journal: JOURNAL_FORMAT, program: crate::PROGRAM.to_owned(), ladder }
    }
}

impl journal::Header for LadderHeader {
    type Line = LadderLine;

    const FORMAT: u32 = JOURNAL_FORMAT;

    const KIND: Option<(&str, bool, &str)> =
        Some(("ladder", true, "this is the journal of a tournament: use another folder"));
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LadderLine {
    /// A server began or went on.
    Run(RunLine),
    /// A player was admitted.
    Joined(Joined),
    /// A player left, or a newer version takes its place.
    Left(Left),
    /// A file was not admitted.
    Refused(Refused),
    /// Two players are to play a pair.
    Meet(Meet),
    /// A game is finished.
    Game(GameLine),
}

/// A version of a player that was admitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Joined {
    /// The name of its file, without the ending.
    pub name: String,
    /// Counts the versions of that name from 1; a version that comes back keeps its number.
    pub version: u32,
    /// The hash of the file.
    pub sha256: String,
    /// The copy that plays, in the folder of the ladder.
    pub file: String,
    /// The numbering that its check has shown it to need, if that is not the ladder's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directions: Option<DirectionsArg>,
    /// Its options: those of the level that its name tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub options: Option<String>,
    /// Whether others are compared with it, as with the baselines of a course.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_anchor: bool,
    /// Seconds since 1970; nothing depends on it.
    pub at: u64,
}

/// A version that plays no more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Left {
    pub name: String,
    pub version: u32,
    /// Seconds since 1970; nothing depends on it.
    pub at: u64,
}

/// A file that did not pass its check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    pub name: String,
    /// The hash of the file.
    pub sha256: String,
    /// The reason, in a line.
    pub reason: String,
    /// Seconds since 1970; nothing depends on it.
    pub at: u64,
}

/// A pair of games that was begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meet {
    /// Counts pairs from 1.
    pub pair: u32,
    /// The players, as `name#version`.
    pub players: [String; 2],
    /// The board, counted from 0.
    pub board: usize,
    /// The opening of that board, counted from 0.
    pub opening: u32,
}

/// Returns whether something can be the name of a player, in tables and in files that are not hidden.
pub fn valid_name(name: &str) -> bool {
    !name.starts_with('.') && is_name(name)
}
