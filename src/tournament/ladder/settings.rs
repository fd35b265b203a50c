use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::cli::{LadderPlanArgs, Seconds};
use crate::tournament::plan::first_openings;
use crate::tournament::plan_file::{GameTable, Wrong, at_least_one, read_with, rules_in, word};
use crate::tournament::{Entrant, Format, Openings, Plan, PlanError, Records, options_of};

/// How often the folder of players is looked at.
const LOOK: Duration = Duration::from_secs(2);

/// The board of the games of a check: small, so that a slow player takes minutes and not hours.
const CHECK_SIZE: u32 = 6;

/// What all games of a ladder have in common; it does not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LadderPlan {
    /// Names of boards, in turn for each two players.
    pub boards: Vec<String>,
    /// Random plies before each pair.
    pub plies: u32,
    /// How many pairs two players play when they meet.
    pub pairs: u32,
    /// After how many pairs a player is not chosen for its own sake any more.
    pub max_pairs: Option<u32>,
    /// Seeds openings, players, and who meets whom.
    pub seed: u64,
    /// Which games are kept.
    pub records: Records,
    /// Options of every game that are not the default, as for a single game.
    pub game: Vec<String>,
}

impl LadderPlan {
    /// Checks what can be checked without players: journals can be edited.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn validate(&self) -> Result<(), PlanError> {
        if self.pairs == 0 {
            return Err(PlanError::Option("pairs: two players who meet play at least one".to_owned()));
        }
        let plan = self.with(Vec::new());
        plan.validate_boards()?;
        first_openings(&plan).map(drop)
    }

    /// Returns the plan of an event with these players and rules; who meets whom is decided elsewhere.
    #[must_use]
    pub fn with(&self, players: Vec<Entrant>) -> Plan {
        Plan {
            format: Format::RoundRobin { pairs: self.pairs },
            players,
            boards: self.boards.clone(),
            openings: Openings::Random { plies: self.plies },
            seed: self.seed,
            records: self.records,
            game: self.game.clone(),
        }
    }

    /// Returns in what another plan differs.
    #[must_use]
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

/// How players are admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdmissionSettings {
    /// The size of the boards of a check; none to let everybody in that loads.
    pub check: Option<u32>,
    /// How often the folder of players is looked at.
    pub look: Duration,
}

/// Everything that can be chosen about a ladder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// What does not change.
    pub plan: LadderPlan,
    /// What may be another one each time.
    pub admission: AdmissionSettings,
}

impl Settings {
    /// Checks what was typed; relative files are taken from a folder.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn new(args: &LadderPlanArgs, base: &Path) -> Result<Self, PlanError> {
        if args.rules.directions.len() > 1 {
            let reason = "directions: name one numbering; whoever needs another one gets it by the check";
            return Err(PlanError::Option(reason.to_owned()));
        }
        let boards = if args.boards.is_empty() { vec!["c10".to_owned()] } else { args.boards.clone() };
        let plan = LadderPlan {
            boards,
            plies: args.plies.unwrap_or(4),
            pairs: args.pairs.unwrap_or(1),
            max_pairs: args.max_pairs,
            seed: args.seed.unwrap_or(0),
            records: args.records.into(),
            game: options_of(&args.rules, base),
        };
        plan.validate()?;
        let check = (!args.no_check).then_some(args.check_size.unwrap_or(CHECK_SIZE));
        let look = args.look.map_or(LOOK, |Seconds(time)| time);
        Ok(Self { plan, admission: AdmissionSettings { check, look } })
    }
}

/// The settings as a file: the words of the command line as keys.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct SettingsFile {
    #[serde(default)]
    boards: Vec<String>,
    plies: Option<u32>,
    pairs: Option<u32>,
    max_pairs: Option<u32>,
    seed: Option<u64>,
    records: Option<Spanned<String>>,
    check: Option<bool>,
    check_size: Option<u32>,
    look: Option<Spanned<String>>,
    #[serde(default)]
    game: GameTable,
}

/// Reads settings from a file.
///
/// # Errors
/// A line: which file, which line and column, what is wrong.
pub fn read_settings(path: &Path) -> Result<Settings, String> {
    let args = read_with(path, parse)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    Settings::new(&args, folder).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Result<LadderPlanArgs, Wrong> {
    let file: SettingsFile = toml::from_str(text)?;
    let look = match file.look {
        None => None,
        Some(look) => Some(look.get_ref().parse::<Seconds>().map_err(|reason| {
            let reason = format!("look: '{}' is not allowed: {reason}", look.get_ref());
            Wrong { span: Some(look.span()), reason }
        })?),
    };
    if file.check_size.is_some_and(|size| !crate::cli::SIZES.contains(&size)) {
        return Err(Wrong { span: None, reason: "check-size: use a whole number from 5 to 1000".to_owned() });
    }
    Ok(LadderPlanArgs {
        boards: file.boards,
        plies: file.plies,
        pairs: at_least_one("pairs", file.pairs)?,
        max_pairs: at_least_one("max-pairs", file.max_pairs)?,
        seed: file.seed,
        records: word(file.records)?,
        no_check: file.check == Some(false),
        check_size: file.check_size,
        look,
        rules: rules_in(file.game)?,
    })
}
