use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::HostError;

/// A player's file as it was right before loading.
#[derive(Debug)]
pub(super) struct LoadedFile {
    path: PathBuf,
    /// The path as the user wrote it, for messages.
    pub(super) typed: PathBuf,
    /// Set for files only: a folder changes with its contents, and is refused anyway.
    before: Option<Metadata>,
}

impl LoadedFile {
    pub(super) fn new(path: &Path, typed: &Path) -> Self {
        Self {
            path: path.to_owned(),
            typed: typed.to_owned(),
            before: fs::metadata(path).ok().filter(Metadata::is_file),
        }
    }

    /// Fails if the file was written since: then the player ran code of both versions. Replacing the file does no harm.
    pub(super) fn unchanged(&self) -> Result<(), HostError> {
        let Some((before, now)) = self.before.as_ref().zip(fs::metadata(&self.path).ok()) else { return Ok(()) };
        let file = |data: &Metadata| (data.dev(), data.ino());
        // The kernel sets the time of the last status change itself; copying a file may set the other times back.
        let content = |data: &Metadata| (data.len(), data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec());
        if file(before) == file(&now) && content(before) != content(&now) {
            return Err(HostError::Changed(self.typed.clone()));
        }
        Ok(())
    }
}
