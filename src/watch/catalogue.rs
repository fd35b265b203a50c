use std::collections::HashMap;
use std::ffi::OsString;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use sha2::{Digest, Sha256};

use super::folder::{Folder, Stamp};
use super::summary::Summary;
use crate::referee::to_hex;
use crate::text::printable;

/// How old a list may be that is shown again.
const FRESH: Duration = Duration::from_secs(1);

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
    by_name: HashMap<(usize, OsString), Arc<Entry>>,
}

/// A record in a list.
#[derive(Debug)]
pub struct Entry {
    /// What it is called in addresses; tells nothing but that it is the same as before.
    pub id: String,
    /// The folder that it is in.
    pub folder: Arc<Folder>,
    /// The name of its file.
    pub file: OsString,
    /// What it was when it was read.
    pub stamp: Option<Stamp>,
    /// What it tells, or what is wrong with it.
    pub summary: Result<Summary, String>,
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

    /// Returns the folders.
    #[must_use]
    pub fn folders(&self) -> &[Arc<Folder>] {
        &self.folders
    }

    /// Returns the records; reads only what is new or has changed. May take long: not for a thread that must not wait.
    #[must_use]
    pub fn listing(&self) -> Arc<Listing> {
        // Who comes while somebody reads waits for the same list.
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
        let mut listing = Listing::default();
        for (number, folder) in self.folders.iter().enumerate() {
            // A folder that has gone is as good as an empty one.
            for file in folder.names().unwrap_or_default() {
                let key = (number, file);
                let stamp = folder.stamp(&key.1);
                let known = before.by_name.get(&key).filter(|entry| stamp.as_ref().ok() == entry.stamp.as_ref());
                let entry = match (known, stamp) {
                    (Some(entry), Ok(_)) => Arc::clone(entry),
                    (_, stamp) => Arc::new(Entry::read(number, folder, &key.1, stamp)),
                };
                listing.entries.push(Arc::clone(&entry));
                listing.by_name.insert(key, entry);
            }
        }
        listing
    }
}

impl Listing {
    /// Finds a record.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Arc<Entry>> {
        self.entries.iter().find(|entry| entry.id == id)
    }
}

impl Entry {
    fn read(number: usize, folder: &Arc<Folder>, file: &OsString, stamp: std::io::Result<Stamp>) -> Self {
        let summary = match &stamp {
            Ok(_) => Summary::read(folder, file),
            Err(error) => Err(error.to_string()),
        };
        let id = id_of(number, file);
        Self { id, folder: Arc::clone(folder), file: file.clone(), stamp: stamp.ok(), summary }
    }

    /// Returns the name of the file, as far as it can be shown.
    #[must_use]
    pub fn name(&self) -> String {
        printable(self.file.as_encoded_bytes())
    }

    /// Returns when it was written, in seconds of the epoch.
    #[must_use]
    pub fn modified(&self) -> i64 {
        self.stamp.map_or(0, |stamp| stamp.modified.0)
    }

    /// Returns how long ago it was written.
    #[must_use]
    pub fn age(&self) -> Duration {
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
