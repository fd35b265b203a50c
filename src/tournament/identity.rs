use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::plan::{Entrant, Plan};
use super::schedule::PlayerId;
use crate::files::sha256_of;

/// The players' files as they were when an event went on: one that changes is noticed without hashing it again.
#[derive(Debug, Default)]
pub(super) struct Identities(Vec<Option<Identity>>);

/// A player, by its name, whose file is another one.
#[derive(Debug, Error)]
pub(super) enum Swapped {
    #[error("player {0}: {file} is not the file that the event began with, or cannot be read here", file = .1.display())]
    Before(String, PathBuf),
    #[error("player {0}: {file} was changed while the event goes on: put it back", file = .1.display())]
    Meanwhile(String, PathBuf),
}

/// Where a file lies on its disk, how large it is, and when it was written.
pub(crate) type Identity = [i128; 5];

impl Identities {
    /// Looks at the files, which must hold what they held when the event began.
    pub(super) fn of_unchanged(plan: &Plan) -> Result<Self, Swapped> {
        // First what the files are, then what they hold: a change between the two is seen.
        let file = |player: &Entrant| player.sha256.as_ref().and_then(|_| identity(&player.file));
        let files = Self(plan.players.iter().map(file).collect());
        plan.players.iter().try_for_each(unchanged)?;
        Ok(files)
    }

    /// Refuses players whose files are not what they were.
    pub(super) fn check(&self, plan: &Plan, players: [PlayerId; 2]) -> Result<(), Swapped> {
        for player in players {
            let entrant = &plan.players[player];
            if let Some(Some(before)) = self.0.get(player)
                && identity(&entrant.file).as_ref() != Some(before)
            {
                return Err(Swapped::Meanwhile(entrant.name.clone(), entrant.file.clone()));
            }
        }
        Ok(())
    }
}

/// Refuses a player whose file is another one here than when the event began, or cannot be read.
pub(super) fn unchanged(Entrant { name, file, sha256, .. }: &Entrant) -> Result<(), Swapped> {
    let is_same = sha256.is_none() || sha256_of(file).ok() == *sha256;
    if is_same { Ok(()) } else { Err(Swapped::Before(name.clone(), file.clone())) }
}

/// Returns what tells a file apart from another one in its place, and from itself before it was written.
pub(crate) fn identity(path: &Path) -> Option<Identity> {
    // A link that leads nowhere is also there.
    let metadata = fs::metadata(path).or_else(|_| fs::symlink_metadata(path)).ok()?;
    let time = [metadata.mtime().into(), metadata.mtime_nsec().into()];
    Some([metadata.dev().into(), metadata.ino().into(), metadata.size().into(), time[0], time[1]])
}
