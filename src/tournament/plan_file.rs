use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::{Parser, ValueEnum};
use serde::Deserialize;
use toml::Spanned;

use crate::cli::{DirectionsArg, FormatArg, PlanArgs, RecordsArg, RulesArgs, RulesLine};
use crate::tournament::rules::{options_from, refusal, rules_of};
use crate::tournament::{Plan, Typed};

/// More than any plan takes; a pipe without end is no plan.
const SIZE_MAX: u64 = 1 << 20;

/// A plan as a file: the words of the command line as keys.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct PlanFile {
    format: Option<Spanned<String>>,
    pairs: Option<u32>,
    rounds: Option<u32>,
    seeds: Option<u32>,
    best_of: Option<u32>,
    max_pairs: Option<u32>,
    sprt: Option<SprtTable>,
    #[serde(default)]
    boards: Vec<String>,
    plies: Option<u32>,
    openings: Option<PathBuf>,
    seed: Option<u64>,
    records: Option<Spanned<String>>,
    #[serde(default)]
    game: GameTable,
    #[serde(default)]
    players: Vec<PlayerTable>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SprtTable {
    elo0: Option<f64>,
    elo1: Option<f64>,
    alpha: Option<f64>,
    beta: Option<f64>,
    model: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerTable {
    name: Option<String>,
    file: PathBuf,
    directions: Option<DirectionsArg>,
}

impl PlayerTable {
    fn typed(self) -> Typed {
        let Self { name, file, directions } = self;
        Typed { name, file, directions }
    }
}

/// Reads a plan from a file; what it names is looked for next to it.
///
/// # Errors
/// A line: which file, which line and column, what is wrong.
pub fn read_plan(path: &Path) -> Result<Plan, String> {
    let (args, players) = read_with(path, parse)?;
    let name = path.display();
    let folder = path.parent().unwrap_or(Path::new(""));
    Plan::new(&args, &players, folder).map_err(|error| format!("{name}: {error}"))
}

/// Reads a file of settings with a function that parses it.
///
/// # Errors
/// A line: which file, which line and column, what is wrong.
pub(super) fn read_with<T>(path: &Path, parse: impl FnOnce(&str) -> Result<T, Wrong>) -> Result<T, String> {
    let name = path.display();
    let unreadable = |error: std::io::Error| format!("cannot read {name}: {error}");
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() || metadata.len() > SIZE_MAX {
        return Err(format!("cannot read {name}: a plan is a file of at most 1 MiB"));
    }
    let text = fs::read_to_string(path).map_err(unreadable)?;
    parse(&text).map_err(|Wrong { span, reason }| match span {
        Some(span) => {
            let (line, column) = place(&text, span.start);
            format!("{name}: line {line}, column {column}: {reason}")
        }
        None => format!("{name}: {reason}"),
    })
}

/// What is wrong with a file, and where.
pub(super) struct Wrong {
    pub(super) span: Option<Range<usize>>,
    pub(super) reason: String,
}

impl From<toml::de::Error> for Wrong {
    fn from(error: toml::de::Error) -> Self {
        Self { span: error.span(), reason: one_line(error.message()) }
    }
}

/// The options of every game.
pub(super) type GameTable = BTreeMap<Spanned<String>, toml::Value>;

fn parse(text: &str) -> Result<(PlanArgs, Vec<Typed>), Wrong> {
    let file: PlanFile = toml::from_str(text)?;
    let rules = rules_in(file.game)?;
    let mut sprt = Vec::new();
    if let Some(SprtTable { elo0, elo1, alpha, beta, model }) = file.sprt {
        let numbers = [("elo0", elo0), ("elo1", elo1), ("alpha", alpha), ("beta", beta)];
        sprt.extend(numbers.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", value?))));
        sprt.extend(model.map(|model| format!("model={model}")));
        // An empty table asks for the defaults.
        if sprt.is_empty() {
            sprt.push("elo0=0".to_owned());
        }
    }
    let args = PlanArgs {
        format: word::<FormatArg>(file.format)?,
        pairs: at_least_one("pairs", file.pairs)?,
        rounds: at_least_one("rounds", file.rounds)?,
        seeds: at_least_one("seeds", file.seeds)?,
        best_of: at_least_one("best-of", file.best_of)?,
        sprt,
        max_pairs: at_least_one("max-pairs", file.max_pairs)?,
        boards: file.boards,
        plies: file.plies,
        openings: file.openings,
        seed: file.seed,
        records: word::<RecordsArg>(file.records)?,
        rules,
    };
    let players = file.players.into_iter().map(PlayerTable::typed).collect();
    Ok((args, players))
}

/// Checks the options of every game.
pub(super) fn rules_in(game: GameTable) -> Result<RulesArgs, Wrong> {
    let spans: BTreeMap<String, Range<usize>> = game.keys().map(|key| (key.get_ref().clone(), key.span())).collect();
    let table = game.into_iter().map(|(key, value)| (key.into_inner(), value)).collect();
    let options = options_from(&table).map_err(|reason| Wrong { span: None, reason: format!("game.{reason}") })?;
    // Each on its own, so that it can be said which one is wrong.
    for (key, option) in &options {
        if let Err(error) = RulesLine::try_parse_from([option])
            && error.kind() != clap::error::ErrorKind::MissingRequiredArgument
        {
            return Err(Wrong { span: spans.get(key).cloned(), reason: format!("game: {}", refusal(&error)) });
        }
    }
    let options: Vec<String> = options.into_iter().map(|(_, option)| option).collect();
    rules_of(&options).map_err(|reason| Wrong { span: None, reason: format!("game: {reason}") })
}

pub(super) fn at_least_one(key: &str, number: Option<u32>) -> Result<Option<u32>, Wrong> {
    if number == Some(0) {
        return Err(Wrong { span: None, reason: format!("{key}: use a whole number from 1") });
    }
    Ok(number)
}

pub(super) fn word<T: ValueEnum>(word: Option<Spanned<String>>) -> Result<Option<T>, Wrong> {
    let Some(word) = word else { return Ok(None) };
    T::from_str(word.get_ref(), false).map(Some).map_err(|_| {
        let names: Vec<String> = T::value_variants()
            .iter()
            .filter_map(|value| Some(value.to_possible_value()?.get_name().to_owned()))
            .collect();
        Wrong {
            span: Some(word.span()),
            reason: format!("'{}' is not allowed: use {}", word.get_ref(), names.join(", ")),
        }
    })
}

/// Returns line and column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

fn one_line(message: &str) -> String {
    message.lines().map(str::trim).collect::<Vec<_>>().join(", ")
}
