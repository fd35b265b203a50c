use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Counts the requests to end this process, instead of ending it.
///
/// It lasts as long as the process.
#[derive(Clone, Debug, Default)]
pub struct Interrupts(Arc<AtomicUsize>);

impl Interrupts {
    /// Begins to count Ctrl-C and `SIGTERM`, which batch systems send.
    ///
    /// # Errors
    /// When the signals cannot be caught.
    pub fn catch() -> io::Result<Self> {
        let mut signals = Signals::new([SIGINT, SIGTERM])?;
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
