use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::game::GameSettings;
use crate::tournament::plan::{Entrant, Format, Openings, Plan, PlanError, Records};
use crate::tournament::plan_file::read_checked;
use crate::values::{self, BoardSize, Count, Seconds};

/// The time between two looks at the folder of players.
const LOOK: Duration = Duration::from_secs(2);

/// The board of the games of a check: small, so that a slow player takes minutes and not hours.
const CHECK_SIZE: u32 = 6;

/// The settings of a ladder that its games follow from; they do not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderPlan {
    /// Names of boards, in turn for each two players.
    pub boards: Vec<String>,
    /// Random plies before each pair.
    pub plies: u32,
    /// Pairs of games when two players meet.
    pub pairs: u32,
    /// The pairs after which a player only plays when another one needs an opponent.
    pub max_pairs: Option<u32>,
    /// Seeds openings, players, and who meets whom.
    pub seed: u64,
    /// The games that are kept.
    pub records: Records,
    /// The settings of every game.
    #[serde(serialize_with = "GameSettings::serialize_table")]
    pub game: GameSettings,
}

impl LadderPlan {
    /// Checks what can be checked without players: journals can be edited.
    pub fn validate(&self) -> Result<(), PlanError> {
        if self.pairs == 0 {
            return Err(PlanError("pairs: two players who meet play at least one".to_owned()));
        }
        let plan = self.with(Vec::new());
        plan.validate_games()?;
        plan.first_openings().map(drop)
    }

    /// Returns the plan of an event with these players and rules; who meets whom is decided elsewhere.
    pub fn with(&self, players: Vec<Entrant>) -> Plan {
        Plan {
            format: Format::RoundRobin { pairs: self.pairs },
            players,
            boards: self.boards.clone(),
            openings: Openings::Random { plies: self.plies },
            seed: self.seed,
            records: self.records,
            game: self.game.clone(),
            withdrawn: BTreeMap::new(),
        }
    }

    /// Returns the differences of another plan, a line each.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let fields = |plan: &Self| {
            let max = plan.max_pairs.map_or("none".to_owned(), |max| max.to_string());
            [("pairs", plan.pairs.to_string()), ("max-pairs", max)]
        };
        let own = fields(self).into_iter().zip(fields(other)).filter(|(before, now)| before != now);
        let own = own.map(|((field, before), (_, now))| format!("{field}: {before} before, {now} now"));
        // The rest is a plan's, whose format says nothing here.
        let plain = |plan: &Self| Self { pairs: 1, ..plan.clone() }.with(Vec::new());
        own.chain(plain(self).differences(&plain(other))).collect()
    }
}

/// The settings of a ladder as they are typed, before they are checked: in its file, or as options.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[command(next_help_heading = "Ladder")]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
pub struct LadderSettings {
    /// The boards, in turn: names such as c10,d9,t10,8-12,10x8 or standard [default: c10]
    #[arg(short, long, value_name = "NAMES", value_delimiter = ',')]
    pub boards: Vec<String>,
    /// Random plies before each pair, the same for every pairing [default: 4]
    #[arg(long, value_name = "N", value_parser = values::ply, allow_negative_numbers = true)]
    pub plies: Option<u32>,
    /// Pairs of games when two players meet [default: 1]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub pairs: Option<Count>,
    /// Maximum number of pairs of a player; after them it plays only when others need an opponent [default: no limit]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub max_pairs: Option<Count>,
    /// Seed of openings, of the players' random choices and of who meets whom [default: 0]
    #[arg(long, value_name = "N", value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Which games to keep as records [default: all]
    #[arg(long, value_name = "WHICH")]
    pub records: Option<Records>,
    /// Admit every player that is a shared library, without 'server check'
    #[arg(long = "no-check", num_args = 0, default_missing_value = "false", conflicts_with = "check_size")]
    #[serde(skip_serializing)]
    pub check: Option<bool>,
    /// Size of the boards of 'server check', 5 to 1000 [default: 6]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    #[serde(skip_serializing)]
    pub check_size: Option<BoardSize>,
    /// How often to look at the folder of players; a file is taken when it has not changed for so long [default: 2]
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    #[serde(skip_serializing)]
    pub look: Option<Seconds>,
    /// The settings of each game.
    #[command(flatten)]
    #[serde(skip_serializing)]
    pub game: GameSettings,
}

/// The settings of admission, which may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionSettings {
    /// The size of the boards of a check; none to admit every library that loads.
    pub check: Option<u32>,
    /// The time between two looks at the folder of players.
    pub look: Duration,
}

impl LadderSettings {
    /// Checks the settings; relative paths are taken from a folder.
    pub fn check(&self, base: &Path) -> Result<(LadderPlan, AdmissionSettings), PlanError> {
        if self.game.directions.len() > 1 {
            let reason = "directions: name one numbering; whoever needs another one gets it by the check";
            return Err(PlanError(reason.to_owned()));
        }
        let boards = if self.boards.is_empty() { vec!["c10".to_owned()] } else { self.boards.clone() };
        let plan = LadderPlan {
            boards,
            plies: self.plies.unwrap_or(4),
            pairs: self.pairs.map_or(1, Count::get),
            max_pairs: self.max_pairs.map(Count::get),
            seed: self.seed.unwrap_or(0),
            records: self.records.unwrap_or_default(),
            game: self.game.in_folder(base).map_err(PlanError::new)?,
        };
        plan.validate()?;
        let size = self.check_size.map_or(CHECK_SIZE, BoardSize::get);
        let check = self.check.unwrap_or(true).then_some(size);
        let look = self.look.map_or(LOOK, |Seconds(time)| time);
        Ok((plan, AdmissionSettings { check, look }))
    }
}

/// Reads settings from a file and checks them. The error is a line: the file, the line and column, and what is wrong.
pub fn read_settings(path: &Path) -> Result<(LadderPlan, AdmissionSettings), PlanError> {
    read_checked(path, LadderSettings::check)
}
