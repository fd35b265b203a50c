use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::{NAME_MAX, NewPlayerError};
use super::files::Template;

/// Writes a new player into the folder `name` inside `parent` and returns that folder.
///
/// A folder that could not be completed is removed again.
///
/// # Errors
/// When the name will not do, the folder exists already, or a file cannot be written.
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
            // The first failure is the one to tell.
            let _ = fs::remove_dir_all(&folder);
            return Err(NewPlayerError::Write { path, source });
        }
    }
    Ok(folder)
}

/// The name goes into C source, a crate name and file names, and is typed in shells.
fn is_name(name: &str) -> bool {
    name.len() <= NAME_MAX
        && name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|character| matches!(character, 'a'..='z' | '0'..='9' | '_'))
}

fn write_file(path: &Path, text: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(path, text)
}
