use std::fs;
use std::io;

use amazons_program::journal::rewrite;

use super::job::WORK;
use super::notify::NOTIFIED;
use super::store::VERSIONS;
use super::{COURSE, CourseError, CourseLine, LADDER, Rule, Store};
use crate::tournament::JOURNAL;
use crate::tournament::ladder::forget;

impl Store {
    /// Removes everything that is known of a team and what it handed in; in the ladder, its games stay under another name,
    /// without records.
    ///
    /// # Errors
    /// When there is no such team, a server works there, or the disk fails; the same call goes on then.
    pub fn forget(&mut self, name: &str) -> Result<(), CourseError> {
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
            store.reread()
        })
    }
}
