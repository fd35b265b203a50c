use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{WordsError, words};
use crate::participant::{Participant, ParticipantKind};
use amazons_sandbox::{find_program, installations};

/// A parsed command for running a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCommand {
    pub program: PathBuf,
    /// Its arguments, starting with its name.
    pub words: Vec<OsString>,
    /// The folders it may read: those named in the command, those of files named there, and installations of their
    /// interpreters.
    pub folders: Vec<PathBuf>,
}

#[derive(Debug, Error)]
pub enum CommandError {
    /// It cannot be parsed.
    #[error(transparent)]
    Words(#[from] WordsError),
    #[error("there is no program '{0}': name its file, or one in a folder of PATH")]
    NoProgram(String),
}

impl ProgramCommand {
    /// Finds a participant's program; `None` if it is not a program.
    pub fn of(participant: &Participant) -> Result<Option<Self>, CommandError> {
        match participant.kind() {
            ParticipantKind::Program(_, command) => Self::find(command).map(Some),
            _ => Ok(None),
        }
    }

    /// Parses a command and finds its program.
    pub fn find(command: &OsStr) -> Result<Self, CommandError> {
        let mut words = words(command)?;
        let name = words.first().ok_or(WordsError::Empty)?;
        let program = find(name).ok_or_else(|| CommandError::NoProgram(name.to_string_lossy().into_owned()))?;
        let mut folders: Vec<PathBuf> = Vec::new();
        // Words may be lists of files, or, after `sh -c`, commands.
        let arguments = words.iter().skip(1).map(|word| word.as_bytes());
        let parts = arguments.clone().flat_map(|word| word.split(|byte| SEPARATORS.contains(byte)));
        for path in arguments.chain(parts).map(|part| PathBuf::from(OsStr::from_bytes(part))).chain([program.clone()]) {
            // A program's other files are next to the target of its links.
            let places = [path.canonicalize().ok(), std::path::absolute(&path).ok()].into_iter().flatten();
            let named = places.filter_map(|place| folder_of(&place));
            // The first program may run another one, which it looks for by name.
            let file = if path.exists() { Some(path) } else { find_program(path.as_os_str()) };
            for folder in named.chain(file.iter().flat_map(|file| installations(file))) {
                if !folders.contains(&folder) {
                    folders.push(folder);
                }
            }
        }
        let place = |program: &Path| Some(program.parent()?.canonicalize().ok()?.join(program.file_name()?));
        if place(&program) != find_program(name).and_then(|found| place(&found)) {
            // With only its name it would take another file for itself and look for its library there, as Python does.
            words[0] = program.clone().into();
        }
        Ok(Self { program, words, folders })
    }
}

/// Bytes that separate files, words and commands within a word.
const SEPARATORS: &[u8] = b" \t\n'\"();&|<>=:,";

/// Returns the folder to allow for a named path, unless that would allow everything.
fn folder_of(path: &Path) -> Option<PathBuf> {
    let folder = if path.is_dir() { path } else { path.parent().filter(|_| path.is_file())? };
    match folder.parent() {
        Some(_) => Some(folder.to_owned()),
        None => Some(path.to_owned()).filter(|path| path.is_file()),
    }
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
