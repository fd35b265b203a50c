use std::fs;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Counts the requests to end this process, instead of ending it.
///
/// It lasts as long as the process.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Begins to count Ctrl-C, `SIGTERM`, which batch systems send, and `SIGHUP`, which a closing terminal sends,
    /// unless this process was started to ignore that (`nohup`).
    ///
    /// # Errors
    /// When the signals cannot be caught.
    pub fn catch() -> io::Result<Self> {
        let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
        let count = Self::default();
        let counted = count.clone();
        thread::spawn(move || {
            for _ in signals.forever() {
                counted.0.fetch_add(1, Ordering::Relaxed);
            }
        });
        Ok(count)
    }

    /// Returns how many requests there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

/// Returns whether this process ignores a signal.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
