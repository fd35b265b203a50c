//! Events of a course, such as a final: a plan and copies of the players, which `server tournament` plays anywhere.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use amazons_program::files::write_whole;
use serde_json::{Value, json};

use super::roster::Baseline;
use super::store::{made_whole, private_dir};
use super::{CourseError, CourseSettings, PLAYER, Store, Team};
use crate::files::sha256_of;

/// The plan in the folder of an event, and the folder of its players.
const PLAN: &str = "event.toml";
const PLAYERS: &str = "players";

/// The settings of a ladder that an event has, too.
const SETTINGS: [&str; 5] = ["boards", "plies", "pairs", "seed", "records"];

impl Store {
    /// Makes the folder of an event: the plan of a round robin, and a copy of the player of each team and of each
    /// baseline. With a stage, versions count that were handed in for it or before. Returns how many players there are.
    ///
    /// # Errors
    /// When the folder is there already, there are fewer than two players, or the files are not those admitted.
    pub fn plan_event(&mut self, to: &Path, stage: Option<&str>, seed: Option<u64>) -> Result<usize, CourseError> {
        let settings = self.settings().0.clone();
        let end = stage.map(|stage| end_of(&settings, stage)).transpose()?;
        let teams = self.course().teams().iter();
        let mut players: Vec<_> = teams
            .filter_map(|(name, team)| {
                let number = version_of(team, end)?;
                let player = team.player(number)?;
                let file = self.version_folder(name, number).join(PLAYER);
                let needs = player.directions.map(|directions| json!({ "directions": directions }));
                Some((name.clone(), file, player.sha256.clone(), needs))
            })
            .collect();
        let baselines = Baseline::all(&settings, self.folder());
        let baselines = baselines.map_err(|error| CourseError::refused(400, format!("{error:#}")))?;
        players.extend(baselines.into_iter().map(|Baseline { name, file, sha256, options }| {
            (name, file, sha256, options.map(|options| json!({ "options": options })))
        }));
        if players.len() < 2 {
            return Err(CourseError::refused(409, "an event needs at least two players"));
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
                    return Err(CourseError::Foreign(format!("{} is not the file that was admitted", file.display())));
                }
                text.push_str("\n[[players]]\n");
                add_lines(&mut text, &json!({ "name": name, "file": copy }));
                add_lines(&mut text, &json!(more));
            }
            let path = draft.join(PLAN);
            write_whole(&path, text.as_bytes()).map_err(CourseError::file(&path))
        })?;
        Ok(players.len())
    }
}

/// Adds the lines of a table: JSON's numbers, texts and lists are TOML's.
fn add_lines(text: &mut String, table: &Value) {
    for (name, value) in table.as_object().into_iter().flatten() {
        let _ = writeln!(text, "{name} = {value}");
    }
}

/// Returns the last second in which versions are taken for a stage.
fn end_of(settings: &CourseSettings, name: &str) -> Result<u64, CourseError> {
    let stage = settings.stages.iter().find(|stage| stage.name == name);
    let stage = stage.ok_or_else(|| CourseError::refused(404, format!("there is no stage '{name}' in course.toml")))?;
    Ok(stage.deadline.saturating_add(stage.grace))
}

/// Returns the version that takes part: the one that plays, or the last admitted one that came in time.
fn version_of(team: &Team, end: Option<u64>) -> Option<u32> {
    let (playing, _) = team.playing()?;
    let is_in_time = |number: u32| team.version(number).is_some_and(|it| end.is_none_or(|end| it.at <= end));
    let candidates = std::iter::once(playing).chain((1..playing).rev());
    candidates.into_iter().find(|number| team.player(*number).is_some() && is_in_time(*number))
}
