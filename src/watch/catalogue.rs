use std::collections::HashMap;
use std::ffi::OsString;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::folder::{Folder, Stamp};
use super::summary::Summary;
use crate::referee::to_hex;
use crate::text::printable;

/// How old a list may be that is shown again.
const FRESH: Duration = Duration::from_secs(1);

/// The most threads that look at files, and the fewest files for which there is another one.
const THREADS_MAX: usize = 4;
const SHARE_MIN: usize = 500;

/// The number of a folder, and the name of a file in it.
type Key = (usize, OsString);

/// The records of some folders, as they were a moment ago.
#[derive(Debug)]
pub struct Catalogue {
    folders: Vec<Arc<Folder>>,
    seen: Mutex<Option<(Instant, Arc<Listing>)>>,
}

/// All records, in no order.
#[derive(Debug, Default)]
pub struct Listing {
    /// The records.
    pub entries: Vec<Arc<Entry>>,
    by_name: HashMap<Key, Arc<Entry>>,
}

/// A record in a list.
#[derive(Debug)]
pub struct Entry {
    /// Its name in addresses.
    pub id: String,
    pub(super) folder: Arc<Folder>,
    pub(super) file: OsString,
    /// The state of the file when it was read.
    pub(super) stamp: Option<Stamp>,
    /// Its summary, or what is wrong with it.
    pub(super) summary: Result<Summary, String>,
}

/// How far a game has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It is being played.
    Live,
    /// Its record has an end.
    Over,
    /// Its record has none, and nothing has happened for long.
    CutOff,
    /// Its file is no record.
    Broken,
}

impl Catalogue {
    /// Lists the records of these folders when asked.
    #[must_use]
    pub fn new(folders: Vec<Folder>) -> Self {
        Self { folders: folders.into_iter().map(Arc::new).collect(), seen: Mutex::new(None) }
    }

    pub(super) fn folders(&self) -> &[Arc<Folder>] {
        &self.folders
    }

    /// Returns the records; reads only what is new or has changed. May take long: not for a thread that must not wait.
    #[must_use]
    pub fn listing(&self) -> Arc<Listing> {
        // Requests that come during a scan wait for its list.
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let (read, before) = seen.take().unzip();
        let before = before.unwrap_or_default();
        if let Some(read) = read.filter(|read| read.elapsed() < FRESH) {
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
            // A folder that has gone is as good as an empty one.
            keys.extend(folder.names().unwrap_or_default().into_iter().map(|file| (number, file)));
        }
        let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX);
        let share = keys.len().div_ceil(threads).max(SHARE_MIN);
        let look_at = |keys: &[Key]| keys.iter().filter_map(|key| self.look(key, before)).collect::<Vec<_>>();
        let entries: Vec<Arc<Entry>> = thread::scope(|scope| {
            let shares: Vec<_> = keys.chunks(share).map(|keys| scope.spawn(move || look_at(keys))).collect();
            let join = |share: ScopedJoinHandle<'_, _>| share.join().unwrap_or_else(|panic| resume_unwind(panic));
            shares.into_iter().flat_map(join).collect()
        });
        Listing { by_name: keys.into_iter().zip(entries.iter().cloned()).collect(), entries }
    }

    /// Returns a record as it is now; reads it only when its file has changed.
    fn look(&self, key: &Key, before: &Listing) -> Option<Arc<Entry>> {
        let (number, file) = key;
        let folder = self.folders.get(*number)?;
        let known = before.by_name.get(key).filter(|entry| {
            let stamp = entry.stamp.as_ref().and_then(|_| folder.stamp(file).ok());
            stamp.is_some() && stamp == entry.stamp
        });
        Some(known.cloned().unwrap_or_else(|| Arc::new(Entry::named(id_of(*number, file), folder, file))))
    }
}

impl Listing {
    pub(super) fn find(&self, id: &str) -> Option<&Arc<Entry>> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}

impl Entry {
    /// Reads a record that has this name in addresses.
    pub(super) fn named(id: String, folder: &Arc<Folder>, file: &OsString) -> Self {
        let (stamp, summary) = match folder.read(file.as_ref()) {
            Ok((opened, stamp)) => (Some(stamp), Summary::read(&opened, stamp)),
            Err(error) => (None, Err(error.to_string())),
        };
        Self { id, folder: Arc::clone(folder), file: file.clone(), stamp, summary }
    }

    /// Returns the name of the file, as far as it can be shown.
    #[must_use]
    pub fn name(&self) -> String {
        printable(self.file.as_encoded_bytes())
    }

    /// Returns when it was written, in seconds of the epoch.
    pub(super) fn modified(&self) -> i64 {
        self.stamp.map_or(0, |stamp| stamp.modified.0)
    }

    /// Returns how long ago it was written.
    pub(super) fn age(&self) -> Duration {
        let Some(stamp) = self.stamp else { return Duration::MAX };
        let (seconds, nanos) = stamp.modified;
        let since = Duration::new(u64::try_from(seconds).unwrap_or(0), u32::try_from(nanos).unwrap_or(0));
        // A clock that was put back makes it new.
        SystemTime::now().duration_since(UNIX_EPOCH + since).unwrap_or_default()
    }

    /// Returns how far its game has come.
    #[must_use]
    pub fn state(&self) -> State {
        match &self.summary {
            Err(_) => State::Broken,
            Ok(summary) if summary.is_over => State::Over,
            Ok(summary) if self.age() <= summary.patience => State::Live,
            Ok(_) => State::CutOff,
        }
    }
}

/// Names a record, the same way each time, so that a link keeps its meaning.
fn id_of(folder: usize, file: &OsString) -> String {
    let mut hasher = Sha256::new();
    hasher.update(folder.to_le_bytes());
    hasher.update(file.as_encoded_bytes());
    to_hex(hasher.finalize().get(..8).unwrap_or_default())
}
