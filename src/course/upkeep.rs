//! Copies of a course, and whether it is whole.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

use super::store::{LADDER, VERSIONS};
use super::{COURSE, CourseError, PLAYER, SETTINGS, Store, UPLOAD};
use crate::files::sha256_of;
use crate::tournament::ladder::read as read_ladder;
use crate::tournament::{JOURNAL, is_held};

impl Store {
    /// Copies the course to a new folder, also while it runs. The journals come first: whatever they name is copied after
    /// them, and what came later is left out of them.
    pub fn back_up(&self, to: &Path) -> Result<(), CourseError> {
        if to.exists() {
            return Err(CourseError::refused(409, format!("{} exists already: name a new folder", to.display())));
        }
        let name = to.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let draft = to.with_file_name(format!(".{name}.{}.new", std::process::id()));
        let first = [COURSE.into(), SETTINGS.into(), Path::new(LADDER).join(JOURNAL)];
        let copied = || -> io::Result<()> {
            for part in &first {
                let (from, to) = (self.folder().join(part), draft.join(part));
                fs::create_dir_all(to.parent().unwrap_or(&draft))?;
                if from.exists() {
                    fs::copy(from, to)?;
                }
            }
            for part in [VERSIONS, LADDER] {
                copy_new(&self.folder().join(part), &draft.join(part))?;
            }
            private(&draft)?;
            fs::rename(&draft, to)
        };
        copied().map_err(|source| {
            // What was copied is of no use alone.
            let _ = fs::remove_dir_all(&draft);
            CourseError::File { path: to.to_owned(), source }
        })
    }

    /// Examines the course: whether each thing is right, and a line about it.
    pub fn examine(&mut self) -> Vec<(bool, String)> {
        let mut found = vec![(true, format!("the journal has {} teams", self.course().teams().len()))];
        let (settings, complaint) = self.settings();
        found.push(match complaint {
            Some(complaint) => (false, complaint),
            None => (
                true,
                format!(
                    "{SETTINGS} is right: {} stages, boards {}",
                    settings.stages.len(),
                    settings.plan.boards.join(", ")
                ),
            ),
        });
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
}

/// Copies what is not there yet. Files that go meanwhile were on their way to another name.
fn copy_new(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        let copied = if kind.is_dir() {
            copy_new(&entry.path(), &target)
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

fn private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
}
