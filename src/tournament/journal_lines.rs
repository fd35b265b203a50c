use std::path::Path;

use amazons_program::journal::{self, JournalError};
use serde::{Deserialize, Serialize};

use crate::tournament::plan::Plan;
use crate::tournament::results::GameLine;

/// The name of a journal in the folder of an event.
pub const JOURNAL: &str = "journal.jsonl";

/// The version of the format, of events and of ladders.
pub(super) const JOURNAL_FORMAT: u32 = 3;

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub journal: u32,
    /// The program that made the journal, with its version.
    pub program: String,
    /// The event.
    pub plan: Plan,
}

impl journal::Header for Header {
    type Line = EventLine;

    const FORMAT: u32 = JOURNAL_FORMAT;

    const KIND: Option<(&str, bool, &str)> =
        Some(("ladder", false, "this is the journal of a ladder: use 'server ladder status', or another folder"));
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EventLine {
    /// A server began or went on.
    Run(RunLine),
    /// A game is finished.
    Game(GameLine),
}

/// The server that plays the games that follow; nothing depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLine {
    /// Seconds since 1970.
    pub at: u64,
    /// The name of the machine.
    pub host: String,
    /// The number of games at a time.
    pub concurrency: usize,
    /// The number of its physical cores.
    pub cores: usize,
    /// The program, with its version.
    pub program: String,
}

/// Reads the first line of the journal in a folder.
pub fn read_header<H: journal::Header>(folder: &Path) -> Result<H, JournalError> {
    journal::read_header(&folder.join(JOURNAL))
}
