//! Events of a course, such as a final: a plan and copies of the players, which `server tournament` plays anywhere.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use amazons_program::files::write_whole;
use serde::Serialize;
use serde_json::Value;

use super::baseline::Baseline;
use super::store::{made_whole, private_dir};
use super::{AdmittedPlayer, CourseError, LADDER, PLAYER, Rule, Store, Team, Version};
use crate::files::sha256_of;
use crate::game::PlayerSettings;
use crate::tournament::ladder::{LadderPlan, read};
use crate::tournament::{JOURNAL, since_1970};

/// How many pairs each two play, at least.
const PAIRS_MIN: u32 = 4;

/// The plan in the folder of an event, and the folder of its players.
const PLAN: &str = "event.toml";
const PLAYERS: &str = "players";

impl Store {
    /// Makes the folder of an event: a plan of a round robin, and a copy of the player of each team and of each
    /// baseline. With a stage, versions count that were handed in for it or before. Returns who plays, in lines. Fails
    /// when versions that count still wait, unless `anyway`; when the folder is there already, there are fewer than two
    /// players, or the files are not those admitted.
    pub fn plan_event(
        &mut self,
        to: &Path,
        stage: Option<&str>,
        seed: Option<u64>,
        anyway: bool,
    ) -> Result<String, CourseError> {
        let settings = self.settings().0.clone();
        let place = |name: &str| settings.stages.iter().position(|stage| stage.name == name);
        let missing = |name| Rule::NoStage(String::from(name));
        let last = stage.map(|name| place(name).ok_or_else(|| missing(name))).transpose()?;
        let counts = |version: &Version| {
            last.is_none_or(|last| version.stage.as_deref().and_then(place).is_some_and(|stage| stage <= last))
        };
        if !anyway {
            self.check_settled(counts)?;
        }
        let (mut players, mut lines) = (Vec::new(), String::new());
        for (name, team) in self.course().teams() {
            match version_of(team, counts) {
                Ok((version, player)) => {
                    let file = self.version_folder(name, version.number).join(PLAYER);
                    let settings = PlayerSettings { directions: player.directions, ..named(name) };
                    players.push((file, player.sha256.clone(), settings));
                    let late = if version.is_late { ", late" } else { "" };
                    let _ = writeln!(lines, "{name}: version {}{late}", version.number);
                }
                Err(reason) => _ = writeln!(lines, "without {name}: {reason}"),
            }
        }
        let mut baselines = Baseline::all(&settings, self.folder()).map_err(Rule::Baseline)?;
        let folder = self.folder().join(LADDER);
        if folder.join(JOURNAL).exists() {
            let ladder = read(&folder).map_err(Rule::Ladder)?;
            Baseline::keep(&mut baselines, &ladder, &folder);
        }
        players.extend(baselines.into_iter().map(|Baseline { name, file, sha256, options }| {
            (file, sha256, PlayerSettings { options, ..named(&name) })
        }));
        if players.len() < 2 {
            return Err(Rule::TooFewPlayers(lines).into());
        }
        // Who knows the ladder's seed knows its openings.
        let seed = seed.map_or_else(|| Self::draw_seed(self.folder()), Ok)?;
        // Each board comes up, and more than one opening.
        let pairs =
            settings.plan.pairs.max(PAIRS_MIN).next_multiple_of(u32::try_from(settings.plan.boards.len()).unwrap_or(1));
        // An event has no use for that setting of a ladder.
        let plan = LadderPlan { seed, pairs, max_pairs: None, ..settings.plan };
        let mut text = lines_of(&plan);
        made_whole(to, |draft| {
            private_dir(&draft.join(PLAYERS))?;
            for (file, sha256, player) in &players {
                let path = draft.join(player.file.as_deref().unwrap_or(Path::new("")));
                fs::copy(file, &path).map_err(CourseError::file(file))?;
                if sha256_of(&path).map_err(CourseError::file(&path))? != *sha256 {
                    return Err(CourseError::Swapped(file.clone()));
                }
                let _ = write!(text, "\n[[players]]\n{}", lines_of(player));
            }
            let path = draft.join(PLAN);
            write_whole(&path, text.as_bytes()).map_err(CourseError::file(&path))
        })?;
        let now = since_1970();
        if let Some(stage) = last.map(|place| &settings.stages[place]) {
            let is_open = |team: &Team| stage.deadline_of(&team.extensions).saturating_add(stage.grace) > now;
            let teams = self.course().teams().iter().filter(|(_, team)| is_open(team));
            let open: Vec<&str> = teams.map(|(name, _)| name.as_str()).collect();
            if !open.is_empty() {
                let _ = writeln!(lines, "{} is still open for {}", stage.name, open.join(", "));
            }
        }
        let (to, count) = (to.display(), players.len());
        Ok(format!("{to} has {count} players; play it with: server tournament {to}/{PLAN}\n{lines}"))
    }
}

/// Returns the settings of a player whose file is beside the plan.
fn named(name: &str) -> PlayerSettings {
    let file = format!("{PLAYERS}/{name}.so").into();
    PlayerSettings { name: Some(name.to_owned()), file: Some(file), ..PlayerSettings::default() }
}

/// Returns the lines of a table, and behind them those of tables in it: JSON's numbers, texts and lists are TOML's.
fn lines_of(table: &impl Serialize) -> String {
    let Ok(Value::Object(table)) = serde_json::to_value(table) else { return String::new() };
    let (tables, values): (Vec<_>, Vec<_>) = table.iter().partition(|(_, value)| value.is_object());
    let values = values.into_iter().filter(|(_, value)| !value.is_null());
    let lines = values.map(|(name, value)| format!("{name} = {value}\n"));
    lines.chain(tables.into_iter().map(|(name, table)| format!("\n[{name}]\n{}", lines_of(table)))).collect()
}

/// Returns the version that takes part, of those that count, or why none does.
fn version_of(team: &Team, counts: impl Fn(&Version) -> bool) -> Result<(&Version, &AdmittedPlayer), &'static str> {
    let absent = if team.is_withdrawn { "it was withdrawn" } else { "no version was admitted" };
    team.playing().ok_or(absent)?;
    team.player_among(counts).ok_or("no version for this stage")
}
