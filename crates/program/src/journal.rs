//! Files of JSON lines that only grow, so that whatever happens, all whole lines are kept.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::files;

/// How long lines may wait for the disk: a crash of the whole machine can cost them, a crash of the program cannot.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// Longer than any valid line.
const MAX_LINE_LEN: u64 = 64 << 20;

/// The first line of a journal, an object; its field `journal` is the version of the format.
pub trait Header: Serialize + DeserializeOwned {
    /// Any other line.
    type Line: DeserializeOwned;

    /// The version that is read and written.
    const FORMAT: u32;

    /// The field by which the first line is known from those of other journals, whether it has it, and what to say of
    /// others.
    const KIND: Option<(&str, bool, &str)> = None;
}

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// It has no whole line.
    #[error("{}: line 1 is damaged (the first line, the plan, is missing): {ADVICE}", .0.display())]
    Empty(PathBuf),
    /// It is damaged, of another version, or of something else.
    #[error("{0}")]
    Refused(String),
}

/// The remedy for a damaged line.
const ADVICE: &str = "put back a copy of the journal, or remove the line";

impl JournalError {
    fn damaged(path: &Path, line: u64, reason: &serde_json::Error) -> Self {
        let reason = reason_of(reason);
        Self::Refused(format!("{}: line {line} is damaged ({reason}): {ADVICE}", path.display()))
    }
}

/// Returns why a line cannot be read, without its place in the line.
pub fn reason_of(error: &serde_json::Error) -> String {
    error.to_string().split(" at line ").next().unwrap_or_default().to_owned()
}

/// Writes a journal anew, whole or not at all: each line after the first as it is returned, and none where none is.
/// Nobody else may have it open. Fails when a line cannot be read, or the disk fails.
pub fn rewrite<L: DeserializeOwned + Serialize>(path: &Path, mut change: impl FnMut(L) -> Option<L>) -> io::Result<()> {
    let text = std::fs::read_to_string(path)?;
    let mut lines = text.split_inclusive('\n');
    let mut whole = lines.next().unwrap_or_default().to_owned();
    for line in lines {
        if let Some(line) = change(serde_json::from_str(line)?) {
            whole += &serde_json::to_string(&line)?;
            whole.push('\n');
        }
    }
    files::write_whole(path, whole.as_bytes())
}

/// A journal open for more lines: each is one write at the end of the file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    len: u64,
    synced: Instant,
}

impl Journal {
    /// Makes a new journal; there is a whole first line, or no journal. Fails when the folder cannot take it, or has
    /// one.
    pub fn create(path: &Path, header: &impl Header) -> Result<Self, JournalError> {
        let failed = |source| JournalError::Io { path: path.to_owned(), source };
        if path.exists() {
            return Err(failed(io::ErrorKind::AlreadyExists.into()));
        }
        let file = files::write_whole_with(path, |out| write_line(out, header)).map_err(failed)?;
        Self::at_end(path, file)
    }

    /// Goes on at the end of an open file.
    pub fn at_end(path: &Path, file: File) -> Result<Self, JournalError> {
        let path = path.to_owned();
        match file.metadata() {
            Ok(metadata) => Ok(Self { path, file, len: metadata.len(), synced: Instant::now() }),
            Err(source) => Err(JournalError::Io { path, source }),
        }
    }

    /// Opens a journal and reads it as [`read`] does; then a torn last line is dropped. Fails as [`read`], and when the
    /// file cannot be written; nothing has changed then.
    pub fn open<H: Header, E: From<JournalError>>(
        path: &Path,
        line: impl FnMut(u64, H::Line) -> Result<(), E>,
    ) -> Result<(Self, Read<H>), E> {
        let failed = |source| JournalError::Io { path: path.to_owned(), source };
        let read = read(path, line)?;
        let mut file = OpenOptions::new().append(true).open(path).map_err(failed)?;
        if read.torn > 0 {
            file.set_len(read.whole).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok((Self::at_end(path, file)?, read))
    }

    /// Replaces the first line; the file is there whole, with the old line or with the new one. Fails when the folder
    /// cannot take it; then nothing has changed.
    pub fn replace_header(&mut self, header: &impl Header) -> Result<(), JournalError> {
        let path = self.path.clone();
        let replaced = files::write_whole_with(&path, |out| {
            write_line(out, header)?;
            let mut source = BufReader::new(File::open(&path)?);
            source.skip_until(b'\n')?;
            io::copy(&mut source, out).map(drop)
        });
        *self = Self::at_end(&path, replaced.map_err(|source| self.failed(source))?)?;
        Ok(())
    }

    /// Adds a line with a single write, or nothing at all. Fails when it does not fit; what was written of it is taken
    /// back.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut bytes = Vec::new();
        write_line(&mut bytes, line).map_err(|error| self.failed(error))?;
        let written = loop {
            match self.file.write(&bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written,
            }
        };
        let source = match written {
            Ok(count) if count == bytes.len() => {
                self.len += bytes.len() as u64;
                return if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) };
            }
            Ok(_) => io::ErrorKind::StorageFull.into(),
            Err(error) => error,
        };
        // Taking back needs no room; should it fail all the same, the torn line is dropped when the journal is opened.
        let _ = self.file.set_len(self.len).and_then(|()| self.file.seek(SeekFrom::End(0)));
        Err(self.failed(source))
    }

    /// Waits until everything is on the disk.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        match self.file.sync_data() {
            // Pipes and devices keep nothing.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => Err(self.failed(error)),
            _ => Ok(()),
        }
    }

    /// Returns where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns how many bytes it has, as far as this process knows.
    pub const fn size(&self) -> u64 {
        self.len
    }

    /// Returns its file.
    pub const fn file(&self) -> &File {
        &self.file
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }
}

/// Writes a line of JSON with a single write.
pub fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

/// The result of reading a journal.
#[derive(Debug)]
pub struct Read<H> {
    /// Its first line.
    pub header: H,
    /// The bytes of whole lines.
    pub whole: u64,
    /// The bytes behind them.
    pub torn: u64,
}

/// Reads a journal and passes its whole lines to a function, one by one with their numbers, until it refuses one. The
/// header has number 1 and is not passed. Fails when the journal cannot be read or is damaged, and whatever the
/// function refuses.
pub fn read<H: Header, E: From<JournalError>>(
    path: &Path,
    mut line: impl FnMut(u64, H::Line) -> Result<(), E>,
) -> Result<Read<H>, E> {
    let mut lines = Lines::open(path)?;
    let header = lines.header()?;
    while let Some(next) = lines.next()? {
        line(lines.number, next)?;
    }
    Ok(Read { header, whole: lines.whole, torn: lines.torn })
}

/// Reads the first line of a journal.
pub fn read_header<H: Header>(path: &Path) -> Result<H, JournalError> {
    Lines::open(path)?.header()
}

/// The lines of a journal that is being read.
struct Lines<'a> {
    path: &'a Path,
    source: BufReader<File>,
    text: Vec<u8>,
    number: u64,
    whole: u64,
    torn: u64,
}

impl<'a> Lines<'a> {
    fn open(path: &'a Path) -> Result<Self, JournalError> {
        let file = files::open(path).map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
        Ok(Self { path, source: BufReader::new(file), text: Vec::new(), number: 0, whole: 0, torn: 0 })
    }

    /// Reads the next whole line, if there is one.
    fn next<L: DeserializeOwned>(&mut self) -> Result<Option<L>, JournalError> {
        let failed = |source| JournalError::Io { path: self.path.to_owned(), source };
        self.text.clear();
        let mut source = self.source.by_ref().take(MAX_LINE_LEN);
        let read = source.read_until(b'\n', &mut self.text).map_err(failed)? as u64;
        self.number += 1;
        if self.text.last() != Some(&b'\n') {
            if read == MAX_LINE_LEN {
                let (path, number) = (self.path.display(), self.number);
                return Err(JournalError::Refused(format!("{path}: line {number} is too long for a journal")));
            }
            self.torn = read;
            return Ok(None);
        }
        self.whole += read;
        let line = serde_json::from_slice(&self.text);
        line.map(Some).map_err(|error| JournalError::damaged(self.path, self.number, &error))
    }

    /// Reads and checks the first line.
    fn header<H: Header>(&mut self) -> Result<H, JournalError> {
        #[derive(Deserialize)]
        struct Version {
            journal: u64,
        }
        let line: Value = self.next()?.ok_or_else(|| JournalError::Empty(self.path.to_owned()))?;
        let refuse = |reason| Err(JournalError::Refused(format!("{}: {reason}", self.path.display())));
        if let Ok(Version { journal: found }) = Version::deserialize(&line) {
            if found != u64::from(H::FORMAT) {
                let known = H::FORMAT;
                return refuse(format!("journal format {found} is not known: this program reads format {known}"));
            }
            if let Some((field, is_there, otherwise)) = H::KIND
                && line.get(field).is_some() != is_there
            {
                return refuse(otherwise.to_owned());
            }
        }
        serde_json::from_slice(&self.text).map_err(|error| JournalError::damaged(self.path, 1, &error))
    }
}
