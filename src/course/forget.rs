use std::fs;
use std::io;
use std::path::PathBuf;

use amazons_program::journal::rewrite;

use super::acts::EVENTS;
use super::job::WORK;
use super::notify::NOTIFIED;
use super::store::VERSIONS;
use super::{COURSE, CourseError, CourseLine, LADDER, Rule, Store};
use crate::tournament::JOURNAL;
use crate::tournament::ladder::forget;

impl Store {
    /// Removes everything that is known of a team and what it handed in; in the ladder, its games stay under another
    /// name, without records. Returns the folders of events that still have it. Fails when there is no such team, a
    /// server works there, or the disk fails; the same call goes on then.
    pub fn forget(&mut self, name: &str) -> Result<Vec<PathBuf>, CourseError> {
        self.change(|store| {
            store.team(name)?;
            let [ladder, journal] = [LADDER, COURSE].map(|part| store.folder().join(part));
            if ladder.join(JOURNAL).exists() {
                forget(&ladder, name).map_err(Rule::Ladder)?;
            }
            for folder in [VERSIONS, WORK].map(|part| store.folder().join(part).join(name)) {
                match fs::remove_dir_all(&folder) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                    removed => removed.map_err(CourseError::file(&folder))?,
                }
            }
            // It counts lines that are others now.
            let _ = fs::remove_file(store.folder().join(NOTIFIED));
            // Last, so that the team is there as long as something of it is.
            rewrite(&journal, |line: CourseLine| (line.team != name).then_some(line))
                .map_err(CourseError::file(&journal))?;
            store.reread()?;
            let events = fs::read_dir(store.folder().join(EVENTS)).into_iter().flatten().flatten();
            let events = events.map(|event| event.path());
            Ok(events.filter(|event| event.join("players").join(format!("{name}.so")).exists()).collect())
        })
    }
}
