//! Writes a ready-to-build player outside the repository, everything it needs included.

mod error;
mod files;
mod workspace;
mod write;

pub use error::NewPlayerError;
pub use files::Template;
pub use write::write;
