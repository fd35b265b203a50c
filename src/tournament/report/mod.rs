//! Standings as files: one format each.

mod csv;
mod games;
mod tables;
mod text;

pub use csv::csv;
pub(in crate::tournament) use games::write_games;
pub(in crate::tournament) use tables::players;
pub use text::text;

use std::io;
use std::path::{Path, PathBuf};

use amazons_program::files::write_whole;
use serde::Serialize;

use super::standings::{Standings, Timing};
use crate::text::visible;

/// The content of all formats.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// The name of the event.
    pub title: &'a str,
    /// The format and the numbers of players, pairs and games.
    pub subtitle: &'a str,
    /// The tables.
    pub standings: &'a Standings,
    /// Everything that depends on time, for the text of a terminal; none for files.
    pub timing: Option<&'a Timing>,
}

/// Returns tables as JSON: standings, without anything that depends on time, or those of a ladder.
pub fn json(tables: &impl Serialize) -> String {
    serde_json::to_string_pretty(tables).unwrap_or_default() + "\n"
}

/// Returns the title of what is in a folder: the folder's name.
pub(super) fn title(folder: &Path) -> String {
    let folder = std::path::absolute(folder).unwrap_or_default();
    folder.file_name().map_or_else(String::new, |name| visible(&name.to_string_lossy()))
}

/// Writes files into a folder, each whole or not at all.
pub(super) fn write<const N: usize>(folder: &Path, files: [(&str, String); N]) -> Result<(), (PathBuf, io::Error)> {
    for (name, text) in files {
        let path = folder.join(name);
        write_whole(&path, text.as_bytes()).map_err(|error| (path, error))?;
    }
    Ok(())
}
