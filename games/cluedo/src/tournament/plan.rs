//! The plan of a tournament, and what runs at a seat: a bot of this program, one in the sandbox, or one by TCP.

use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;

use amazons_sandbox::{SandboxMode, WordsError, words};
use amazons_statistics::{Sprt, SprtError, SprtModel};
use clap::ValueEnum as _;
use serde::{Deserialize, Serialize};
use thiserror::Error;
use toml::Spanned;

use crate::bots::Kind;
use crate::deal::PLAYERS;
use crate::fail::fail_if;
use crate::line::message::is_login;
use crate::line::options::microseconds;

/// The time for each answer if the plan names none, in microseconds.
const TIMEOUT: u64 = 1_000_000;

/// Minimum timeout: unterminated lines are flushed after 250 ms.
const MIN_TIMEOUT: u64 = 300_000;

/// Maximum number of blocks; more would take years.
const MAX_BLOCKS: u64 = 1_000_000;

const MAX_PROGRAMS: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Two programs: A B A B, then B A B A with the same deal.
    Versus,
    /// Tables of different programs, each equally often.
    Field,
    /// One program after the other enters at the bottom and climbs while it wins.
    Ladder,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotPlan {
    pub name: String,
    pub run: Run,
}

/// A test that ends a match early.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtPlan {
    /// The difference under the first hypothesis.
    pub elo0: f64,
    /// The difference under the second.
    pub elo1: f64,
    /// The chance to accept the second although the first is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The chance to accept the first although the second is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
}

const fn five_percent() -> f64 {
    0.05
}

impl SprtPlan {
    /// Returns the test, of normalised Elo.
    pub fn test(self) -> Result<Sprt, SprtError> {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, SprtModel::Normalized)
    }
}

/// A checked plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    pub n: usize,
    pub format: Format,
    /// How many deals, for each match of two.
    pub blocks: u64,
    /// The seed of deals, tables and bots of this program.
    pub seed: u64,
    pub timeout: u64,
    pub sprt: Option<SprtPlan>,
    /// Whether the strengths of a field are fitted with effects of seats.
    pub seat_effects: bool,
    /// The reaction to a kernel that offers less than the sandbox needs.
    pub sandbox: SandboxMode,
    pub bots: Vec<BotPlan>,
}

/// Why a plan cannot be read.
#[derive(Debug, Error)]
pub enum PlanError {
    /// The line and the words of the TOML library.
    #[error("{0}")]
    Syntax(String),
    #[error("line {0}: {1}")]
    Line(usize, PlanMistake),
}

/// A mistake in a line of a plan, with what to write instead.
#[derive(Debug, Error)]
pub enum PlanMistake {
    #[error("n = {0}: 2 to 10 sit at a table")]
    Players(usize),
    #[error("blocks = {0}: write 1 to {MAX_BLOCKS}")]
    Blocks(u64),
    #[error("n = {0}: two programs need as many seats each; write 2, 4, 6, 8 or 10, or use a field")]
    OddPlayers(usize),
    #[error("timeout = {0:?}: write at least 300ms, as 1s")]
    Timeout(String),
    #[error("sprt: only a match of two programs has one: format = \"versus\"")]
    SprtFormat,
    #[error("sprt: {0}")]
    Sprt(SprtError),
    #[error("sandbox = {0:?}: write auto, strict or off")]
    Sandbox(String),
    #[error("name = {0:?}: write 1 to 32 letters, digits or signs, no blanks")]
    Name(String),
    #[error("name = {0:?}: another program has this name")]
    Twice(String),
    #[error("run = {0}")]
    Run(#[from] RunError),
    #[error("{0} programs: a match of two needs two [[bots]]")]
    NotTwo(usize),
    #[error("{0} programs: write 2 to {MAX_PROGRAMS} [[bots]]")]
    Programs(usize),
}

/// A plan as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    n: Spanned<usize>,
    format: Format,
    blocks: Spanned<u64>,
    #[serde(default = "one")]
    seed: u64,
    timeout: Option<Spanned<String>>,
    sprt: Option<Spanned<SprtPlan>>,
    seat_effects: Option<bool>,
    sandbox: Option<Spanned<String>>,
    bots: Spanned<Vec<WrittenBot>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBot {
    name: Spanned<String>,
    run: Spanned<String>,
}

const fn one() -> u64 {
    1
}

impl Plan {
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        let written: Written = toml::from_str(text).map_err(|error| PlanError::Syntax(syntax_error(text, &error)))?;
        let at = |place: usize, what: PlanMistake| PlanError::Line(line_of(text, place), what);
        let (n, blocks) = (*written.n.get_ref(), *written.blocks.get_ref());
        let (n_at, blocks_at) = (written.n.span().start, written.blocks.span().start);
        fail_if(!PLAYERS.contains(&n), at(n_at, PlanMistake::Players(n)))?;
        fail_if(!(1..=MAX_BLOCKS).contains(&blocks), at(blocks_at, PlanMistake::Blocks(blocks)))?;
        let is_of_two = written.format != Format::Field;
        fail_if(is_of_two && n % 2 == 1, at(n_at, PlanMistake::OddPlayers(n)))?;
        let timeout = written.timeout.as_ref().map_or(Ok(TIMEOUT), |text| {
            let time = microseconds(text.get_ref()).ok().filter(|&time| time == 0 || time >= MIN_TIMEOUT);
            time.ok_or_else(|| at(text.span().start, PlanMistake::Timeout(text.get_ref().clone())))
        })?;
        if let Some(sprt) = &written.sprt {
            let place = sprt.span().start;
            fail_if(written.format != Format::Versus, at(place, PlanMistake::SprtFormat))?;
            sprt.get_ref().test().map_err(|error| at(place, PlanMistake::Sprt(error)))?;
        }
        let sandbox = written.sandbox.map_or(Ok(SandboxMode::Auto), |text| {
            let wrong = |_| at(text.span().start, PlanMistake::Sandbox(text.get_ref().clone()));
            SandboxMode::from_str(text.get_ref(), false).map_err(wrong)
        });
        let bots_at = written.bots.span().start;
        let bots = bots(written.bots.into_inner(), &at)?;
        let wrong = match (written.format, bots.len()) {
            (Format::Versus, 2) => None,
            (Format::Versus, count) => Some(PlanMistake::NotTwo(count)),
            (_, 2..=MAX_PROGRAMS) => None,
            (_, count) => Some(PlanMistake::Programs(count)),
        };
        if let Some(what) = wrong {
            return Err(at(bots_at, what));
        }
        Ok(Self {
            n,
            format: written.format,
            blocks,
            seed: written.seed,
            timeout,
            sprt: written.sprt.map(Spanned::into_inner),
            seat_effects: written.seat_effects.unwrap_or(true),
            sandbox: sandbox?,
            bots,
        })
    }
}

fn bots(written: Vec<WrittenBot>, at: &impl Fn(usize, PlanMistake) -> PlanError) -> Result<Vec<BotPlan>, PlanError> {
    let mut bots: Vec<BotPlan> = Vec::new();
    for WrittenBot { name, run } in written {
        let (place, name) = (name.span().start, name.into_inner());
        if !is_login(name.as_bytes()) {
            return Err(at(place, PlanMistake::Name(name)));
        }
        if bots.iter().any(|other| other.name == name) {
            return Err(at(place, PlanMistake::Twice(name)));
        }
        let run = run.get_ref().parse().map_err(|error: RunError| at(run.span().start, error.into()))?;
        bots.push(BotPlan { name, run });
    }
    Ok(bots)
}

/// Describes an error of TOML in one line.
pub fn syntax_error(text: &str, error: &toml::de::Error) -> String {
    let reason = error.message().lines().map(str::trim).collect::<Vec<_>>().join(", ");
    error.span().map_or_else(|| reason.clone(), |span| format!("line {}: {reason}", line_of(text, span.start)))
}

/// Returns the line of a byte, from 1.
pub fn line_of(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or(text).matches('\n').count() + 1
}

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

/// Why a text does not say what runs at a seat.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RunError {
    #[error("{0:?}: write stdio:COMMAND, tcp:COMMAND {PORT} or builtin:BOT")]
    Kind(String),
    #[error("builtin:{0}: the bots are {bots}", bots = Kind::ALL.map(Kind::name).join(", "))]
    Bot(String),
    #[error("\"{0}:\": the command is missing, as in {0}:teams/ada/bot")]
    NoCommand(String),
    #[error("{0:?}: {1}")]
    Words(String, WordsError),
    #[error("{0:?}: write {PORT} where the command wants the port, as in tcp:teams/ada/bot {PORT}")]
    NoPort(String),
}

impl FromStr for Run {
    type Err = RunError;

    fn from_str(text: &str) -> Result<Self, RunError> {
        let unknown = || RunError::Kind(text.to_owned());
        let (kind, rest) = text.split_once(':').ok_or_else(unknown)?;
        if kind == "builtin" {
            return Kind::named(rest.trim()).map(Self::Builtin).ok_or_else(|| RunError::Bot(rest.to_owned()));
        }
        fail_if(!matches!(kind, "stdio" | "tcp"), unknown())?;
        let words = words(OsStr::new(rest)).map_err(|error| match error {
            WordsError::Empty => RunError::NoCommand(kind.to_owned()),
            error => RunError::Words(text.to_owned(), error),
        })?;
        let words: Vec<_> = words.into_iter().filter_map(|word| word.into_string().ok()).collect();
        match kind {
            "stdio" => Ok(Self::Stdio(words)),
            _ if words.iter().any(|word| word.contains(PORT)) => Ok(Self::Tcp(words)),
            _ => Err(RunError::NoPort(text.to_owned())),
        }
    }
}

/// Returns the words as one text, from which the same words can be read.
fn command_text(words: &[String]) -> String {
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
            Self::Stdio(words) => write!(f, "stdio:{}", command_text(words)),
            Self::Tcp(words) => write!(f, "tcp:{}", command_text(words)),
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
