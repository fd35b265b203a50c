use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use crate::files::sha256_of;
use crate::tournament::schedule::PlayerId;
use crate::tournament::{Entrant, Plan};

/// Tells the players' files apart from others that take their places while an event goes on, without hashing them again.
#[derive(Debug)]
pub struct Identities(Vec<Option<Identity>>);

/// Where a file lies on its disk, how large it is, and when it was written.
pub(super) type Identity = [i128; 5];

impl Identities {
    /// Looks at the files; those that are no files have none.
    #[must_use]
    pub fn of(plan: &Plan) -> Self {
        Self(plan.players.iter().map(|player| player.sha256.as_ref().and_then(|_| identity(&player.file))).collect())
    }

    /// Looks at the files, which must hold what they held when the event began.
    ///
    /// # Errors
    /// Says whose does not.
    pub fn of_unchanged(plan: &Plan) -> Result<Self, String> {
        // First what the files are, then what they hold: a change between the two is seen.
        let files = Self::of(plan);
        match plan.players.iter().find(|entrant| changed(entrant)) {
            None => Ok(files),
            Some(Entrant { name, file, .. }) => Err(format!(
                "player {name}: {} is not the file that the event began with, or cannot be read here",
                file.display()
            )),
        }
    }

    /// Refuses players whose files are not what they were.
    ///
    /// # Errors
    /// Says whose.
    pub fn check(&self, plan: &Plan, players: [PlayerId; 2]) -> Result<(), String> {
        for player in players {
            let entrant = &plan.players[player];
            if let Some(before) = &self.0[player]
                && identity(&entrant.file).as_ref() != Some(before)
            {
                let (name, file) = (&entrant.name, entrant.file.display());
                return Err(format!("player {name}: {file} was changed while the event goes on: put it back"));
            }
        }
        Ok(())
    }
}

/// Returns whether a player's file is another one here than when the event began, or cannot be read.
pub(super) fn changed(entrant: &Entrant) -> bool {
    entrant.sha256.is_some() && sha256_of(&entrant.file).ok() != entrant.sha256
}

/// Returns what tells a file apart from another one in its place, and from itself before it was written.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    let metadata = fs::metadata(path).ok()?;
    let time = [metadata.mtime().into(), metadata.mtime_nsec().into()];
    Some([metadata.dev().into(), metadata.ino().into(), metadata.size().into(), time[0], time[1]])
}
