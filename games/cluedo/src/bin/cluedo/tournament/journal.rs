//! The journal of a tournament: what was played, next to the plan. One line for each block, in order.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};

use amazons_program::Exit;
use cluedo::tournament::{BlockResult, Plan};
use serde::{Deserialize, Serialize};

/// The version of the format.
const FORMAT: u32 = 1;

/// More bytes than any line has.
const MAX_LINE_LEN: u64 = 16 << 20;

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

/// An open journal.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Returns where the journal of a plan is.
    pub(super) fn path_of(plan: &Path) -> PathBuf {
        plan.with_extension("journal.jsonl")
    }

    /// Opens the journal of a plan, or begins one; returns the blocks that it has. A torn last line is dropped.
    pub(super) fn open(
        path: PathBuf,
        plan: &Plan,
        files: Vec<Vec<(String, String)>>,
        unconfined: Vec<String>,
    ) -> Result<(Self, Vec<BlockResult>), Exit> {
        let name = path.display().to_string();
        let wrong = |what: String| Exit::Usage(format!("{name}: {what}"));
        let io = |error: std::io::Error| Exit::Usage(format!("{name}: {error}"));
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(io)?;
        if let Err(std::fs::TryLockError::WouldBlock) = file.try_lock() {
            return Err(wrong("another tournament writes it: wait for its end".to_owned()));
        }
        let header = Header {
            journal: FORMAT,
            program: format!("cluedo {}", env!("CARGO_PKG_VERSION")),
            plan: plan.clone(),
            files,
            unconfined,
        };
        let (mut whole, mut number, mut blocks) = (0, 0, Vec::new());
        let mut reader = BufReader::new(&file);
        loop {
            let mut line = Vec::new();
            let count = reader.by_ref().take(MAX_LINE_LEN).read_until(b'\n', &mut line).map_err(io)?;
            if count as u64 == MAX_LINE_LEN {
                return Err(wrong(format!("line {} is too long: it is not the journal of a tournament", number + 1)));
            }
            // A line without its end was being written when the program was stopped.
            if line.pop() != Some(b'\n') {
                break;
            }
            number += 1;
            let damaged = |_| wrong(format!("line {number} is damaged: put back a copy of the journal, or remove it"));
            if number == 1 {
                compare(&serde_json::from_slice(&line).map_err(damaged)?, &header).map_err(wrong)?;
            } else {
                blocks.push(serde_json::from_slice(&line).map_err(damaged)?);
            }
            whole += count as u64;
        }
        file.set_len(whole).map_err(io)?;
        if whole == 0 {
            write_line(&mut file, &header).map_err(io)?;
        }
        Ok((Self { path, file }, blocks))
    }

    /// Adds a block with a single write.
    pub(super) fn append(&mut self, block: &BlockResult) -> Result<(), Exit> {
        write_line(&mut self.file, block)
            .map_err(|error| Exit::Failure(format!("{}: cannot write: {error}", self.path.display())))
    }
}

fn write_line(file: &mut File, line: &impl Serialize) -> std::io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    file.write_all(&bytes)
}

/// Checks that a journal is of the same tournament; only the number of blocks may have changed.
fn compare(old: &Header, new: &Header) -> Result<(), String> {
    let advice = "put the plan back as it was, or remove the journal to play everything again";
    if old.journal != new.journal {
        return Err(format!("it is of format {}, not {}: remove it", old.journal, new.journal));
    }
    let Plan { blocks, .. } = new.plan;
    if (Plan { blocks, ..old.plan.clone() }) != new.plan {
        let fields = |plan: &Plan| serde_json::to_value(plan).unwrap_or_default();
        let (was, is) = (fields(&old.plan), fields(&new.plan));
        let is_same = |key: &&String| was.get(*key) == is.get(*key) || *key == "blocks";
        let changed = is.as_object().into_iter().flat_map(|map| map.keys()).find(|key| !is_same(key));
        let changed = changed.map_or("plan", String::as_str);
        return Err(format!("the plan's {changed} is not that of the games played: {advice}"));
    }
    let differs = old.files.iter().flatten().zip(new.files.iter().flatten()).find(|(old, new)| old != new);
    match differs {
        Some((_, (file, _))) => Err(format!("{file} has changed since the games played: {advice}")),
        None => Ok(()),
    }
}
