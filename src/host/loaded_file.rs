use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::error::HostError;

/// A player's file as it was when it was about to be loaded.
#[derive(Debug)]
pub(super) struct LoadedFile {
    path: PathBuf,
    /// The name for messages.
    typed: PathBuf,
    /// Only of a file: a folder changes with all that is in it, and is refused for what it is.
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

    /// Returns the path as the user wrote it.
    pub(super) fn typed(&self) -> &Path {
        &self.typed
    }

    /// Fails if the file was written since: the player ran code of both. Another file in its place does no harm.
    pub(super) fn unchanged(&self) -> Result<(), HostError> {
        let Some((before, now)) = self.before.as_ref().zip(fs::metadata(&self.path).ok()) else { return Ok(()) };
        let file = |data: &Metadata| (data.dev(), data.ino());
        // The time of the last change is the kernel's own: copying may set the other one back.
        let content = |data: &Metadata| (data.len(), data.mtime(), data.mtime_nsec(), data.ctime(), data.ctime_nsec());
        if file(before) == file(&now) && content(before) != content(&now) {
            return Err(HostError::Changed(self.typed.clone()));
        }
        Ok(())
    }
}
