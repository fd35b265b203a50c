//! The settings of a course: a file to read and edit, which counts as soon as it is saved.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use toml::value::{Datetime, Offset};

use super::Rule;
use crate::tournament::ladder::{AdmissionSettings, LadderHeader, LadderPlan, LadderSettings};
use crate::tournament::{PlanError, read_checked, read_header};
use crate::values::{self, Bytes, Seconds};

/// The file of settings in the folder of a course.
pub const SETTINGS: &str = "course.toml";

/// The folder of its ladder.
pub(crate) const LADDER: &str = "ladder";

/// The settings that a new course begins with.
pub(super) const TEMPLATE: &str = include_str!("course.toml");

/// Settings as they are typed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, rename_all = "kebab-case", deny_unknown_fields)]
struct Typed {
    title: Option<String>,
    names: Vec<String>,
    freeze: bool,
    notify: Option<String>,
    per_day: Option<u32>,
    upload_max: Option<Bytes<1024>>,
    upload_time: Option<Seconds>,
    check_time: Option<Seconds>,
    baselines: Vec<PathBuf>,
    stages: Vec<TypedStage>,
    ladder: LadderSettings,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct TypedStage {
    name: String,
    deadline: Datetime,
    #[serde(default)]
    grace: Option<String>,
}

/// The settings of a course.
#[derive(Clone, Debug)]
pub struct CourseSettings {
    /// The name of the course.
    pub title: String,
    /// The names by which browsers may ask for it, besides its addresses.
    pub names: Vec<String>,
    /// Whether nothing is taken for now.
    pub is_frozen: bool,
    /// The address that is told what became of versions.
    pub notify: Option<String>,
    /// How many versions a team may hand in within 24 hours.
    pub per_day: u32,
    /// Maximum size of an upload in bytes.
    pub upload_max: u64,
    /// The longest time of an upload, and thirty times the longest pause in it.
    pub upload_time: Duration,
    /// The longest time of a check, and of each game against itself.
    pub check_time: Duration,
    /// Players that are there from the beginning, as they were typed.
    pub baselines: Vec<PathBuf>,
    /// The stages by their deadlines.
    pub stages: Vec<Stage>,
    /// The settings that the games follow from.
    pub plan: LadderPlan,
    /// The check of the ladder.
    pub admission: AdmissionSettings,
    /// A mistake in the file, whose values are left out.
    pub complaint: Option<String>,
}

/// A part of a course that ends with a deadline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    pub name: String,
    /// Its end, in seconds since 1970.
    pub deadline: u64,
    /// How many seconds longer versions are taken and marked as late.
    pub grace: u64,
    /// Its end and its grace period as they were typed.
    pub typed: [String; 2],
}

/// A team's own deadlines by stage, in seconds since 1970.
pub type Extensions = BTreeMap<String, u64>;

impl CourseSettings {
    /// Reads the settings of a course; a ladder that has begun keeps its plan. The error is a line: the file, the line
    /// and column, and what is wrong.
    pub fn read(folder: &Path) -> Result<Self, PlanError> {
        let path = folder.join(SETTINGS);
        let mut settings = read_checked(&path, Self::of)?;
        // A journal that cannot be read is told when the ladder is opened.
        if let Ok(LadderHeader { ladder: begun, .. }) = read_header(&folder.join(LADDER)) {
            let changes = begun.differences(&settings.plan).join("; ");
            let told =
                format!("{}: [ladder] is fixed once the course has begun ({changes}): put it back", path.display());
            settings.complaint = Some(told).filter(|_| !changes.is_empty());
            settings.plan = begun;
        }
        Ok(settings)
    }

    /// Returns the settings of an empty file, for one with this mistake.
    pub(super) fn standing_in(folder: &Path, mistake: &PlanError) -> Result<Self, PlanError> {
        Ok(Self { complaint: Some(mistake.to_string()), ..Self::of(&Typed::default(), folder)? })
    }

    fn of(typed: &Typed, folder: &Path) -> Result<Self, PlanError> {
        let (plan, admission) = typed.ladder.check(folder)?;
        let mut stages = typed.stages.iter().map(Stage::of).collect::<Result<Vec<_>, _>>()?;
        stages.sort_by_key(|stage| stage.deadline);
        if typed.notify.as_ref().is_some_and(|url| !["http://", "https://"].iter().any(|kind| url.starts_with(kind))) {
            return Err(PlanError::new("notify: write an address that begins with https:// or http://"));
        }
        let mut names = BTreeSet::new();
        if let Some(twice) = stages.iter().find(|stage| !names.insert(&stage.name)) {
            return Err(PlanError::new(format_args!("two stages are named '{}'", twice.name)));
        }
        Ok(Self {
            title: typed.title.clone().unwrap_or_else(|| "Game of the Amazons".to_owned()),
            names: typed.names.clone(),
            is_frozen: typed.freeze,
            notify: typed.notify.clone(),
            per_day: typed.per_day.unwrap_or(20),
            upload_max: typed.upload_max.map_or(16 << 20, |Bytes(max)| max),
            upload_time: typed.upload_time.map_or(Duration::from_secs(300), |Seconds(time)| time),
            check_time: typed.check_time.map_or(Duration::from_secs(900), |Seconds(time)| time),
            baselines: typed.baselines.clone(),
            stages,
            plan,
            admission,
            complaint: None,
        })
    }

    /// Checks that a team may hand in or choose now.
    pub(super) fn check_open(&self, team: &Extensions, now: u64) -> Result<(), Rule> {
        self.stage_at(team, now)?;
        if self.is_frozen { Err(Rule::Frozen) } else { Ok(()) }
    }

    /// Returns the stage that a team's version of this time counts for, and whether it is late; none when the course
    /// has no stages. Fails when the last one is over.
    pub fn stage_at(&self, team: &Extensions, time: u64) -> Result<Option<(&Stage, bool)>, Rule> {
        let Some(last) = self.stages.last() else { return Ok(None) };
        let open = self.stages.iter().find(|stage| time <= stage.deadline_of(team).saturating_add(stage.grace));
        open.map(|stage| Some((stage, time > stage.deadline_of(team)))).ok_or_else(|| Rule::Over(last.name.clone()))
    }
}

impl Stage {
    /// Returns a team's deadline, in seconds since 1970.
    pub fn deadline_of(&self, team: &Extensions) -> u64 {
        team.get(&self.name).copied().unwrap_or(0).max(self.deadline)
    }

    fn of(typed: &TypedStage) -> Result<Self, PlanError> {
        let wrong = |reason: &str| PlanError::new(format!("stage {}: {reason}", typed.name));
        let deadline = since_1970(typed.deadline).ok_or_else(|| wrong(MOMENT))?;
        let grace =
            typed.grace.as_deref().map(values::span).transpose().map_err(|reason| wrong(&reason.to_string()))?;
        Ok(Self {
            name: typed.name.clone(),
            deadline,
            grace: grace.map_or(0, |time| time.as_secs()),
            typed: [typed.deadline.to_string(), typed.grace.clone().unwrap_or_default()],
        })
    }
}

/// The advice for a time that lacks something.
const MOMENT: &str = "write the deadline with date, time and offset: 2027-01-31T23:59:00+01:00";

/// Returns the seconds since 1970 of a typed time.
pub(super) fn moment(typed: &str) -> Result<u64, PlanError> {
    typed.parse().ok().and_then(since_1970).ok_or_else(|| PlanError::new(format_args!("'{typed}': {MOMENT}")))
}

/// Returns the seconds since 1970 of a time with a date and an offset.
fn since_1970(time: Datetime) -> Option<u64> {
    let (date, clock) = (time.date?, time.time?);
    let minutes = match time.offset? {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    // Years begin in March, so that a leap day is the last one.
    let (year, month) = (i64::from(date.year) - i64::from(date.month <= 2), (i64::from(date.month) + 9) % 12);
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + i64::from(date.day) - 719_469;
    let clock = 3600 * i64::from(clock.hour) + 60 * i64::from(clock.minute) + i64::from(clock.second.unwrap_or(0));
    u64::try_from(86_400 * days + clock - 60 * minutes).ok()
}
