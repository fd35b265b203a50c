use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::CourseSettings;
use crate::files::sha256_of;
use crate::host::server;
use crate::participant::Participant;
use crate::tournament::ladder::{Joined, Ladder, valid_name};

/// A player that is there from the beginning.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    pub(super) name: String,
    pub(super) file: PathBuf,
    pub(super) sha256: String,
    pub(super) options: Option<String>,
}

impl Baseline {
    /// Finds the baselines of a course.
    pub(super) fn all(settings: &CourseSettings, folder: &Path) -> anyhow::Result<Vec<Self>> {
        settings.baselines.iter().map(|typed| Self::find(typed, folder)).collect()
    }

    /// Puts the players with which the course's ladder has begun in the place of files that have changed since: grades
    /// are relative to them. Returns the names of those.
    pub(super) fn keep(baselines: &mut [Self], ladder: &Ladder, folder: &Path) -> Vec<String> {
        let mut changed = Vec::new();
        for baseline in baselines {
            let Some(Joined { file, sha256, .. }) = ladder.present(&baseline.name).map(|it| &it.joined) else {
                continue;
            };
            if *sha256 != baseline.sha256 {
                (baseline.file, baseline.sha256) = (folder.join(file), sha256.clone());
                changed.push(baseline.name.clone());
            }
        }
        changed
    }

    /// Returns the name that a baseline plays under.
    fn name_of(typed: &Path) -> anyhow::Result<String> {
        let participant = Participant::parse(typed)?;
        Ok(participant.short_name(participant.options(None)?.as_deref()))
    }

    /// Returns the names that the baselines of a course play under, as far as they can be told.
    pub(super) fn names(settings: &CourseSettings) -> BTreeSet<String> {
        settings.baselines.iter().filter_map(|typed| Self::name_of(typed).ok()).collect()
    }

    fn find(typed: &Path, folder: &Path) -> anyhow::Result<Self> {
        let participant = Participant::parse(typed)?;
        let options = participant.options(None)?;
        let name = Self::name_of(typed)?;
        let Some(file) = participant.library().filter(|_| valid_name(&name)) else {
            bail!("baselines: {}: only libraries can be named", typed.display());
        };
        // A plain name without a file is that of a player beside the server.
        let own = folder.join(file);
        let is_ours = !own.exists() && file.components().count() == 1;
        let file = if is_ours { server().with_file_name(file).with_extension("so") } else { own };
        let sha256 = sha256_of(&file).with_context(|| format!("baselines: cannot read {}", file.display()))?;
        Ok(Self { name, file, sha256, options })
    }
}
