//! Events of a course, such as a final: a plan and copies of the players, which `server tournament` plays anywhere.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use amazons_program::files::write_whole;
use serde_json::{Value, json};

use super::baseline::Baseline;
use super::store::{made_whole, private_dir};
use super::{AdmittedPlayer, CourseError, PLAYER, Rule, Store, Team, Version};
use crate::files::sha256_of;

/// The plan in the folder of an event, and the folder of its players.
const PLAN: &str = "event.toml";
const PLAYERS: &str = "players";

/// The settings of a ladder that an event has, too.
const SETTINGS: [&str; 5] = ["boards", "plies", "pairs", "seed", "records"];

impl Store {
    /// Makes the folder of an event: a plan of a round robin, and a copy of the player of each team and of each baseline.
    /// With a stage, versions count that were handed in for it or before. Returns who plays, in lines.
    ///
    /// # Errors
    /// When the folder is there already, there are fewer than two players, or the files are not those admitted.
    pub fn plan_event(&mut self, to: &Path, stage: Option<&str>, seed: Option<u64>) -> Result<String, CourseError> {
        let settings = self.settings().0.clone();
        let place = |name: &str| settings.stages.iter().position(|stage| stage.name == name);
        let missing = |name| Rule::NoStage(String::from(name));
        let last = stage.map(|name| place(name).ok_or_else(|| missing(name))).transpose()?;
        // Deadlines may have moved since a version was told its stage.
        let counts = |version: &Version| {
            let told = version.stage.as_deref().and_then(place);
            last.is_none_or(|last| told.map_or(version.at <= settings.stages[last].end(), |told| told <= last))
        };
        let (mut players, mut lines) = (Vec::new(), String::new());
        for (name, team) in self.course().teams() {
            match version_of(team, counts) {
                Ok((version, player)) => {
                    let file = self.version_folder(name, version.number).join(PLAYER);
                    let needs = player.directions.map(|directions| json!({ "directions": directions }));
                    players.push((name.clone(), file, player.sha256.clone(), needs));
                    let late = if version.is_late { ", late" } else { "" };
                    let _ = writeln!(lines, "{name}: version {}{late}", version.number);
                }
                Err(reason) => _ = writeln!(lines, "without {name}: {reason}"),
            }
        }
        let baselines = Baseline::all(&settings, self.folder());
        let baselines = baselines.map_err(Rule::Baseline)?;
        players.extend(baselines.into_iter().map(|Baseline { name, file, sha256, options }| {
            (name, file, sha256, options.map(|options| json!({ "options": options })))
        }));
        if players.len() < 2 {
            return Err(Rule::TooFewPlayers(lines).into());
        }
        let mut plan = json!(settings.plan);
        if let Some(seed) = seed {
            plan["seed"] = seed.into();
        }
        let mut text = SETTINGS.iter().map(|name| format!("{name} = {}\n", plan[name])).collect::<String>();
        text.push_str("\n[game]\n");
        add_lines(&mut text, &plan["game"]);
        made_whole(to, |draft| {
            private_dir(&draft.join(PLAYERS))?;
            for (name, file, sha256, more) in &players {
                let copy = format!("{PLAYERS}/{name}.so");
                let path = draft.join(&copy);
                fs::copy(file, &path).map_err(CourseError::file(file))?;
                if sha256_of(&path).map_err(CourseError::file(&path))? != *sha256 {
                    return Err(CourseError::Swapped(file.clone()));
                }
                text.push_str("\n[[players]]\n");
                add_lines(&mut text, &json!({ "name": name, "file": copy }));
                add_lines(&mut text, &json!(more));
            }
            let path = draft.join(PLAN);
            write_whole(&path, text.as_bytes()).map_err(CourseError::file(&path))
        })?;
        let (to, count) = (to.display(), players.len());
        Ok(format!("{to} has {count} players; play it with: server tournament {to}/{PLAN}\n{lines}"))
    }
}

/// Adds the lines of a table: JSON's numbers, texts and lists are TOML's.
fn add_lines(text: &mut String, table: &Value) {
    for (name, value) in table.as_object().into_iter().flatten() {
        let _ = writeln!(text, "{name} = {value}");
    }
}

/// Returns the version that takes part, the one that plays or the last admitted one before it that counts; or why none.
fn version_of(team: &Team, counts: impl Fn(&Version) -> bool) -> Result<(&Version, &AdmittedPlayer), &'static str> {
    let absent = if team.is_withdrawn { "it was withdrawn" } else { "no version was admitted" };
    let (playing, _) = team.playing().ok_or(absent)?;
    let mut players = (1..=playing).rev().filter_map(|number| team.version(number).zip(team.player(number)));
    players.find(|(version, _)| counts(version)).ok_or("no version for this stage")
}
