use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

/// A process's output, readable while it runs; clones share it.
///
/// It outlives the process. After a restart it shows the latest one.
#[derive(Clone, Debug, Default)]
pub struct Printed(Arc<Mutex<Option<Log>>>);

#[derive(Debug)]
struct Log {
    file: File,
    limit: u64,
}

/// The end of a log.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tail {
    /// The last bytes.
    pub bytes: Vec<u8>,
    /// Whether earlier bytes are missing.
    pub is_cut: bool,
}

impl Tail {
    /// Reads at most `most` bytes from the end of a file of which `len` bytes count.
    /// Fails when the file cannot be read.
    pub fn read(file: &File, len: u64, most: u64) -> io::Result<Self> {
        let from = len.saturating_sub(most);
        let mut bytes = vec![0; usize::try_from(len - from).map_err(io::Error::other)?];
        let read = file.read_at(&mut bytes, from)?;
        bytes.truncate(read);
        Ok(Self { bytes, is_cut: from > 0 })
    }
}

impl Printed {
    /// Shows another file, of which at most `limit` bytes count.
    pub(crate) fn show(&self, file: File, limit: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Log { file, limit });
    }

    /// Reads at most `most` bytes from the end; `None` if no process has been started.
    #[must_use]
    pub fn tail(&self, most: u64) -> Option<Tail> {
        let log = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Log { file, limit } = log.as_ref()?;
        Tail::read(file, file.metadata().ok()?.len().min(*limit), most).ok()
    }
}
