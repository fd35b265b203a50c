//! Files that a person names.

use std::fs::{self, OpenOptions};
use std::path::Path;

use amazons_program::Exit;
use amazons_program::files::read_file;

/// The largest file that is read, in bytes; the tree of a large game has a few million.
const MAX_FILE_LEN: u64 = 64 << 20;

pub(crate) fn read(path: &Path) -> Result<String, Exit> {
    read_file(path, MAX_FILE_LEN).map_err(|error| Exit::usage(format!("{}: {error}", path.display())))
}

/// Makes sure that a file can be written, before the work begins; what is there stays as it is.
pub(crate) fn expect_writable(path: Option<&Path>) -> Result<(), Exit> {
    let Some(path) = path else { return Ok(()) };
    let is_new = !path.exists();
    OpenOptions::new().append(true).create(true).open(path).map_err(|error| Exit::unwritable(path, &error))?;
    if is_new { fs::remove_file(path).map_err(|error| Exit::unwritable(path, &error)) } else { Ok(()) }
}

pub(crate) fn write(path: &Path, text: &str) -> Result<(), Exit> {
    fs::write(path, text).map_err(|error| Exit::unwritable(path, &error))
}
