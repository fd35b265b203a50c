//! Files that a person names.

use std::fs::{self, File, OpenOptions};
use std::io::Read as _;
use std::path::Path;

use amazons_program::{Exit, without_mark};

/// The largest file that is read, in bytes; the tree of a large game has a few million.
const MAX_FILE_LEN: u64 = 64 << 20;

/// Reads a text.
pub(crate) fn read(path: &Path) -> Result<String, Exit> {
    let wrong = |error: &dyn std::fmt::Display| Exit::usage(format!("{}: {error}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| wrong(&error))?;
    file.take(MAX_FILE_LEN + 1).read_to_end(&mut bytes).map_err(|error| wrong(&error))?;
    if bytes.len() as u64 > MAX_FILE_LEN {
        return Err(wrong(&format_args!("the file is larger than {} MiB", MAX_FILE_LEN >> 20)));
    }
    let text = String::from_utf8(bytes).map_err(|_| wrong(&"the file is not UTF-8 text"))?;
    Ok(without_mark(&text).to_owned())
}

/// Makes sure that a file can be written, before the work begins; what is there stays as it is.
pub(crate) fn expect_writable(path: Option<&Path>) -> Result<(), Exit> {
    let Some(path) = path else { return Ok(()) };
    let is_new = !path.exists();
    OpenOptions::new().append(true).create(true).open(path).map_err(|error| Exit::unwritable(path, &error))?;
    if is_new { fs::remove_file(path).map_err(|error| Exit::unwritable(path, &error)) } else { Ok(()) }
}

/// Writes a file.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Exit> {
    fs::write(path, text).map_err(|error| Exit::unwritable(path, &error))
}
