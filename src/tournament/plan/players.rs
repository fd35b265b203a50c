use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::names::{NAME_MAX, PLAYERS, is_name, is_plain};
use super::{Entrant, PlanError};
use crate::bridge::ProgramCommand;
use crate::cli::{DirectionsArg, RulesArgs};
use crate::files::sha256_of;
use crate::participant::{Participant, ParticipantKind};

/// A player as it was typed.
#[derive(Clone, Debug)]
pub struct Typed {
    /// A name for it; nothing to take that of the file.
    pub name: Option<String>,
    /// A library or a command.
    pub file: PathBuf,
    /// A numbering of its own for the edges of its graph.
    pub directions: Option<DirectionsArg>,
}

/// Names and hashes players.
pub(super) fn entrants(players: &[Typed], base: &Path) -> Result<Vec<Entrant>, PlanError> {
    if !PLAYERS.contains(&players.len()) {
        return Err(PlanError::Players(players.len()));
    }
    let mut names = BTreeSet::new();
    let mut entrants = Vec::new();
    for player in players {
        let name = player.name.clone().unwrap_or_else(|| free_name(&default_name(&player.file), &names));
        check_spelling(&name)?;
        let (file, sha256) = match Participant::parse(&player.file)?.kind() {
            ParticipantKind::Human(_) | ParticipantKind::Browser(_) => return Err(PlanError::Person(name)),
            ParticipantKind::Program(_, command) => {
                ProgramCommand::find(command)?;
                if player.directions.is_some() {
                    return Err(PlanError::Option(format!(
                        "player {name}: directions: only a library is given a graph"
                    )));
                }
                (player.file.clone(), None)
            }
            ParticipantKind::Library => {
                let path = base.join(&player.file);
                let absolute = std::path::absolute(&path).unwrap_or(path);
                let hash = sha256_of(&absolute)
                    .map_err(|source| PlanError::Unreadable { path: player.file.clone(), source })?;
                (absolute, Some(hash))
            }
        };
        names.insert(name.clone());
        entrants.push(Entrant { name, file, sha256, directions: player.directions });
    }
    Ok(entrants)
}

/// Gives each player its numbering where one is named for each, and returns the rules without them.
pub(super) fn share_directions(rules: &RulesArgs, players: &mut [Entrant]) -> Result<RulesArgs, PlanError> {
    let named = &rules.directions;
    if named.len() <= 1 {
        return Ok(rules.clone());
    }
    if named.len() != players.len() {
        let (named, players) = (named.len(), players.len());
        return Err(PlanError::Option(format!(
            "directions: {named} numberings for {players} players: name one for all, or one for each"
        )));
    }
    // Programs are told positions, no graph.
    for (player, &directions) in players.iter_mut().zip(named).filter(|(player, _)| player.sha256.is_some()) {
        player.directions.get_or_insert(directions);
    }
    Ok(RulesArgs { directions: Vec::new(), ..rules.clone() })
}

/// Leaves out numberings of players that are the game's: equal plans are written alike.
pub(super) fn leave_out_common_directions(rules: &RulesArgs, players: &mut [Entrant]) {
    let common = rules.directions.first().copied().unwrap_or_default();
    for player in players.iter_mut().filter(|player| player.directions == Some(common)) {
        player.directions = None;
    }
}

/// Refuses a name that is none.
pub(super) fn check_spelling(name: &str) -> Result<(), PlanError> {
    if is_name(name) { Ok(()) } else { Err(PlanError::Spelling(name.to_owned())) }
}

/// The name of a player that has none: its file's without the ending, with what cannot stand in a table replaced.
fn default_name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let letter = |letter: char| if is_plain(letter) { letter } else { '_' };
    // There is room for a number behind it.
    stem.chars().map(letter).take(NAME_MAX - 5).collect()
}

fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}
