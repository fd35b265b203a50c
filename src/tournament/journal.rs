use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::files;
use crate::tournament::plan::Plan;
use crate::tournament::results::GameLine;

/// The name of a journal in the folder of an event.
pub const JOURNAL: &str = "journal.jsonl";

/// The version of the format.
pub(super) const JOURNAL_FORMAT: u32 = 3;

/// The time that lines may wait for the disk: a crash of the whole machine can cost them, a crash of the server cannot.
const SYNC_EVERY: Duration = Duration::from_secs(1);

/// The first line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format.
    pub journal: u32,
    /// The program that made the journal, with its version.
    pub program: String,
    /// The event.
    pub plan: Plan,
}

/// The first line of a journal; it tells those of events and of ladders apart.
pub trait FirstLine: Serialize + DeserializeOwned {
    /// Any other line.
    type Line: DeserializeOwned;

    /// Whether it begins the journal of a ladder.
    const IS_LADDER: bool;
}

impl FirstLine for Header {
    type Line = Line;

    const IS_LADDER: bool = false;
}

/// A line after the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Line {
    /// A server began or went on.
    Run(RunLine),
    /// A game is finished.
    Game(GameLine),
}

/// The server that plays the games that follow; nothing depends on it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunLine {
    /// Seconds since 1970.
    pub at: u64,
    /// The name of the machine.
    pub host: String,
    /// The number of games at a time.
    pub concurrency: usize,
    /// The number of its physical cores.
    pub cores: usize,
    /// The program, with its version.
    pub program: String,
}

/// The reason why a journal cannot be used.
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
    /// It is damaged, of another version, or of something else.
    #[error("{0}")]
    Refused(String),
}

impl JournalError {
    fn damaged(path: &Path, line: u64, reason: &dyn Display) -> Self {
        let advice = "put back a copy of the journal, or remove the line";
        let reason = reason.to_string();
        let reason = reason.split(" at line ").next().unwrap_or_default();
        Self::Refused(format!("{}: line {line} is damaged ({reason}): {advice}", path.display()))
    }
}

/// The journal of an event or of a ladder, open for more lines: each is one write at the end of the file.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    len: u64,
    synced: Instant,
}

impl Journal {
    /// Makes the journal of a new event; there is a whole first line, or no journal.
    ///
    /// # Errors
    /// When the folder cannot take it, or has one.
    pub fn create(folder: &Path, header: &impl FirstLine) -> Result<Self, JournalError> {
        let path = folder.join(JOURNAL);
        let failed = |source| JournalError::Io { path: path.clone(), source };
        let mut bytes = serde_json::to_vec(header).map_err(|error| failed(error.into()))?;
        bytes.push(b'\n');
        if path.exists() {
            return Err(failed(io::ErrorKind::AlreadyExists.into()));
        }
        write_whole(&path, &bytes).map_err(failed)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        Ok(Self { len: bytes.len() as u64, file, synced: Instant::now(), path })
    }

    /// Opens a journal and passes its lines to a function, one by one; a torn last line is dropped.
    ///
    /// # Errors
    /// When it cannot be read or a line is damaged.
    pub fn open<H: FirstLine>(folder: &Path, line: impl FnMut(H::Line)) -> Result<(Self, Read<H>), JournalError> {
        let path = folder.join(JOURNAL);
        let failed = |source| JournalError::Io { path: path.clone(), source };
        let read = read(folder, line)?;
        let mut file = OpenOptions::new().append(true).open(&path).map_err(failed)?;
        if read.torn > 0 {
            file.set_len(read.whole).map_err(failed)?;
            file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok((Self { len: read.whole, file, synced: Instant::now(), path }, read))
    }

    /// Replaces the first line; the file is there whole, with the old line or with the new one.
    ///
    /// # Errors
    /// When the folder cannot take it; then nothing has changed.
    pub(super) fn replace_header(&mut self, header: &impl FirstLine) -> Result<(), JournalError> {
        let path = self.path.clone();
        let replaced = write_whole_with(&path, |out| {
            serde_json::to_writer(&mut *out, header)?;
            out.write_all(b"\n")?;
            let mut source = BufReader::new(File::open(&path)?);
            source.skip_until(b'\n')?;
            io::copy(&mut source, out).map(drop)
        });
        let reopened = replaced.and_then(|()| {
            self.file = OpenOptions::new().append(true).open(&path)?;
            self.len = self.file.metadata()?.len();
            Ok(())
        });
        reopened.map_err(|source| self.failed(source))
    }

    /// Adds a line with a single write, or nothing at all.
    ///
    /// # Errors
    /// When it does not fit; what was written of it is taken back.
    pub fn append(&mut self, line: &impl Serialize) -> Result<(), JournalError> {
        let mut bytes = serde_json::to_vec(line).map_err(|error| self.failed(error.into()))?;
        bytes.push(b'\n');
        let written = loop {
            match self.file.write(&bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                written => break written,
            }
        };
        let source = match written {
            Ok(count) if count == bytes.len() => {
                self.len += bytes.len() as u64;
                return self.sync_sometimes();
            }
            Ok(_) => io::ErrorKind::StorageFull.into(),
            Err(error) => error,
        };
        // Taking back needs no room; should it fail all the same, the torn line is dropped when the event goes on.
        let _ = self.file.set_len(self.len);
        Err(self.failed(source))
    }

    fn sync_sometimes(&mut self) -> Result<(), JournalError> {
        if self.synced.elapsed() >= SYNC_EVERY { self.sync() } else { Ok(()) }
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        self.synced = Instant::now();
        self.file.sync_data().map_err(|source| self.failed(source))
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }
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

/// Reads a journal and passes its whole lines to a function, one by one.
///
/// # Errors
/// When it cannot be read or a line is damaged.
pub fn read<H: FirstLine>(folder: &Path, mut line: impl FnMut(H::Line)) -> Result<Read<H>, JournalError> {
    let path = folder.join(JOURNAL);
    let failed = |source| JournalError::Io { path: path.clone(), source };
    let (header, mut source, mut whole) = begin(&path)?;
    let (mut text, mut number) = (Vec::new(), 1);
    loop {
        text.clear();
        let read = source.read_until(b'\n', &mut text).map_err(failed)? as u64;
        number += 1;
        if text.last() != Some(&b'\n') {
            return Ok(Read { header, whole, torn: read });
        }
        whole += read;
        let damaged = |error: serde_json::Error| JournalError::damaged(&path, number, &error);
        line(serde_json::from_slice(&text).map_err(damaged)?);
    }
}

/// Reads the first line of a journal.
///
/// # Errors
/// When it cannot be read or is damaged.
pub fn read_header<H: FirstLine>(folder: &Path) -> Result<H, JournalError> {
    Ok(begin(&folder.join(JOURNAL))?.0)
}

/// Opens a journal and reads its first line, whose length is returned too.
fn begin<H: FirstLine>(path: &Path) -> Result<(H, BufReader<File>, u64), JournalError> {
    let failed = |source| JournalError::Io { path: path.to_owned(), source };
    let (mut source, mut text) = (BufReader::new(files::open(path).map_err(failed)?), Vec::new());
    let read = source.read_until(b'\n', &mut text).map_err(failed)? as u64;
    if text.last() != Some(&b'\n') {
        return Err(JournalError::damaged(path, 1, &"the first line, the plan, is missing"));
    }
    Ok((first_line(path, &text)?, source, read))
}

fn first_line<H: FirstLine>(path: &Path, text: &[u8]) -> Result<H, JournalError> {
    #[derive(Deserialize)]
    struct Version {
        journal: u64,
        ladder: Option<IgnoredAny>,
    }
    if let Ok(Version { journal: found, ladder }) = serde_json::from_slice(text) {
        let refuse = |reason| Err(JournalError::Refused(format!("{}: {reason}", path.display())));
        if found != u64::from(JOURNAL_FORMAT) {
            return refuse(format!("journal format {found} is not known: this server reads format {JOURNAL_FORMAT}"));
        }
        if ladder.is_some() != H::IS_LADDER {
            let found = if H::IS_LADDER {
                "a tournament: use another folder"
            } else {
                "a ladder: use 'server ladder status', or another folder"
            };
            return refuse(format!("this is the journal of {found}"));
        }
    }
    serde_json::from_slice(text).map_err(|error| JournalError::damaged(path, 1, &error))
}

/// Writes a file so that it is there whole or not at all: under a temporary name first.
///
/// # Errors
/// When the folder cannot take it; then nothing is left.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_whole_with(path, |out| out.write_all(bytes))
}

/// Writes a file likewise, with a function that writes it bit by bit.
///
/// # Errors
/// When the folder cannot take it; then nothing is left.
pub(super) fn write_whole_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = path.with_file_name(name);
    let written = File::create(&temporary).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        // A crash of the whole machine must not leave the name of a file without what is in it.
        out.into_inner().map_err(io::IntoInnerError::into_error)?.sync_data()
    });
    let renamed = written.and_then(|()| fs::rename(&temporary, path));
    if renamed.is_err() {
        // Nothing more can be done about it than to leave no half of it.
        let _ = fs::remove_file(&temporary);
    }
    renamed
}
