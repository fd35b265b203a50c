//! Copies of a course, and whether it is whole.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;

use super::acts::EVENTS;
use super::baseline::Baseline;
use super::build::{BuildError, Pace, abilities, build};
use super::job::WORK;
use super::site::TEMPLATES;
use super::store::{CRATES, VERSIONS, made_whole, private_dir};
use super::{COURSE, CourseError, LADDER, PLAYER, SETTINGS, Store, UPLOAD};
use crate::files::sha256_of;
use crate::new_player::{self, Template};
use crate::tournament::ladder::read as read_ladder;
use crate::tournament::{JOURNAL, is_held};

impl Store {
    /// Copies the course to a new folder, also while it runs. The journals come first: whatever they name is copied after
    /// them, and what came later is left out of them.
    pub fn back_up(&self, to: &Path) -> Result<(), CourseError> {
        let first = [COURSE.into(), SETTINGS.into(), Path::new(LADDER).join(JOURNAL)];
        made_whole(to, |draft| {
            private_dir(&draft.join(LADDER))?;
            let journals = first.iter().map(|part| (self.folder().join(part), draft.join(part)));
            let copied =
                journals.filter(|(from, _)| from.exists()).try_for_each(|(from, to)| fs::copy(from, to).map(drop));
            copied
                .and_then(|()| copy_new(self.folder(), draft, Some(&[VERSIONS, LADDER, CRATES, EVENTS])))
                .map_err(CourseError::file(to))
        })
    }

    /// Examines the course: whether each thing is right, and a line about it.
    pub fn examine(&mut self) -> Vec<(bool, String)> {
        let mut found = vec![(true, format!("the journal has {} teams", self.course().teams().len()))];
        let (settings, complaint) = self.settings();
        found.push(match complaint {
            Some(complaint) => (false, complaint.to_owned()),
            None => (
                true,
                format!(
                    "{SETTINGS} is right: {} stages, boards {}",
                    settings.stages.len(),
                    settings.plan.boards.join(", ")
                ),
            ),
        });
        let settings = self.settings().0.clone();
        found.push(match Baseline::all(&settings, self.folder()).and_then(|all| self.check_names(&all)) {
            Ok(()) => (true, "the baselines can be used".to_owned()),
            Err(error) => (false, format!("{error:#}")),
        });
        found.extend(abilities());
        found.extend(TEMPLATES.iter().filter_map(|(file, template, name)| {
            let error = self.build_template(*template, name).err()?;
            let is_told = matches!(error.downcast_ref(), Some(BuildError::Unable { .. }));
            let line = format!("/start/{file}, which the page offers, cannot be built here: {error:#}");
            (!is_told).then_some((false, line))
        }));
        if settings.notify.is_some() && Command::new("curl").arg("--version").output().is_err() {
            found.push((false, "curl is missing, which sends the messages to the address of notify".to_owned()));
        }
        let mut lost = BTreeSet::new();
        let mut versions = 0;
        for (name, team) in self.course().teams() {
            for version in &team.versions {
                versions += 1;
                let folder = self.version_folder(name, version.number);
                let is_whole = |file: &str, hash: &str| sha256_of(&folder.join(file)).is_ok_and(|found| found == hash);
                let player = team.player(version.number);
                if !is_whole(UPLOAD, &version.sha256) || player.is_some_and(|player| !is_whole(PLAYER, &player.sha256))
                {
                    lost.insert(format!("{name} version {}", version.number));
                }
            }
        }
        found.push(match lost.is_empty() {
            true => (true, format!("the files of all {versions} versions are whole")),
            false => (false, format!("files are lost or damaged: {}", lost.into_iter().collect::<Vec<_>>().join(", "))),
        });
        let ladder = self.folder().join(LADDER);
        if ladder.join(JOURNAL).exists() {
            found.push(match read_ladder(&ladder) {
                Ok(ladder) => (true, format!("the ladder has {} games", ladder.results().games())),
                Err(error) => (false, format!("the ladder cannot be used: {error}")),
            });
        }
        let at_work = if is_held(&ladder).unwrap_or(false) { "a server is at work" } else { "no server is at work" };
        found.push((true, at_work.to_owned()));
        found
    }

    /// Checks that no baseline has the name of a team.
    pub(super) fn check_names(&self, baselines: &[Baseline]) -> anyhow::Result<()> {
        let teams = self.course().teams();
        let same = baselines.iter().find(|baseline| teams.contains_key(&baseline.name));
        same.map_or(Ok(()), |same| Err(anyhow::anyhow!("baselines: {} is the name of a team, too", same.name)))
    }

    /// Builds what a player of this kind begins with, as versions are built.
    fn build_template(&self, template: Template, name: &str) -> anyhow::Result<()> {
        // No team has this name.
        let folder = self.folder().join(WORK).join(".doctor");
        let [upload, player] = ["upload", "player.so"].map(|part| folder.join(part));
        fs::create_dir_all(&folder)?;
        fs::write(&upload, new_player::pack(template, name)?)?;
        let built = build(&upload, &folder, &player, &self.build_limits(), &|_| Pace::Go);
        fs::remove_dir_all(&folder)?;
        Ok(built.map(drop)?)
    }
}

/// Copies what is not there yet: all folders, or some. Files that go meanwhile were on their way to another name.
fn copy_new(from: &Path, to: &Path, folders: Option<&[&str]>) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        let is_wanted = folders.is_none_or(|names| names.iter().any(|name| entry.file_name() == *name));
        let copied = if kind.is_dir() && is_wanted {
            copy_new(&entry.path(), &target, None)
        } else if kind.is_file() && !target.exists() {
            fs::copy(entry.path(), &target).map(drop)
        } else {
            Ok(())
        };
        match copied {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => copied?,
        }
    }
    Ok(())
}
