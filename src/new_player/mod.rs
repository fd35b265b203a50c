//! Writes a ready-to-build player outside the repository, with everything it needs.

mod files;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use thiserror::Error;

pub use files::Template;
pub(crate) use files::headers;

/// Maximum length of a name; file names add a few letters to it.
const NAME_MAX: usize = 40;

/// Why no new player was written.
#[derive(Debug, Error)]
pub enum NewPlayerError {
    #[error("bad name '{0}': use lower-case letters, digits and '_', a letter first, at most {max} characters", max = NAME_MAX)]
    Name(String),
    #[error("'{}' already exists: choose another name or folder", .0.display())]
    Exists(PathBuf),
    /// A file or folder could not be written.
    #[error("cannot write '{}'", path.display())]
    Write { path: PathBuf, source: io::Error },
}

/// Writes a new player into the folder `name` inside `parent` and returns that folder.
///
/// An incomplete folder is removed again.
pub fn write(template: Template, name: &str, parent: &Path) -> Result<PathBuf, NewPlayerError> {
    if !is_name(name) {
        return Err(NewPlayerError::Name(name.to_owned()));
    }
    let folder = parent.join(name);
    fs::create_dir(&folder).map_err(|source| match source.kind() {
        ErrorKind::AlreadyExists => NewPlayerError::Exists(folder.clone()),
        _ => NewPlayerError::Write { path: folder.clone(), source },
    })?;
    for (path, text) in template.files(name) {
        let path = folder.join(path);
        if let Err(source) = write_file(&path, &text) {
            // Report the first failure.
            let _ = fs::remove_dir_all(&folder);
            return Err(NewPlayerError::Write { path, source });
        }
    }
    Ok(folder)
}

/// Packs a new player as a `.tar.gz` with one folder, `name`.
pub fn pack(template: Template, name: &str) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
    for (path, text) in template.files(name) {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, Path::new(name).join(path), text.as_bytes())?;
    }
    archive.into_inner()?.finish()
}

/// The name goes into C source, a crate name and file names, and is typed in shells.
fn is_name(name: &str) -> bool {
    name.len() <= NAME_MAX
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|character| matches!(character, 'a'..='z' | '0'..='9' | '_'))
}

fn write_file(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
