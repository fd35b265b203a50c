use std::collections::HashMap;
use std::ffi::OsString;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use sha2::{Digest, Sha256};
use ts_rs::TS;

use super::folder::{Folder, Stamp};
use super::summary::{Summary, SummaryError};
use crate::text::printable;
use amazons_program::{hex, locked};

/// The longest age of a reused list, unless another one is set.
const FRESH: Duration = Duration::from_secs(1);

/// Maximum number of threads for reading files, and the minimum number of files for an additional one.
const THREADS_MAX: usize = 4;
const SHARE_MIN: usize = 500;

/// A folder's number, and the name of a file in it.
type Key = (usize, OsString);

/// The records of some folders, cached for a moment.
#[derive(Debug)]
pub struct Catalogue {
    pub(super) folders: Vec<Arc<Folder>>,
    fresh: Duration,
    seen: Mutex<Option<(Instant, Arc<Listing>)>>,
}

/// All records, in no particular order.
#[derive(Debug, Default)]
pub struct Listing {
    pub entries: Vec<Arc<RecordEntry>>,
    by_name: HashMap<Key, Arc<RecordEntry>>,
}

/// A record in a list.
#[derive(Debug)]
pub struct RecordEntry {
    /// Its name in addresses.
    pub id: String,
    pub(super) folder: Arc<Folder>,
    pub(super) file: OsString,
    /// The state of the file when read.
    pub(super) stamp: Option<Stamp>,
    pub(super) summary: Result<Summary, SummaryError>,
}

/// The progress of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum GameStatus {
    /// It is being played.
    Live,
    /// Its record has an end.
    Over,
    /// Its record has no end, and has not changed for long.
    CutOff,
    /// Its file is not a record.
    Broken,
}

impl Catalogue {
    /// Lists the records of these folders on request.
    pub fn new(folders: Vec<Folder>) -> Self {
        Self { folders: folders.into_iter().map(Arc::new).collect(), fresh: FRESH, seen: Mutex::new(None) }
    }

    /// Sets how old a list may be that is used again.
    #[must_use]
    pub fn with_fresh(self, fresh: Duration) -> Self {
        Self { fresh, ..self }
    }

    /// Returns the records, reading only what is new or changed. May block for long.
    pub fn listing(&self) -> Arc<Listing> {
        // Requests during a scan wait for its list.
        let mut seen = locked(&self.seen);
        let (read, before) = seen.take().unzip();
        let before = before.unwrap_or_default();
        if let Some(read) = read.filter(|read| read.elapsed() < self.fresh) {
            *seen = Some((read, Arc::clone(&before)));
            return before;
        }
        let listing = Arc::new(self.scan(&before));
        *seen = Some((Instant::now(), Arc::clone(&listing)));
        listing
    }

    fn scan(&self, before: &Listing) -> Listing {
        let mut keys = Vec::new();
        for (number, folder) in self.folders.iter().enumerate() {
            // A missing folder counts as empty.
            keys.extend(folder.names().unwrap_or_default().into_iter().map(|file| (number, file)));
        }
        let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
        let share = keys.len().div_ceil(threads).max(SHARE_MIN);
        let look_at = |keys: &[Key]| keys.iter().filter_map(|key| self.look(key, before)).collect::<Vec<_>>();
        let entries: Vec<Arc<RecordEntry>> = thread::scope(|scope| {
            let shares: Vec<_> = keys.chunks(share).map(|keys| scope.spawn(move || look_at(keys))).collect();
            let join = |share: ScopedJoinHandle<'_, _>| share.join().unwrap_or_else(|panic| resume_unwind(panic));
            shares.into_iter().flat_map(join).collect()
        });
        Listing { by_name: keys.into_iter().zip(entries.iter().cloned()).collect(), entries }
    }

    /// Returns a record's current state, reading it only if its file has changed.
    fn look(&self, key: &Key, before: &Listing) -> Option<Arc<RecordEntry>> {
        let (number, file) = key;
        let folder = self.folders.get(*number)?;
        let known = before.by_name.get(key).filter(|entry| {
            let stamp = entry.stamp.as_ref().and_then(|_| folder.stamp(file).ok());
            stamp.is_some() && stamp == entry.stamp
        });
        Some(known.cloned().unwrap_or_else(|| Arc::new(RecordEntry::named(id_of(*number, file), folder, file))))
    }
}

impl Listing {
    pub(super) fn find(&self, id: &str) -> Option<&Arc<RecordEntry>> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}

impl RecordEntry {
    /// Reads the record with this name in URLs.
    pub(super) fn named(id: String, folder: &Arc<Folder>, file: &OsString) -> Self {
        let (stamp, summary) = match folder.read(file.as_ref()) {
            Ok((opened, stamp)) => (Some(stamp), Summary::read(&opened, stamp)),
            Err(error) => (None, Err(error.into())),
        };
        Self { id, folder: Arc::clone(folder), file: file.clone(), stamp, summary }
    }

    /// Returns the file's name in printable form.
    pub fn name(&self) -> String {
        printable(self.file.as_encoded_bytes())
    }

    /// Returns its modification time in seconds of the epoch.
    pub(super) fn modified(&self) -> i64 {
        self.stamp.map_or(0, |stamp| stamp.modified.0)
    }

    /// Returns its age: the distance of its time from now. Only another clock can have written a time in the future.
    pub(super) fn age(&self) -> Duration {
        let Some(stamp) = self.stamp else { return Duration::MAX };
        let (seconds, nanos) = stamp.modified;
        let since = Duration::new(u64::try_from(seconds).unwrap_or(0), u32::try_from(nanos).unwrap_or(0));
        SystemTime::now().duration_since(UNIX_EPOCH + since).unwrap_or_else(|ahead| ahead.duration())
    }

    /// Returns the progress of its game.
    pub fn state(&self) -> GameStatus {
        match &self.summary {
            Err(_) => GameStatus::Broken,
            Ok(summary) if summary.is_over => GameStatus::Over,
            Ok(summary) if self.age() <= summary.patience => GameStatus::Live,
            Ok(_) => GameStatus::CutOff,
        }
    }
}

/// Returns a record's permanent name, so that links keep their meaning.
fn id_of(folder: usize, file: &OsString) -> String {
    let mut hasher = Sha256::new();
    hasher.update(folder.to_le_bytes());
    hasher.update(file.as_encoded_bytes());
    hex(hasher.finalize().get(..8).unwrap_or_default())
}
