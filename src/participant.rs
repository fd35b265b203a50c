//! The participants of a game: libraries, other programs and people, as they are typed on the command line and in plans.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons_engine::Level;
use amazons_protocol::Dialect;
use thiserror::Error;

use crate::host::server;
use crate::values::{Seconds, ValueError};

/// The words for people, optionally followed by a colon and a time.
const PEOPLE: [(&str, Person); 2] = [("human", ParticipantKind::Human), ("web", ParticipantKind::Browser)];

type Person = fn(Option<Duration>) -> ParticipantKind;

/// The words before the colon of a program's command.
const PROTOCOLS: [(&str, Protocol); 5] = [
    ("bridge:", Protocol::Engine(Dialect::Aep)),
    ("uci:", Protocol::Engine(Dialect::Uci)),
    ("botzone:", Protocol::Botzone(BotzoneForm::Json)),
    ("botzone-text:", Protocol::Botzone(BotzoneForm::Text)),
    ("codingame:", Protocol::Codingame),
];

/// The bundled player that has levels, and the word before the colon of a level.
const CHAMPION: &str = "champion";

/// A participant of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    typed: PathBuf,
    kind: ParticipantKind,
    /// The level of the bundled champion.
    level: Option<u32>,
    library: Option<PathBuf>,
}

/// The kinds of participants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParticipantKind {
    /// A player in a shared library, or a level of the bundled one.
    Library,
    /// Another program, and the command that runs it.
    Program(Protocol, OsString),
    /// A person at the terminal, with an optional time per move.
    Human(Option<Duration>),
    /// A person at a browser, likewise.
    Browser(Option<Duration>),
}

/// The protocol of another program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// The lines of `docs/protocol.md`, or those of UCI.
    Engine(Dialect),
    /// The requests of Botzone to its bots.
    Botzone(BotzoneForm),
    /// The lines of CodinGame to its bots.
    Codingame,
}

/// The form of Botzone's requests and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotzoneForm {
    /// As JSON objects, one per line.
    Json,
    /// As numbers, for bots in Botzone's simplified interaction.
    Text,
}

/// An error in the time of a person, in a level or in the options of a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ParticipantError {
    /// The time cannot be read, or is out of range.
    #[error("{typed}: {reason}")]
    Time { typed: String, reason: ValueError },
    #[error("{typed}: expected a level from 1 to {}, found '{found}'", Level::COUNT)]
    Level { typed: String, found: String },
    #[error("{typed}: options: expected a level from 1 to {}, found '{found}'", Level::COUNT)]
    LevelOption { typed: String, found: String },
    #[error("{0}: options name a level, too: leave one out")]
    Levels(String),
}

/// Returns the number of a level.
fn level(number: &str) -> Option<u32> {
    number.parse().ok().filter(|&known| Level::new(known).is_some() && known.to_string() == number)
}

/// Returns the value of the option `level`, a word `level=3`.
fn level_option(options: &str) -> Option<&str> {
    options.split_whitespace().find_map(|word| word.strip_prefix("level="))
}

impl Participant {
    /// Parses a participant; a library called `human` or `web` must be typed `./human` or `./web`.
    pub fn parse(typed: impl Into<PathBuf>) -> Result<Self, ParticipantError> {
        let typed = typed.into();
        let kind = parse_kind(typed.as_os_str())?;
        let mut library = matches!(kind, ParticipantKind::Library).then(|| typed.clone());
        let number = typed.to_str().and_then(|typed| typed.strip_prefix(CHAMPION)?.strip_prefix(':'));
        let refused =
            |found: &str| ParticipantError::Level { typed: typed.display().to_string(), found: found.to_owned() };
        let level = number.map(|number| level(number).ok_or_else(|| refused(number))).transpose()?;
        if level.is_some() {
            library = Some(server().with_file_name(CHAMPION).with_extension("so"));
        }
        Ok(Self { typed, kind, level, library })
    }

    /// Returns the options with those that its name stands for. Fails when the options name another level, or the
    /// champion has no such level.
    pub fn options(&self, given: Option<&str>) -> Result<Option<String>, ParticipantError> {
        let (number, typed) = (given.and_then(level_option), || self.typed.display().to_string());
        match (self.level, number) {
            (Some(_), Some(_)) => Err(ParticipantError::Levels(typed())),
            (Some(level), None) => {
                Ok(Some(format!("level={level} {}", given.unwrap_or_default()).trim_end().to_owned()))
            }
            (None, Some(number)) if self.library().and_then(Path::file_stem) == Some(OsStr::new(CHAMPION)) => {
                let refused = || ParticipantError::LevelOption { typed: typed(), found: number.to_owned() };
                level(number).ok_or_else(refused).map(|_| given.map(str::to_owned))
            }
            (None, _) => Ok(given.map(str::to_owned)),
        }
    }

    /// Returns a name for tables: its file's without the ending, with the level that these options name.
    pub fn short_name(&self, options: Option<&str>) -> String {
        let stem = |path: &Path| path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let level = options.and_then(level_option).filter(|number| level(number).is_some());
        match (&self.library, level) {
            (Some(library), Some(level)) => format!("{}-{level}", stem(library)),
            _ => stem(&self.typed),
        }
    }

    /// Returns the typed text.
    pub fn typed(&self) -> &Path {
        &self.typed
    }

    pub const fn kind(&self) -> &ParticipantKind {
        &self.kind
    }

    /// Returns the file of a library.
    pub fn library(&self) -> Option<&Path> {
        self.library.as_deref()
    }

    /// Returns the file of a library, or the typed text.
    pub fn file(&self) -> &Path {
        self.library.as_deref().unwrap_or(&self.typed)
    }

    /// Returns whether it is a person, at the terminal or at a browser.
    pub const fn is_person(&self) -> bool {
        matches!(self.kind, ParticipantKind::Human(_) | ParticipantKind::Browser(_))
    }
}

fn parse_kind(typed: &OsStr) -> Result<ParticipantKind, ParticipantError> {
    for (word, person) in PEOPLE {
        match typed.as_bytes().strip_prefix(word.as_bytes()) {
            Some(b"") => return Ok(person(None)),
            Some([b':', time @ ..]) => {
                let typed = typed.to_string_lossy().into_owned();
                let time = String::from_utf8_lossy(time).parse::<Seconds>();
                let Seconds(time) = time.map_err(|reason| ParticipantError::Time { typed, reason })?;
                return Ok(person(Some(time)));
            }
            _ => {}
        }
    }
    for (prefix, protocol) in PROTOCOLS {
        if let Some(command) = typed.as_bytes().strip_prefix(prefix.as_bytes()) {
            return Ok(ParticipantKind::Program(protocol, OsStr::from_bytes(command).to_owned()));
        }
    }
    Ok(ParticipantKind::Library)
}
