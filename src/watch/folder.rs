use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, fstat, open, openat, openat2, statat};
use rustix::io::Errno;

use super::analyses::ANNOTATED;
use crate::text::printable;
use crate::tournament::JOURNAL;

/// Maximum number of files of a folder to list.
const FILES_MAX: usize = 100_000;

/// How to open a file: without blocking on a pipe that has no writer.
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

/// A folder whose files can be read, and nothing outside it.
#[derive(Debug)]
pub struct Folder {
    dir: OwnedFd,
    /// Its path, without links.
    pub(super) path: PathBuf,
    /// The only file to read; `None` for all files named like records.
    only: Option<OsString>,
    /// A name for people in place of its own.
    called: Option<String>,
}

/// A value that changes whenever a file does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) size: u64,
    /// Its modification time: seconds of the epoch, and nanoseconds.
    pub(super) modified: (i64, i64),
    pub(super) inode: u64,
}

impl Folder {
    /// Opens a folder, or the folder of a file, which is then the only one that can be read.
    pub fn new(path: &Path) -> io::Result<Self> {
        let found = path.canonicalize()?;
        if found.is_dir() {
            return Self::open(found, None);
        }
        if !found.is_file() {
            return Err(io::Error::other("it is neither a file nor a folder"));
        }
        match (found.parent(), found.file_name()) {
            (Some(folder), Some(name)) => Self::open(folder.to_owned(), Some(name.to_owned())),
            _ => Err(io::Error::other("it has no folder")),
        }
    }

    fn open(path: PathBuf, only: Option<OsString>) -> io::Result<Self> {
        let dir = open(&path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
        Ok(Self { dir, path, only, called: None })
    }

    /// Gives it another name for people.
    #[must_use]
    pub fn called(self, name: &str) -> Self {
        Self { called: Some(name.to_owned()), ..self }
    }

    /// Returns whether the whole folder may be read, rather than a single file.
    pub(super) const fn is_whole(&self) -> bool {
        self.only.is_none()
    }

    /// Returns the folder's name in printable form.
    pub(super) fn title(&self) -> String {
        if let Some(name) = &self.called {
            return name.clone();
        }
        self.path.file_name().map_or_else(String::new, |name| printable(name.as_encoded_bytes()))
    }

    /// Lists the names of its records, without subfolders and without the journal of an event.
    pub(super) fn names(&self) -> io::Result<Vec<OsString>> {
        if let Some(name) = &self.only {
            return Ok(vec![name.clone()]);
        }
        let mut names = Vec::new();
        for entry in Dir::read_from(&self.dir)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            let is_record = name.ends_with(b".jsonl")
                && !name.starts_with(b".")
                && name != JOURNAL.as_bytes()
                && !name.ends_with(ANNOTATED.as_bytes());
            if is_record && entry.file_type() != FileType::Directory {
                names.push(OsStr::from_bytes(name).to_owned());
            }
            if names.len() == FILES_MAX {
                break;
            }
        }
        Ok(names)
    }

    /// Returns the state of a regular file in the folder.
    pub(super) fn stamp(&self, name: &OsStr) -> io::Result<Stamp> {
        let found = statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        match FileType::from_raw_mode(found.st_mode) {
            FileType::RegularFile => Ok(Stamp::new(&found)),
            FileType::Symlink => self.read(Path::new(name)).map(|(_, stamp)| stamp),
            _ => Err(irregular()),
        }
    }

    /// Opens a regular file of the folder by its relative path, which must not lead out of it.
    pub(super) fn read(&self, path: &Path) -> io::Result<(File, Stamp)> {
        let inside = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let opened = match openat2(&self.dir, path, READ, Mode::empty(), inside) {
            // Linux before 5.6, or a filter that does not know the call.
            Err(Errno::NOSYS | Errno::PERM) if is_plain_name(path) => {
                openat(&self.dir, path, READ | OFlags::NOFOLLOW, Mode::empty())
            }
            opened => opened,
        };
        let file = opened.map_err(|error| match error {
            Errno::XDEV | Errno::LOOP => io::Error::other("it is a link that leads out of the folder"),
            other => other.into(),
        })?;
        let found = fstat(&file)?;
        if FileType::from_raw_mode(found.st_mode) != FileType::RegularFile {
            return Err(irregular());
        }
        Ok((File::from(file), Stamp::new(&found)))
    }

    /// Opens a record's log if it is in this folder: by its path from the current folder, or, for records moved
    /// together with their logs, by the end of that path. Only files named like logs count.
    pub(super) fn read_log(&self, path: &Path) -> Option<(File, Stamp)> {
        if path.extension() != Some(OsStr::new("log")) {
            return None;
        }
        let whole = std::path::absolute(path).ok()?;
        let inside = whole.strip_prefix(&self.path).ok().map(Path::to_owned);
        let parts: Vec<Component<'_>> = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
        // A file name alone would match many logs.
        let shortest = parts.len().min(2);
        let ends = (0..=parts.len() - shortest).map(|from| parts.iter().skip(from).collect::<PathBuf>());
        inside.into_iter().chain(ends).find_map(|path| self.read(&path).ok())
    }
}

impl Stamp {
    fn new(found: &rustix::fs::Stat) -> Self {
        Self {
            size: u64::try_from(found.st_size).unwrap_or(0),
            modified: (found.st_mtime, i64::try_from(found.st_mtime_nsec).unwrap_or(0)),
            inode: found.st_ino,
        }
    }
}

fn irregular() -> io::Error {
    io::Error::other("it is not a regular file")
}

fn is_plain_name(path: &Path) -> bool {
    matches!(path.components().collect::<Vec<_>>()[..], [Component::Normal(_)])
}
