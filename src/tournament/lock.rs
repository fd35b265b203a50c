//! One server at a time in the folder of an event, and how another one asks it to stop.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use thiserror::Error;

const LOCK: &str = "lock";
const STOP: &str = "stop";
const NOW: &[u8] = b"now\n";

/// The right to write in the folder of an event; given back when it is dropped, or when this process ends.
///
/// The kernel's lock on a file is the right. The file stays: removing it would let two processes hold locks on two files of
/// one name.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    _file: File,
}

/// Why there is no lock.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another server works there.
    #[error("{folder}: {holder} works on this event: wait for it, or stop it with 'server tournament stop'", folder = .folder.display())]
    Held {
        /// The folder.
        folder: PathBuf,
        /// The other process.
        holder: String,
    },
    /// The folder cannot take it.
    #[error("{folder}: cannot lock the event: {source}", folder = .folder.display())]
    Io {
        /// The folder.
        folder: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// What another process asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRequest {
    /// Finish running games.
    Finish,
    /// Drop them.
    Now,
}

impl Lock {
    /// Takes the lock.
    ///
    /// # Errors
    /// When somebody has it, or the folder cannot take it.
    pub fn take(folder: &Path) -> Result<Self, LockError> {
        let failed = |source| LockError::Io { folder: folder.to_owned(), source };
        let path = folder.join(LOCK);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                return Err(LockError::Held { folder: folder.to_owned(), holder: holder(&mut file) });
            }
            Err(errno) => return Err(failed(errno.into())),
        }
        // Who holds it is for people to read; without room on the disk it stays unsaid.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        // What an earlier server was asked for is not for us.
        let _ = fs::remove_file(folder.join(STOP));
        Ok(Self { folder: folder.to_owned(), _file: file })
    }

    /// Returns whether somebody asks us to stop.
    #[must_use]
    pub fn stop_request(&self) -> Option<StopRequest> {
        let request = fs::read(self.folder.join(STOP)).ok()?;
        Some(if request == NOW { StopRequest::Now } else { StopRequest::Finish })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // It was heard.
        let _ = fs::remove_file(self.folder.join(STOP));
    }
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    match file.read_to_string(&mut text).ok().and_then(|_| text.trim().parse::<u32>().ok()) {
        Some(process) => format!("process {process}"),
        None => "another server".to_owned(),
    }
}

/// Returns whether a server works in a folder.
///
/// # Errors
/// When the folder has no lock that can be looked at.
pub fn is_held(folder: &Path) -> io::Result<bool> {
    let file = match File::open(folder.join(LOCK)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    match flock(&file, FlockOperation::NonBlockingLockShared) {
        Ok(()) => Ok(false),
        Err(Errno::WOULDBLOCK) => Ok(true),
        Err(errno) => Err(errno.into()),
    }
}

/// Asks the server that works in a folder to stop.
///
/// # Errors
/// When the folder cannot take the request.
pub fn ask_to_stop(folder: &Path, request: StopRequest) -> io::Result<()> {
    let text: &[u8] = match request {
        StopRequest::Finish => b"finish\n",
        StopRequest::Now => NOW,
    };
    fs::write(folder.join(STOP), text)
}
