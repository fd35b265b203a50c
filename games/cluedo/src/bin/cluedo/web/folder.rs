//! Records in a folder, or a single one.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use amazons_program::{Exit, hex};
use cluedo::record::{Stories, Story};
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::input_file::{LineError, open_record};

/// Maximum number of files of a folder, bytes of a file to read, and bytes of all cached files.
const FILES_MAX: usize = 10_000;
const FILE_MAX: u64 = 32 << 20;
const KEPT_MAX: u64 = 128 << 20;

/// The longest age of a list of files.
const FRESH: Duration = Duration::from_millis(500);

/// Why a file cannot be read to its end.
#[derive(Debug, Error)]
pub(super) enum FileError {
    #[error("is larger than {} MiB", FILE_MAX >> 20)]
    TooLarge,
    #[error("{0}")]
    Open(Exit),
    #[error("line {0} {1}")]
    Line(usize, LineError),
}

#[derive(Debug)]
pub(super) struct Read {
    pub(super) games: Vec<Arc<Story>>,
    /// The error in it, after these games.
    pub(super) defect: Option<FileError>,
    stamp: (u64, Option<SystemTime>),
}

#[derive(Debug)]
pub(crate) struct Folder {
    path: PathBuf,
    is_file: bool,
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    looked: Option<Instant>,
    /// By the name in addresses.
    files: BTreeMap<String, PathBuf>,
    reads: BTreeMap<String, Arc<Read>>,
}

impl Folder {
    /// Names a folder of records, or a record.
    pub(crate) fn new(path: &Path) -> Result<Self, Exit> {
        let about =
            fs::metadata(path).map_err(|error| Exit::usage(format!("cannot read {}: {error}", path.display())))?;
        if !about.is_dir() && !about.is_file() {
            return Err(Exit::usage(format!("{} is neither a folder nor a file", path.display())));
        }
        Ok(Self { path: path.to_owned(), is_file: about.is_file(), kept: Mutex::default() })
    }

    /// Looks at the folder again if the list of its files is old.
    fn fresh(&self) -> MutexGuard<'_, Kept> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.looked.is_none_or(|looked| looked.elapsed() >= FRESH) {
            kept.files = self.look();
            kept.looked = Some(Instant::now());
            let Kept { files, reads, .. } = &mut *kept;
            reads.retain(|id, _| files.contains_key(id));
        }
        kept
    }

    /// Returns the names in addresses and of files, in order.
    pub(super) fn files(&self) -> Vec<(String, String)> {
        let name = |path: &PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut files: Vec<(String, String)> =
            self.fresh().files.iter().map(|(id, path)| (id.clone(), name(path))).collect();
        files.sort_by(|one, other| one.1.cmp(&other.1));
        files
    }

    fn look(&self) -> BTreeMap<String, PathBuf> {
        let id = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            hex(&Sha256::digest(name.as_encoded_bytes())[..8])
        };
        if self.is_file {
            return BTreeMap::from([(id(&self.path), self.path.clone())]);
        }
        // A folder that is gone is empty.
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        // Links may lead out of the folder, and reading a pipe would wait.
        let is_record = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            Path::new(&name).extension().is_some_and(|end| end == "jsonl")
                && entry.file_type().is_ok_and(|kind| kind.is_file())
        };
        let paths = entries.filter(is_record).map(|entry| entry.path()).take(FILES_MAX);
        paths.map(|path| (id(&path), path)).collect()
    }

    /// Returns a record by its name in addresses; reads it if it has changed.
    pub(super) fn read(&self, id: &str) -> Option<Arc<Read>> {
        let mut kept = self.fresh();
        let path = kept.files.get(id)?.clone();
        let stamp = fs::metadata(&path).map_or((0, None), |about| (about.len(), about.modified().ok()));
        if let Some(read) = kept.reads.get(id).filter(|read| read.stamp == stamp) {
            return Some(Arc::clone(read));
        }
        let read = Arc::new(read(&path, stamp));
        if kept.reads.values().map(|read| read.stamp.0).sum::<u64>() + stamp.0 > KEPT_MAX {
            kept.reads.clear();
        }
        kept.reads.insert(id.to_owned(), Arc::clone(&read));
        Some(read)
    }
}

fn read(path: &Path, stamp: (u64, Option<SystemTime>)) -> Read {
    let mut stories = Stories::default();
    let defect = follow(path, stamp.0, &mut stories).err();
    Read { games: stories.games.into_iter().map(Arc::new).collect(), defect, stamp }
}

fn follow(path: &Path, len: u64, stories: &mut Stories) -> Result<(), FileError> {
    if len > FILE_MAX {
        return Err(FileError::TooLarge);
    }
    open_record(path).map_err(FileError::Open)?.zip(1..).try_for_each(|(line, number)| {
        line.and_then(|line| Ok(stories.line(&line)?)).map_err(|wrong| FileError::Line(number, wrong))
    })
}
