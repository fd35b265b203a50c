use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{WordsError, words};
use crate::participant::{Participant, ParticipantKind};

/// A parsed command for running a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCommand {
    /// Its file.
    pub program: PathBuf,
    /// Its arguments, starting with its name.
    pub words: Vec<OsString>,
    /// The folders it may read because the command names them or files in them.
    pub folders: Vec<PathBuf>,
}

/// An error in a command.
#[derive(Debug, Error)]
pub enum CommandError {
    /// It cannot be parsed.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// There is no such program.
    #[error("there is no program '{0}': name its file, or one in a folder of PATH")]
    NoProgram(String),
}

impl ProgramCommand {
    /// Finds the program of a participant; `None` for one of another kind.
    pub fn of(participant: &Participant) -> Result<Option<Self>, CommandError> {
        match participant.kind() {
            ParticipantKind::Program(_, command) => Self::find(command).map(Some),
            _ => Ok(None),
        }
    }

    /// Parses a command and finds its program.
    pub fn find(command: &OsStr) -> Result<Self, CommandError> {
        let words = words(command)?;
        let name = words.first().ok_or(WordsError::Empty)?;
        let program = find(name).ok_or_else(|| CommandError::NoProgram(name.to_string_lossy().into_owned()))?;
        let mut folders: Vec<PathBuf> = Vec::new();
        for path in words.iter().skip(1).map(Path::new).chain([program.as_path()]) {
            // A program's other files are where its links lead.
            for path in [path.canonicalize().ok(), std::path::absolute(path).ok()].into_iter().flatten() {
                folders.extend(folder_of(&path).filter(|folder| !folders.contains(folder)));
            }
        }
        Ok(Self { program, words, folders })
    }
}

/// Returns the folder to allow for a named path, unless that would be everything.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = if path.is_dir() {
        path
    } else if path.exists() {
        path.parent()?
    } else {
        return None;
    };
    Some(if folder.parent().is_none() { path.to_owned() } else { folder.to_owned() })
}

/// Finds a program as a shell would.
fn find(name: &OsStr) -> Option<PathBuf> {
    let is_program = |path: &PathBuf| path.is_file() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    if name.as_bytes().contains(&b'/') {
        return Some(PathBuf::from(name)).filter(is_program);
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders).map(|folder| folder.join(name)).find(is_program)
}
