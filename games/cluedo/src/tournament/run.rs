//! The occupant of a seat: a bot of this program, a program in the sandbox, or one that connects by TCP.

use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;

use amazons_sandbox::{WordsError, words};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bots::Kind;

/// Placeholder for the port in a program's command.
pub const PORT: &str = "{port}";

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Run {
    /// A bot of this program, in its process.
    Builtin(Kind),
    /// A command in the sandbox, spoken to over its standard input and output.
    Stdio(Vec<String>),
    /// A command that connects to a port of this machine, without a sandbox.
    Tcp(Vec<String>),
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    #[error("{0:?}: write stdio:COMMAND, tcp:COMMAND {{port}} or builtin:BOT")]
    Kind(String),
    #[error("builtin:{0}: the bots are {names}", names = names())]
    Bot(String),
    #[error("{0:?}: the command is missing, as in {0}teams/ada/bot")]
    Command(String),
    #[error("{0:?}: {1}")]
    Words(String, WordsError),
    #[error("{0:?}: write {{port}} where the command wants the port, as in tcp:teams/ada/bot {{port}}")]
    Port(String),
}

fn names() -> String {
    Kind::ALL.map(Kind::name).join(", ")
}

impl FromStr for Run {
    type Err = RunError;

    fn from_str(text: &str) -> Result<Self, RunError> {
        let (kind, rest) = text.split_once(':').ok_or_else(|| RunError::Kind(text.to_owned()))?;
        let is_command = matches!(kind, "stdio" | "tcp");
        let words = match words(OsStr::new(rest)) {
            Ok(words) => words.into_iter().filter_map(|word| word.into_string().ok()).collect(),
            Err(error) if is_command && error != WordsError::Empty => {
                return Err(RunError::Words(text.to_owned(), error));
            }
            Err(_) => Vec::new(),
        };
        match kind {
            "builtin" => Kind::named(rest.trim()).map(Self::Builtin).ok_or_else(|| RunError::Bot(rest.to_owned())),
            _ if is_command && words.is_empty() => Err(RunError::Command(format!("{kind}:"))),
            "stdio" => Ok(Self::Stdio(words)),
            "tcp" if words.iter().any(|word| word.contains(PORT)) => Ok(Self::Tcp(words)),
            "tcp" => Err(RunError::Port(text.to_owned())),
            _ => Err(RunError::Kind(text.to_owned())),
        }
    }
}

/// Returns the words as one text, from which the same words can be read.
fn command(words: &[String]) -> String {
    let is_special = |byte: char| byte.is_ascii_whitespace() || matches!(byte, '"' | '\'' | '\\');
    let word = |word: &String| {
        if word.is_empty() || word.contains(is_special) {
            format!("\"{}\"", word.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            word.clone()
        }
    };
    words.iter().map(word).collect::<Vec<_>>().join(" ")
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(kind) => write!(f, "builtin:{}", kind.name()),
            Self::Stdio(words) => write!(f, "stdio:{}", command(words)),
            Self::Tcp(words) => write!(f, "tcp:{}", command(words)),
        }
    }
}

impl From<Run> for String {
    fn from(run: Run) -> Self {
        run.to_string()
    }
}

impl TryFrom<String> for Run {
    type Error = RunError;

    fn try_from(text: String) -> Result<Self, RunError> {
        text.parse()
    }
}
