use std::collections::BTreeSet;
use std::path::Path;

use super::names::{NAME_MAX, PLAYERS, is_name, is_plain};
use super::{Entrant, PlanError, PlayerSettings};
use crate::bridge::ProgramCommand;
use crate::files::sha256_of;
use crate::game::DirectionsArg;
use crate::participant::{Participant, ParticipantKind};

/// Names and hashes players.
pub(super) fn entrants(players: &[PlayerSettings], base: &Path) -> Result<Vec<Entrant>, PlanError> {
    if !PLAYERS.contains(&players.len()) {
        return Err(PlanError::of_players(players.len()));
    }
    let mut names = BTreeSet::new();
    let mut entrants = Vec::new();
    for (number, player) in (1..).zip(players) {
        let mut own = player.clone();
        let missing = || PlanError(format!("players: player {number} has no file: name a library or a command"));
        let typed = own.file.take().ok_or_else(missing)?;
        let participant = Participant::parse(&typed).map_err(PlanError::new)?;
        own.options = participant.options(own.options.as_deref()).map_err(PlanError::new)?;
        let default_name = || default_name(&participant.short_name(own.options.as_deref()));
        let name = own.name.take().unwrap_or_else(|| free_name(&default_name(), &names));
        check_spelling(&name)?;
        let (file, sha256) = match participant.kind() {
            ParticipantKind::Human(_) | ParticipantKind::Browser(_) => {
                return Err(PlanError(format!("{name}: a person cannot play in a tournament")));
            }
            ParticipantKind::Program(_, command) => {
                ProgramCommand::find(command).map_err(PlanError::new)?;
                if own.directions.is_some() {
                    return Err(PlanError(format!("player {name}: directions: only a library is given a graph")));
                }
                (typed, None)
            }
            ParticipantKind::Library => {
                let path = base.join(participant.file());
                let absolute = std::path::absolute(&path).unwrap_or(path);
                let hash = sha256_of(&absolute)
                    .map_err(|error| PlanError(format!("cannot read {}: {error}", typed.display())))?;
                (absolute, Some(hash))
            }
        };
        // Journals and records are JSON, which has no way to write the name.
        if file.to_str().is_none() {
            return Err(PlanError(format!("player {}: its path is not UTF-8: rename it", file.display())));
        }
        names.insert(name.clone());
        entrants.push(Entrant { name, file, sha256, directions: own.directions.take(), own });
    }
    Ok(entrants)
}

/// Gives each player its own numbering where the settings of all games name one for each, and returns the common one.
///
/// Equal plans are written alike: a player's own numbering that is the common one is left out.
pub(super) fn share_directions(
    named: &[DirectionsArg],
    players: &mut [Entrant],
) -> Result<Vec<DirectionsArg>, PlanError> {
    let common = if named.len() > 1 { &[] } else { named };
    if named.len() > 1 {
        if named.len() != players.len() {
            let (named, players) = (named.len(), players.len());
            return Err(PlanError(format!(
                "directions: {named} numberings for {players} players: name one for all, or one for each"
            )));
        }
        // Programs are told positions, no graph.
        for (player, &directions) in players.iter_mut().zip(named).filter(|(player, _)| player.sha256.is_some()) {
            player.directions.get_or_insert(directions);
        }
    }
    let default = common.first().copied().unwrap_or_default();
    for player in players.iter_mut().filter(|player| player.directions == Some(default)) {
        player.directions = None;
    }
    Ok(common.to_vec())
}

/// Refuses a name that cannot stand in a table.
pub(super) fn check_spelling(name: &str) -> Result<(), PlanError> {
    if is_name(name) { Ok(()) } else { Err(PlanError::of_name(name)) }
}

/// The name of a player that has none, with what cannot stand in a table replaced.
fn default_name(short_name: &str) -> String {
    let letter = |letter: char| if is_plain(letter) { letter } else { '_' };
    // There is room for a number behind it.
    short_name.chars().map(letter).take(NAME_MAX - 5).collect()
}

fn free_name(name: &str, taken: &BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned()).chain(numbered).find(|name| !taken.contains(name)).unwrap_or_default()
}
