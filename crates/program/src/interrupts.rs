use std::fs;
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Counts the requests to end this process, instead of ending it.
///
/// It lasts as long as the process.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<Counted>);

#[derive(Debug, Default)]
struct Counted {
    count: Mutex<usize>,
    changed: Condvar,
}

impl Interrupts {
    /// Begins to count Ctrl-C, `SIGTERM`, which batch systems send, and `SIGHUP`, which a closing terminal sends,
    /// unless this process was started to ignore that (`nohup`).
    ///
    /// # Errors
    /// When the signals cannot be caught.
    pub fn catch() -> io::Result<Self> {
        let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
        let interrupts = Self::default();
        let counted = interrupts.clone();
        thread::spawn(move || {
            for _ in signals.forever() {
                *counted.lock() += 1;
                counted.0.changed.notify_all();
            }
        });
        Ok(interrupts)
    }

    /// Returns how many requests there were.
    #[must_use]
    pub fn count(&self) -> usize {
        *self.lock()
    }

    /// Waits for the first request.
    pub fn wait(&self) {
        let waited = self.0.changed.wait_while(self.lock(), |count| *count == 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.0.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns whether this process ignores a signal.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
