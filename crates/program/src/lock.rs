use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::thread;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::system::uname;
use thiserror::Error;

/// How long a short change of another process may take, and how often to ask for its end, where the kernel has no locks.
const PATIENCE: Duration = Duration::from_secs(30);
const ASK_EVERY: Duration = Duration::from_millis(10);

/// The right of one process to write; given back when it is dropped, or when the process ends.
///
/// It is the kernel's lock on a file. Where the file system has none, another file stands in: whoever makes it has the
/// right until it is removed.
#[derive(Debug)]
pub struct Lock {
    file: File,
    stand_in: Option<PathBuf>,
}

/// Why a lock cannot be taken.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process has it.
    #[error("another process has the lock")]
    Taken,
    /// A file stands in for the lock, and is there already.
    #[error("{holder} works there: wait for it, or remove {path} if it was killed", path = .path.display())]
    StandIn {
        /// The file.
        path: PathBuf,
        /// The process that made it, as it describes itself.
        holder: String,
    },
    /// The file that stands in cannot be made.
    #[error("cannot make {path}: {source}", path = .path.display())]
    NoStandIn {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// The kernel refuses.
    #[error("cannot lock: {0}")]
    Refused(io::Error),
}

impl Lock {
    /// Takes the lock on a file, unless another process has it.
    pub fn take(file: File, stand_in: &Path) -> Result<Self, LockError> {
        let stand_in = match file.try_lock() {
            Ok(()) => None,
            Err(TryLockError::WouldBlock) => return Err(LockError::Taken),
            Err(TryLockError::Error(error)) if is_without_locks(&error) => Some(make(stand_in)?),
            Err(TryLockError::Error(error)) => return Err(LockError::Refused(error)),
        };
        Ok(Self { file, stand_in })
    }

    /// Takes the lock on a file once no other process has it: for changes that are short.
    pub fn wait(file: File, stand_in: &Path) -> Result<Self, LockError> {
        match file.lock() {
            Ok(()) => return Ok(Self { file, stand_in: None }),
            Err(error) if !is_without_locks(&error) => return Err(LockError::Refused(error)),
            Err(_) => {}
        }
        let begun = Instant::now();
        loop {
            match make(stand_in) {
                Err(LockError::StandIn { .. }) if begun.elapsed() < PATIENCE => thread::sleep(ASK_EVERY),
                made => return Ok(Self { file, stand_in: Some(made?) }),
            }
        }
    }

    /// Returns whether a process has the lock on a file, which where the file system has none is whether its stand-in is
    /// there.
    pub fn is_taken(file: &File, has_stand_in: impl FnOnce() -> io::Result<bool>) -> io::Result<bool> {
        match file.try_lock_shared() {
            Ok(()) => Ok(false),
            Err(TryLockError::WouldBlock) => Ok(true),
            Err(TryLockError::Error(error)) if is_without_locks(&error) => has_stand_in(),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Returns the locked file.
    pub const fn file(&self) -> &File {
        &self.file
    }

    /// Returns the file that stands in, where the file system has no locks.
    pub fn stand_in(&self) -> Option<&Path> {
        self.stand_in.as_deref()
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(path) = &self.stand_in
            && let Err(error) = fs::remove_file(path)
        {
            let _ = writeln!(io::stderr(), "cannot remove {}, which keeps others out: {error}", path.display());
        }
        // Not only by closing it: a process that was started meanwhile has the file, too, until it runs its program.
        let _ = self.file.unlock();
    }
}

/// Returns whether a file system cannot lock files, Lustre as it is often mounted for instance.
pub fn is_without_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(Errno::NOLCK.raw_os_error())
}

fn make(path: &Path) -> Result<PathBuf, LockError> {
    match OpenOptions::new().write(true).create_new(true).open(path) {
        Ok(mut file) => {
            let host = uname().nodename().to_string_lossy().into_owned();
            let _ = write!(file, "process {} on {host}", process::id());
            Ok(path.to_owned())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let holder = fs::read_to_string(path).unwrap_or_default();
            Err(LockError::StandIn { path: path.to_owned(), holder })
        }
        Err(source) => Err(LockError::NoStandIn { path: path.to_owned(), source }),
    }
}
