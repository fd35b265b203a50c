use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, io, thread};

use signal_hook::consts::SIGHUP;
pub use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use crate::Exit;

/// How often [`Interrupt::wait`] looks.
const WAIT_EVERY: Duration = Duration::from_millis(20);

/// Counts the requests to end this process, Ctrl-C and signals, instead of ending it; it lasts as long as the process.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicUsize>);

impl Interrupt {
    /// Catches Ctrl-C and `SIGTERM`, which batch systems send. The second time ends the process at once.
    pub fn catch() -> io::Result<Self> {
        let (interrupt, was_set) = (Self::default(), Arc::new(AtomicBool::new(false)));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first time sets what the second time finds.
            flag::register_conditional_default(signal, Arc::clone(&was_set))?;
            flag::register(signal, Arc::clone(&was_set))?;
            flag::register_usize(signal, Arc::clone(&interrupt.0), 1)?;
        }
        Ok(interrupt)
    }

    /// Catches them however often they come, and `SIGHUP`, which a closing terminal sends, unless this process was
    /// started to ignore that (`nohup`).
    pub fn catch_all() -> io::Result<Self> {
        let hang_up = (!is_ignored(SIGHUP)).then_some(SIGHUP);
        let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hang_up))?;
        let interrupt = Self::default();
        let counted = interrupt.clone();
        thread::spawn(move || {
            for _ in signals.forever() {
                counted.0.fetch_add(1, Ordering::Relaxed);
            }
        });
        Ok(interrupt)
    }

    /// From now on, these signals end the process at once with the status of [`Exit::Stopped`]: for commands that leave
    /// nothing unfinished behind, even while they wait for input.
    pub fn end_at_once(signals: &[i32]) -> io::Result<()> {
        let (always, status) = (Arc::new(AtomicBool::new(true)), i32::from(Exit::Stopped.status()));
        for &signal in signals {
            flag::register_conditional_shutdown(signal, status, Arc::clone(&always))?;
        }
        Ok(())
    }

    /// Returns how many requests there were.
    pub fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }

    /// Returns whether there was one.
    pub fn is_set(&self) -> bool {
        self.count() > 0
    }

    /// Waits for the first one.
    pub fn wait(&self) {
        while !self.is_set() {
            thread::sleep(WAIT_EVERY);
        }
    }
}

/// Returns whether this process ignores a signal.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
    mask >> (signal - 1) & 1 == 1
}
