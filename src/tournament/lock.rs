//! One server at a time in the folder of an event, and how another one asks it to stop.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::play::host_name;
use super::progress::write_line;

/// The file that the server of an event has locked.
pub const LOCK: &str = "lock";
/// Takes the place of the lock on file systems that have none.
pub const HELD: &str = "lock.held";
const STOP: &str = "stop";
const NOW: &[u8] = b"now\n";

/// The right to write in the folder of an event; given back when it is dropped, or when this process ends.
///
/// The kernel's lock on a file is the right. The file stays: removing it would let two processes hold locks on two
/// files of one name.
#[derive(Debug)]
pub(super) struct Lock {
    folder: PathBuf,
    file: File,
    /// The file that others find where the kernel has no locks.
    held: Option<PathBuf>,
}

/// A request of another process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopRequest {
    /// Finish running games.
    Finish,
    /// Drop them.
    Now,
}

impl Lock {
    /// Takes the lock, unless another process has it.
    ///
    /// # Errors
    /// A line for the person who asked for it.
    pub(super) fn take(folder: &Path) -> Result<Self, String> {
        let name = folder.display();
        let failed = |error: io::Error| format!("{name}: cannot lock the event: {error}");
        let path = folder.join(LOCK);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        let held = match file.try_lock() {
            Ok(()) => None,
            Err(TryLockError::Error(error)) if is_without_locks(&error) => Some(hold(folder)?),
            Err(TryLockError::WouldBlock) => {
                let advice = "wait for it, or stop it with 'server tournament stop'";
                return Err(format!("{name}: {} works on this event: {advice}", holder(&mut file)));
            }
            Err(TryLockError::Error(source)) => return Err(failed(source)),
        };
        // Who holds it is for people to read; without room on the disk it stays unsaid.
        let _ = file.set_len(0).and_then(|()| writeln!(file, "{}", std::process::id()));
        // Drops a request to an earlier server, which would stop this one.
        fs::remove_file(folder.join(STOP)).or_else(|error| match error.kind() {
            io::ErrorKind::NotFound => Ok(()),
            _ => Err(failed(error)),
        })?;
        Ok(Self { folder: folder.to_owned(), file, held })
    }

    /// Returns a line about a weaker lock, if it is one.
    pub(super) fn warning(&self) -> Option<String> {
        let (folder, held) = (self.folder.display(), self.held.as_ref()?.display());
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

impl Drop for Lock {
    fn drop(&mut self) {
        // The request was met. Should it stay, the next server drops it.
        let _ = fs::remove_file(self.folder.join(STOP));
        if let Some(held) = &self.held
            && let Err(error) = fs::remove_file(held)
        {
            write_line(&format!("cannot remove {}, which keeps servers out: {error}", held.display()));
        }
        // Not only by closing it: a process that was started meanwhile has the file, too, until it runs its program.
        let _ = self.file.unlock();
    }
}

/// Returns whether a file system cannot lock files, Lustre as it is often mounted for instance.
pub(super) fn is_without_locks(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::Unsupported || error.raw_os_error() == Some(libc::ENOLCK)
}

/// Makes the file that takes the place of a lock: the one who makes it has the right.
fn hold(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join(HELD);
    let (name, held) = (folder.display(), path.display());
    match OpenOptions::new().write(true).create_new(true).open(&path) {
        Ok(mut file) => {
            let _ = write!(file, "process {} on {}", std::process::id(), host_name());
            Ok(path)
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let holder = fs::read_to_string(&path).unwrap_or_default();
            Err(format!("{name}: {holder} works on this event: wait for it, or remove {held} if it was killed"))
        }
        Err(error) => Err(format!("{name}: cannot make {held}: {error}")),
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
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    match file.try_lock_shared() {
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) if is_without_locks(&error) => folder.join(HELD).try_exists(),
        Err(TryLockError::Error(error)) => Err(error),
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
