use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// The longest name; it becomes a file name with a few letters around it.
pub(super) const NAME_MAX: usize = 40;

/// Why no new player was written.
#[derive(Debug, Error)]
pub enum NewPlayerError {
    /// The name would not do for a file, a C program and a Rust crate alike.
    #[error("bad name '{0}': use lower-case letters, digits and '_', a letter first, at most {max} characters", max = NAME_MAX)]
    Name(String),
    /// The folder is not new.
    #[error("'{}' exists already: choose another name or folder", .0.display())]
    Exists(PathBuf),
    /// A file or folder could not be written.
    #[error("cannot write '{}'", path.display())]
    Write {
        /// What could not be written.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
