//! One server at a time in the folder of an event, and how another one asks it to stop.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use amazons_program::files::remove;
use amazons_program::{Lock, LockError};

use super::error::EventError;

/// The file that the server of an event has locked.
pub const LOCK: &str = "lock";
/// Takes the place of the lock on file systems that have none.
pub const HELD: &str = "lock.held";
const STOP: &str = "stop";
const NOW: &[u8] = b"now\n";

/// The right to write in the folder of an event.
///
/// The locked file stays: removing it would let two processes hold locks on two files of one name.
#[derive(Debug)]
pub(super) struct FolderLock {
    folder: PathBuf,
    lock: Lock,
}

/// A request of another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRequest {
    /// Finish running games.
    Finish,
    /// Drop them.
    Now,
}

impl FolderLock {
    /// Takes the lock, unless another process has it.
    pub(super) fn take(folder: &Path) -> Result<Self, EventError> {
        let locked = |source| EventError::Locked { folder: folder.to_owned(), source };
        let failed = |error: io::Error| locked(LockError::Refused(error));
        let path = folder.join(LOCK);
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let holder = file.try_clone().map_err(failed)?;
        let lock = Lock::take(file, &folder.join(HELD)).map_err(|error| match error {
            LockError::Taken => EventError::Held { folder: folder.to_owned(), holder: process_of(holder) },
            error => locked(error),
        })?;
        // The holder's number is for people; without room on the disk it is missing.
        let mut file = lock.file();
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        // Drops a request to an earlier server, which would stop this one.
        remove(&folder.join(STOP)).map_err(failed)?;
        Ok(Self { folder: folder.to_owned(), lock })
    }

    /// Returns a line about a weaker lock, if it is one.
    pub(super) fn warning(&self) -> Option<String> {
        let (folder, held) = (self.folder.display(), self.lock.stand_in()?.display());
        Some(format!(
            "{folder}: its file system has no locks (flock): {held} keeps other servers out; if this one is killed, \
             remove that file"
        ))
    }

    /// Returns the request to stop, if there is one.
    pub(super) fn stop_request(&self) -> Option<StopRequest> {
        let request = fs::read(self.folder.join(STOP)).ok()?;
        Some(if request == NOW { StopRequest::Now } else { StopRequest::Finish })
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // The request was met. Should it stay, the next server drops it.
        let _ = fs::remove_file(self.folder.join(STOP));
    }
}

fn process_of(mut file: File) -> String {
    let mut text = String::new();
    match file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse::<u32>().ok()) {
        Some(process) => format!("process {process}"),
        None => "another server".to_owned(),
    }
}

/// Returns whether a server works in a folder.
pub fn is_held(folder: &Path) -> io::Result<bool> {
    let file = match File::open(folder.join(LOCK)) {
        Ok(file) => file,
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    Lock::is_taken(&file, || folder.join(HELD).try_exists())
}

/// Asks the server that works in a folder to stop.
pub fn ask_to_stop(folder: &Path, request: StopRequest) -> io::Result<()> {
    let text: &[u8] = match request {
        StopRequest::Finish => b"finish\n",
        StopRequest::Now => NOW,
    };
    fs::write(folder.join(STOP), text)
}
