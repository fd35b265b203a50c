//! The works of teams, as they are compared.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use amazons_sandbox::LIBRARY_MAX;
use anyhow::Context;

use super::code::{Code, code_of};
use super::is_enough;
use super::text::{Text, is_program};
use crate::course::build::{each_file, is_left_out, listed};
use crate::files::ELF_MAGIC;
use crate::host::server;
use crate::new_player::Template;
use crate::text::visible;

/// The text of a work that is compared, in bytes; nobody writes more in a term.
const TEXT_MAX: u64 = 4 << 20;

/// The first bytes of a file show whether it is text.
const HEAD: u64 = 8 << 10;

/// Beside the sources of a crate that cargo has fetched.
const FETCHED: &str = ".cargo-checksum.json";

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
    /// Names and bytes of files that are not compared: no program, fetched crates, or more than is compared.
    pub left_out: Vec<(String, u64)>,
    /// The library; empty if unknown.
    pub library: Vec<u8>,
}

impl Work {
    /// Reads a team's upload: a folder, an archive or a library; anything else counts as a work without sources.
    pub fn read(name: &str, team: &str, handed_in: &Path) -> anyhow::Result<Self> {
        let mut work = Self { name: name.to_owned(), team: team.to_owned(), ..Self::default() };
        if !handed_in.is_dir() {
            work.library = library(handed_in)?;
        }
        let (mut sizes, mut fetched, mut libraries) = (Vec::new(), BTreeSet::new(), Vec::new());
        each_text(handed_in, &work.library, &mut |name, content| {
            let mut head = Vec::new();
            content.take(HEAD).read_to_end(&mut head)?;
            if name.file_name() == Some(OsStr::new(FETCHED)) {
                fetched.extend(name.parent().map(Path::to_owned));
            }
            if head.starts_with(&ELF_MAGIC) {
                libraries.push(name.to_owned());
            } else {
                let len = head.len() as u64 + io::copy(content, &mut io::sink())?;
                sizes.push((len, name.to_owned(), is_text(&head)));
            }
            Ok(())
        })?;
        if let Some(first) = libraries.iter().min().filter(|_| handed_in.is_dir()) {
            work.library = library(&handed_in.join(first))?;
        }
        // Whoever hides a file behind others needs many that are smaller.
        sizes.sort();
        let (mut sum, mut kept) = (0, BTreeSet::new());
        for (len, name, is_text) in sizes {
            let is_fetched = name.ancestors().any(|folder| fetched.contains(folder));
            if is_fetched || !is_text || sum + len > TEXT_MAX {
                work.left_out.push((name.display().to_string(), len));
            } else {
                sum += len;
                kept.insert(name);
            }
        }
        each_text(handed_in, &work.library, &mut |name, content| {
            let mut bytes = Vec::new();
            if kept.contains(name) {
                content.take(TEXT_MAX).read_to_end(&mut bytes)?;
                let (name, len) = (name.display().to_string(), bytes.len() as u64);
                let text = String::from_utf8_lossy(&bytes).into_owned();
                if is_program(&text) {
                    work.sources.push((name, text));
                } else {
                    work.left_out.push((name, len));
                }
            }
            Ok(())
        })?;
        work.sources.sort();
        Ok(work)
    }

    /// Returns a line that names the files that are not compared, if there are some.
    pub(in crate::course) fn omission(&self) -> Option<String> {
        let bytes: u64 = self.left_out.iter().map(|(_, len)| len).sum();
        let names: Vec<String> = self.left_out.iter().map(|(name, _)| visible(name)).collect();
        let compared: usize = self.sources.iter().map(|(_, text)| text.len()).sum();
        let all = (compared as u64 + bytes).div_ceil(1024);
        (!names.is_empty())
            .then(|| format!("{}: {} of {all} KiB are compared, not {}", self.name, compared / 1024, listed(names)))
    }

    /// Reads the works of an earlier year: each entry of a folder is one.
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
    Ok(if bytes.starts_with(&ELF_MAGIC) { bytes } else { Vec::new() })
}

/// Compilers pass over a few such signs.
fn is_text(head: &[u8]) -> bool {
    let strange = head.iter().filter(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace()).count();
    strange <= head.len() / 20
}

type Visit<'a> = &'a mut dyn FnMut(&Path, &mut dyn Read) -> io::Result<()>;

/// Visits the files of a folder or an archive; what is neither has none.
fn each_text(handed_in: &Path, library: &[u8], visit: Visit<'_>) -> anyhow::Result<()> {
    if handed_in.is_dir() {
        return each_below(handed_in, Path::new(""), DEPTH_MAX, visit);
    }
    if library.is_empty() {
        // As far as it can be read.
        let _ = each_file(handed_in, &mut |file| Ok(visit(&file.name, file.content).context("cannot read")?));
    }
    Ok(())
}

fn each_below(top: &Path, below: &Path, depth: usize, visit: Visit<'_>) -> anyhow::Result<()> {
    let folder = top.join(below);
    let cannot_read = || format!("cannot read {}", folder.display());
    for entry in fs::read_dir(&folder).with_context(cannot_read)? {
        let entry = entry.with_context(cannot_read)?;
        let (path, kind) = (below.join(entry.file_name()), entry.file_type()?);
        if kind.is_dir() && depth > 0 && !is_left_out(&path.join("debug")) {
            each_below(top, &path, depth - 1, visit)?;
        } else if kind.is_file() {
            visit(&path, &mut fs::File::open(top.join(&path))?).with_context(cannot_read)?;
        }
    }
    Ok(())
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
