//! The works of teams, as they are compared.

use std::ffi::OsStr;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use amazons_sandbox::LIBRARY_MAX;
use anyhow::Context;

use super::code::{Code, code_of};
use super::is_enough;
use super::text::Text;
use crate::course::build::each_file;
use crate::host::server;
use crate::new_player::Template;

/// Endings of files that count as sources, and the folder whose files do not: crates of others.
const ENDINGS: [&str; 9] = ["c", "h", "cc", "cpp", "cxx", "hpp", "rs", "go", "py"];
const FOREIGN: &str = "vendor";

/// Longer files were not written by hand.
const SOURCE_MAX: u64 = 1 << 20;

/// The sources of a work that are compared; nobody writes more in a term.
const SOURCES_MAX: usize = 8 << 20;

/// Maximum depth of folders that are searched for sources.
const DEPTH_MAX: usize = 12;

/// A team's player.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// As people know it.
    pub name: String,
    /// Works of one team are not compared.
    pub team: String,
    /// Whether it is of an earlier year.
    pub is_earlier: bool,
    /// Whether it is a player beside the server, which nobody has written for the course.
    pub is_bundled: bool,
    /// Name and text of each file of sources, as far as known.
    pub sources: Vec<(String, String)>,
    /// The library; empty if unknown.
    pub library: Vec<u8>,
}

impl Work {
    /// Reads a team's upload: a folder, an archive or a library; anything else counts as a work without sources.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(name: &str, team: &str, handed_in: &Path) -> anyhow::Result<Self> {
        let mut work = Self { name: name.to_owned(), team: team.to_owned(), ..Self::default() };
        if handed_in.is_dir() {
            work.add_folder(handed_in, Path::new(""), DEPTH_MAX)?;
        } else {
            work.library = library(handed_in)?;
            if work.library.is_empty() {
                // What is not an archive after all has no sources.
                let _ = each_file(handed_in, &mut |file| {
                    if is_source(&file.name) {
                        let mut bytes = Vec::new();
                        if file.content.take(SOURCE_MAX).read_to_end(&mut bytes).is_ok() {
                            work.add(&file.name, &bytes);
                        }
                    }
                    Ok(())
                });
            }
        }
        work.sources.sort();
        Ok(work)
    }

    /// Reads the works of an earlier year: each entry of a folder is one.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn of_earlier_year(folder: &Path) -> anyhow::Result<Vec<Self>> {
        let entries = fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut paths: Vec<PathBuf> = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        paths.sort();
        let read = |path: PathBuf| {
            let name = path.display().to_string();
            // A team of this year with this name is another one.
            Ok(Self { is_earlier: true, ..Self::read(&name, &name, &path)? })
        };
        paths.into_iter().map(read).collect()
    }

    /// The players beside the server.
    fn bundled() -> Vec<Self> {
        let beside = server().parent().and_then(|folder| fs::read_dir(folder).ok()).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = beside.map(|entry| entry.path()).collect();
        paths.sort();
        let read = |path: &PathBuf| {
            let name = path.file_stem().filter(|_| path.extension() == Some(OsStr::new("so")))?.to_string_lossy();
            let library = library(path).ok()?;
            Some(Self { name: format!("the bundled {name}"), library, is_bundled: true, ..Self::default() })
        };
        paths.iter().filter_map(read).collect()
    }

    fn add_folder(&mut self, top: &Path, below: &Path, depth: usize) -> anyhow::Result<()> {
        let folder = top.join(below);
        let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
            if kind.is_dir() && depth > 0 && entry.file_name() != FOREIGN && entry.file_name() != "target" {
                self.add_folder(top, &path, depth - 1)?;
            } else if kind.is_file() && is_source(&path) && entry.metadata()?.len() <= SOURCE_MAX {
                self.add(&path, &fs::read(top.join(&path))?);
            } else if kind.is_file() && path.extension() == Some(OsStr::new("so")) && self.library.is_empty() {
                self.library = library(&top.join(&path))?;
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, bytes: &[u8]) {
        let all: usize = self.sources.iter().map(|(_, text)| text.len()).sum();
        if all + bytes.len() > SOURCES_MAX {
            return;
        }
        self.sources.push((path.display().to_string(), String::from_utf8_lossy(bytes).into_owned()));
    }

    /// Returns the machine code, if the library is known.
    pub(super) fn code(&self) -> Option<Code> {
        code_of(&self.library)
    }
}

/// Reads a library; returns no bytes if the file is not one.
fn library(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let file = amazons_program::files::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    file.take(LIBRARY_MAX).read_to_end(&mut bytes).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(if bytes.starts_with(b"\x7fELF") { bytes } else { Vec::new() })
}

fn is_source(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ENDINGS.contains(&ending) && !path.iter().any(|part| part == FOREIGN)
}

/// The code that everyone was given: no one has copied that from another team.
#[derive(Clone, Debug, Default)]
pub struct Given {
    pub(super) texts: Vec<(String, String)>,
    codes: Vec<Code>,
    /// The players beside the server.
    pub(in crate::course) bundled: Vec<Work>,
}

impl Given {
    /// The templates of new players, and the players beside the server.
    pub fn ours() -> Self {
        let templates =
            [Template::C, Template::CWithGsl, Template::Rust, Template::Cpp, Template::Go, Template::Python];
        let files = templates.into_iter().flat_map(|template| template.files("name"));
        let files = files
            .filter(|(path, _)| path.extension().and_then(OsStr::to_str).is_some_and(|end| ENDINGS.contains(&end)));
        let texts = files.map(|(path, text)| (path.display().to_string(), text)).collect();
        let bundled = Work::bundled();
        Self { texts, codes: bundled.iter().filter_map(Work::code).collect(), bundled }
    }

    /// Adds what a teacher handed out.
    pub fn add(&mut self, work: Work) {
        self.codes.extend(work.code());
        self.texts.extend(work.sources);
    }

    /// Returns whether a work has something that was not given.
    pub(super) fn leaves(&self, work: &Work, text: &Text) -> bool {
        let is_code_given = work.code().is_some_and(|code| self.codes.contains(&code));
        !is_code_given && (work.sources.is_empty() || is_enough(text))
    }
}
