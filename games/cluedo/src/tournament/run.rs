//! The occupant of a seat: a bot of this program, a program in the sandbox, or one that connects by TCP.

use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;

use amazons_sandbox::{WordsError, words};
use serde::{Deserialize, Serialize};

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

impl FromStr for Run {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("{text:?}: write stdio:COMMAND, tcp:COMMAND {PORT} or builtin:BOT");
        let (kind, rest) = text.split_once(':').ok_or_else(unknown)?;
        if kind == "builtin" {
            let names = || format!("builtin:{rest}: the bots are {}", Kind::ALL.map(Kind::name).join(", "));
            return Kind::named(rest.trim()).map(Self::Builtin).ok_or_else(names);
        }
        if !matches!(kind, "stdio" | "tcp") {
            return Err(unknown());
        }
        let words = words(OsStr::new(rest)).map_err(|error| match error {
            WordsError::Empty => format!("\"{kind}:\": the command is missing, as in {kind}:teams/ada/bot"),
            error => format!("{text:?}: {error}"),
        })?;
        let words: Vec<_> = words.into_iter().filter_map(|word| word.into_string().ok()).collect();
        match kind {
            "stdio" => Ok(Self::Stdio(words)),
            _ if words.iter().any(|word| word.contains(PORT)) => Ok(Self::Tcp(words)),
            _ => {
                Err(format!("{text:?}: write {PORT} where the command wants the port, as in tcp:teams/ada/bot {PORT}"))
            }
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
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
