//! The participants of a game: libraries, other programs and people, as they are typed on the command line and in plans.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use amazons_protocol::Dialect;
use thiserror::Error;

use crate::values::Seconds;

/// The words for people, optionally followed by a colon and a time.
const PEOPLE: [(&str, Person); 2] = [("human", ParticipantKind::Human), ("web", ParticipantKind::Browser)];

type Person = fn(Option<Duration>) -> ParticipantKind;

/// The words before the colon of a program's command.
const PROTOCOLS: [(&str, Protocol); 4] = [
    ("bridge:", Protocol::Engine(Dialect::Aep)),
    ("uci:", Protocol::Engine(Dialect::Uci)),
    ("botzone:", Protocol::Botzone(BotzoneForm::Json)),
    ("botzone-text:", Protocol::Botzone(BotzoneForm::Text)),
];

/// A participant of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    typed: PathBuf,
    kind: ParticipantKind,
}

/// The kinds of participants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParticipantKind {
    /// A player in a shared library.
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
}

/// The form of Botzone's requests and answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotzoneForm {
    /// As JSON objects, one per line.
    Json,
    /// As numbers, for bots in Botzone's simplified interaction.
    Text,
}

/// An error in the time of a person.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{typed}: {reason}")]
pub struct ParticipantError {
    typed: String,
    reason: String,
}

impl Participant {
    /// Parses a participant; a library called `human` or `web` must be typed `./human` or `./web`.
    pub fn parse(typed: impl Into<PathBuf>) -> Result<Self, ParticipantError> {
        let typed = typed.into();
        let kind = parse_kind(typed.as_os_str())?;
        Ok(Self { typed, kind })
    }

    /// Returns the typed text: for a library, its path.
    pub fn typed(&self) -> &Path {
        &self.typed
    }

    pub const fn kind(&self) -> &ParticipantKind {
        &self.kind
    }

    pub fn library(&self) -> Option<&Path> {
        matches!(self.kind, ParticipantKind::Library).then_some(self.typed.as_path())
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
                let Seconds(time) = time.map_err(|reason| ParticipantError { typed, reason })?;
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
