//! The journal of a tournament: what was played, next to the plan. One line for each block, in order.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use amazons_program::journal::{self, Journal, JournalError};
use amazons_program::{Exit, Lock, LockError};
use cluedo::tournament::{BlockResult, Plan};
use serde::{Deserialize, Serialize};

/// The first line.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Header {
    journal: u32,
    program: String,
    plan: Plan,
    /// SHA-256 of the files that each program names; none for bots of this program.
    files: Vec<Vec<(String, String)>>,
    /// The programs that do not run in the sandbox.
    unconfined: Vec<String>,
}

impl journal::Header for Header {
    type Line = BlockResult;

    const FORMAT: u32 = 1;
}

/// The journal of a plan, which this process alone writes.
#[derive(Debug)]
pub(super) struct PlanJournal {
    journal: Journal,
    _lock: Lock,
}

impl PlanJournal {
    pub(super) fn path_of(plan: &Path) -> PathBuf {
        plan.with_extension("journal.jsonl")
    }

    /// Opens the journal of a plan, or begins one; returns the blocks that it has. A torn last line is dropped.
    pub(super) fn open(
        path: &Path,
        plan: &Plan,
        files: Vec<Vec<(String, String)>>,
        unconfined: Vec<String>,
    ) -> Result<(Self, Vec<BlockResult>), Exit> {
        let name = path.display();
        let wrong = |reason: String| Exit::Usage(format!("{name}: {reason}"));
        let io = |error: std::io::Error| wrong(error.to_string());
        let file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        let lock = Lock::take(file.try_clone().map_err(io)?, &path.with_extension("lock.held"));
        let lock = lock.map_err(|error| match error {
            LockError::Taken => wrong("another tournament writes it: wait for its end".to_owned()),
            error => wrong(error.to_string()),
        })?;
        let header = Header {
            journal: <Header as journal::Header>::FORMAT,
            program: format!("cluedo {}", env!("CARGO_PKG_VERSION")),
            plan: plan.clone(),
            files,
            unconfined,
        };
        let mut blocks = Vec::new();
        let journal = match Journal::open::<Header, JournalError>(path, |_, block| {
            blocks.push(block);
            Ok(())
        }) {
            Ok((journal, read)) => {
                compare(&read.header, &header, wrong)?;
                if read.torn > 0 {
                    eprintln!("cluedo: {name}: the last line was torn and is dropped; its block is played again");
                }
                journal
            }
            // The file is new, or its first line was being written when the program was stopped.
            Err(JournalError::Empty(_)) => {
                file.set_len(0).map_err(io)?;
                let mut journal = Journal::at_end(path, file).map_err(Exit::usage)?;
                journal.append(&header).map_err(Exit::failure)?;
                journal
            }
            Err(error) => return Err(Exit::usage(error)),
        };
        Ok((Self { journal, _lock: lock }, blocks))
    }

    pub(super) fn append(&mut self, block: &BlockResult) -> Result<(), Exit> {
        self.journal.append(block).map_err(Exit::failure)
    }
}

/// Checks that a journal is of the same tournament; only the number of blocks may differ.
fn compare(old: &Header, new: &Header, wrong: impl Fn(String) -> Exit) -> Result<(), Exit> {
    let advice = "put the plan back as it was, or remove the journal to play everything again";
    let Plan { blocks, .. } = new.plan;
    if (Plan { blocks, ..old.plan.clone() }) != new.plan {
        let fields = |plan: &Plan| serde_json::to_value(plan).unwrap_or_default();
        let (was, is) = (fields(&old.plan), fields(&new.plan));
        let is_same = |key: &&String| was.get(*key) == is.get(*key) || *key == "blocks";
        let changed = is.as_object().into_iter().flat_map(|map| map.keys()).find(|key| !is_same(key));
        let changed = changed.map_or("plan", String::as_str);
        return Err(wrong(format!("the plan's {changed} is not that of the games played: {advice}")));
    }
    let differs = old.files.iter().flatten().zip(new.files.iter().flatten()).find(|(old, new)| old != new);
    match differs {
        Some((_, (file, _))) => Err(wrong(format!("{file} has changed since the games played: {advice}"))),
        None => Ok(()),
    }
}
