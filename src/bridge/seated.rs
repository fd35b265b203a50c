use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::{Form, WordsError, words};
use crate::cli::Seconds;
use crate::protocol::Dialect;

/// The words for people, which a colon and a time may follow.
const PEOPLE: [(&str, Person); 2] = [("human", Seated::Human), ("web", Seated::Browser)];

type Person = fn(Option<Duration>) -> Seated;

/// The words before the colon of a program's command.
const PROTOCOLS: [(&str, Protocol); 4] = [
    ("bridge:", Protocol::Engine(Dialect::Aep)),
    ("uci:", Protocol::Engine(Dialect::Uci)),
    ("botzone:", Protocol::Botzone(Form::Json)),
    ("botzone-text:", Protocol::Botzone(Form::Text)),
];

/// Who takes a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seated {
    /// A player in a shared library.
    Library,
    /// Another program.
    Program(ProgramCommand),
    /// A person at the terminal, with a time for each move if one was asked for.
    Human(Option<Duration>),
    /// A person at a browser, likewise.
    Browser(Option<Duration>),
}

/// How a program is run and spoken to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramCommand {
    /// How it is spoken to.
    pub protocol: Protocol,
    /// Its file.
    pub program: PathBuf,
    /// Its arguments, its name first.
    pub words: Vec<OsString>,
    /// What it may read for being named in the command: the folder of each file, and each folder.
    pub folders: Vec<PathBuf>,
}

/// How a program is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// In the lines of `docs/protocol.md`, or in those of UCI.
    Engine(Dialect),
    /// As Botzone speaks to its bots.
    Botzone(Form),
}

/// Says what is wrong with a command.
#[derive(Debug, Error)]
pub enum SeatedError {
    /// It cannot be taken apart.
    #[error("{0}")]
    Words(#[from] WordsError),
    /// The time of a person is none.
    #[error("{0}: {1}")]
    Time(String, String),
    /// There is no such program.
    #[error("there is no program '{0}': name its file, or one in a folder of PATH")]
    NoProgram(String),
}

impl Seated {
    /// Reads what was typed; a library called `human` or `web` is `./human` or `./web`.
    ///
    /// # Errors
    /// When it is a command for a program that cannot be run.
    pub fn read(typed: &Path) -> Result<Self, SeatedError> {
        let typed = typed.as_os_str();
        for (word, person) in PEOPLE {
            match after(typed, word) {
                Some(b"") => return Ok(person(None)),
                Some([b':', time @ ..]) => {
                    let time = String::from_utf8_lossy(time);
                    let told = |reason| SeatedError::Time(typed.to_string_lossy().into_owned(), reason);
                    let Seconds(time) = time.parse().map_err(told)?;
                    return Ok(person(Some(time)));
                }
                _ => {}
            }
        }
        for (prefix, protocol) in PROTOCOLS {
            if let Some(command) = typed.as_bytes().strip_prefix(prefix.as_bytes()) {
                return ProgramCommand::read(protocol, OsStr::from_bytes(command)).map(Self::Program);
            }
        }
        Ok(Self::Library)
    }

    /// Tells whether what was typed names a library.
    #[must_use]
    pub fn is_library(typed: &Path) -> bool {
        let typed = typed.as_os_str();
        let is_person = |word| matches!(after(typed, word), Some(b"" | [b':', ..]));
        !PEOPLE.iter().any(|(word, _)| is_person(word))
            && !PROTOCOLS.iter().any(|(prefix, _)| after(typed, prefix).is_some())
    }

    /// Tells whether what was typed is a person, wherever that person sits.
    #[must_use]
    pub fn is_person(typed: &Path) -> bool {
        matches!(Self::read(typed), Ok(Self::Human(_) | Self::Browser(_)))
    }
}

fn after<'a>(typed: &'a OsStr, prefix: &str) -> Option<&'a [u8]> {
    typed.as_bytes().strip_prefix(prefix.as_bytes())
}

impl ProgramCommand {
    fn read(protocol: Protocol, command: &OsStr) -> Result<Self, SeatedError> {
        let words = words(command)?;
        let name = words.first().ok_or(WordsError::Empty)?;
        let program = find(name).ok_or_else(|| SeatedError::NoProgram(name.to_string_lossy().into_owned()))?;
        let mut folders: Vec<PathBuf> = Vec::new();
        for path in words.iter().skip(1).map(Path::new).chain([program.as_path()]) {
            // Links lead to where a program's other files are.
            for path in [path.canonicalize().ok(), std::path::absolute(path).ok()].into_iter().flatten() {
                folders.extend(folder_of(&path).filter(|folder| !folders.contains(folder)));
            }
        }
        Ok(Self { protocol, program, words, folders })
    }
}

/// The folder that may be read because a path was named, unless that would be everything.
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
