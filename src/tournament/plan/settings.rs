use std::path::PathBuf;

use amazons_statistics::{Sprt, SprtError, SprtModel};
use clap::{Args, ValueEnum};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Format, PAIRS_MAX, PlanError, Records};
use crate::game::{GameSettings, PlayerSettings};
use crate::values::{self, Count};

/// How many more pairs an even match of a knockout has at most: two players that always share their points would play
/// for ever.
const EXTRA_PAIRS: u32 = 100;

/// A plan as it is typed, before it is checked: in a file, or as options with the same names.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Plan")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanSettings {
    /// The pairing of players [default: round-robin]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<FormatName>,
    /// Pairs of games for each two players that meet, in each round of swiss [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub pairs: Option<Count>,
    /// swiss: how many rounds
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub rounds: Option<Count>,
    /// gauntlet: how many of the players, from the first, meet all others [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub seeds: Option<Count>,
    /// knockout: pairs of a match; an even one goes on pair by pair until it is decided [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub best_of: Option<Count>,
    /// The sequential test, which has its own words on the command line.
    #[arg(skip)]
    pub sprt: Option<SprtSettings>,
    /// --sprt: stop without a verdict after so many pairs [default: 50000]; knockout: after so many, the player of an
    /// even match that is named first goes on [default: 100 more than --best-of]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_pairs: Option<Count>,
    /// The boards, in turn: names such as c10,d9,t10,8-12,10x8 or standard [default: c10]
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',')]
    pub boards: Vec<String>,
    /// Random plies before each pair, the same for every pairing [default: 4, none with --openings]
    #[arg(long, value_name = "N", value_parser = values::ply, allow_negative_numbers = true)]
    pub plies: Option<u32>,
    /// Openings from a file of position texts, one a line, in turn
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Seed of openings and of the players' random choices [default: 0]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Which games to keep as records [default: all]
    #[arg(long, value_name = "WHICH")]
    pub records: Option<Records>,
    /// The settings of each game.
    #[command(flatten)]
    #[serde(skip_serializing)]
    pub game: GameSettings,
    /// The players.
    #[arg(skip)]
    #[serde(skip_serializing)]
    pub players: Vec<PlayerSettings>,
}

/// The name of a format.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FormatName {
    /// Everybody meets everybody
    #[default]
    RoundRobin,
    /// The first players meet all others
    Gauntlet,
    /// Players of equal points meet, nobody twice
    Swiss,
    /// The loser of a match is out
    Knockout,
}

/// A sequential test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table of settings")]
pub struct SprtSettings {
    /// The difference to be refuted.
    pub elo0: f64,
    /// The difference to be shown.
    pub elo1: f64,
    /// The chance to accept `elo1` when `elo0` is true.
    pub alpha: f64,
    /// The chance to accept `elo0` when `elo1` is true.
    pub beta: f64,
    /// `normalized` or `logistic`.
    #[serde(with = "super::sprt_model")]
    pub model: SprtModel,
}

impl Default for SprtSettings {
    fn default() -> Self {
        Self { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::default() }
    }
}

impl SprtSettings {
    /// Returns the test.
    pub fn sprt(&self) -> Result<Sprt, SprtError> {
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, self.model)
    }

    /// Parses words such as `elo1=5`.
    pub fn parse(words: &[String]) -> Result<Self, PlanError> {
        let refuse = |reason: String| PlanError(format!("sprt: {reason}"));
        let mut table = Map::new();
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                let usage = "use elo0=0 elo1=5 alpha=.05 beta=.05 model=normalized";
                return Err(refuse(format!("unknown setting '{word}': {usage}")));
            };
            let number = value.parse::<f64>().ok().filter(|number| number.is_finite());
            let value = match number {
                Some(number) => number.into(),
                None if key == "model" => value.into(),
                None => return Err(refuse(format!("{key}: '{value}' is not a number"))),
            };
            if table.insert(key.to_owned(), value).is_some() {
                return Err(refuse(format!("{key} is given twice")));
            }
        }
        serde_json::from_value(Value::Object(table)).map_err(|error| refuse(error.to_string()))
    }
}

impl PlanSettings {
    /// Returns the format; settings that it has no use for are refused.
    pub(super) fn format(&self) -> Result<Format, PlanError> {
        let refuse = |reason: String| Err(PlanError(reason));
        let is_sprt = self.sprt.is_some();
        if is_sprt && self.format.is_some() {
            return refuse("sprt: a test has a format of its own: leave --format out".to_owned());
        }
        let name = self.format.unwrap_or_default();
        let is = |format| !is_sprt && name == format;
        let given = [
            ("pairs", self.pairs.is_some(), !is_sprt && name != FormatName::Knockout),
            ("rounds", self.rounds.is_some(), is(FormatName::Swiss)),
            ("seeds", self.seeds.is_some(), is(FormatName::Gauntlet)),
            ("best-of", self.best_of.is_some(), is(FormatName::Knockout)),
            ("max-pairs", self.max_pairs.is_some(), is_sprt || is(FormatName::Knockout)),
        ];
        if let Some((option, ..)) = given.into_iter().find(|(_, is_given, is_used)| *is_given && !is_used) {
            let value = name.to_possible_value().filter(|_| !is_sprt);
            let word = value.as_ref().map_or("a test", |value| value.get_name());
            return refuse(format!("{option}: {word} has no use for it: leave it out"));
        }
        if let Some(test) = self.sprt {
            let max_pairs = self.max_pairs.map_or(50_000, Count::get);
            if u64::from(max_pairs) > PAIRS_MAX {
                return refuse(format!("max-pairs: at most {PAIRS_MAX}"));
            }
            return Ok(Format::Sprt { test, max_pairs });
        }
        let or_one = |count: Option<Count>| count.map_or(1, Count::get);
        let pairs = or_one(self.pairs);
        Ok(match (name, self.rounds) {
            (FormatName::RoundRobin, _) => Format::RoundRobin { pairs },
            (FormatName::Gauntlet, _) => Format::Gauntlet { pairs, seeds: or_one(self.seeds) as usize },
            (FormatName::Swiss, Some(rounds)) => Format::Swiss { rounds: rounds.get(), pairs },
            (FormatName::Swiss, None) => return refuse("rounds: swiss needs them: --rounds 5".to_owned()),
            (FormatName::Knockout, _) => {
                let best_of = or_one(self.best_of);
                let most = self.max_pairs.map_or(best_of.saturating_add(EXTRA_PAIRS), Count::get);
                if most < best_of {
                    return refuse(format!("max-pairs: a match has at least best-of {best_of}, not {most}"));
                }
                Format::Knockout { best_of, max_pairs: most }
            }
        })
    }
}
