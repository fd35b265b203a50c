use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use crate::Exit;

/// Whether Ctrl-C was pressed, or the process was asked to end (SIGTERM). The second time ends the process at once.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Catches Ctrl-C and SIGTERM from now on.
    ///
    /// # Errors
    /// When the kernel does not allow it.
    pub fn catch() -> io::Result<Self> {
        let interrupt = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // The order matters: the first signal finds the flag unset.
            flag::register_conditional_default(signal, Arc::clone(&interrupt.0))?;
            flag::register(signal, Arc::clone(&interrupt.0))?;
        }
        Ok(interrupt)
    }

    /// From now on, these signals end the process at once with the status of [`Exit::Stopped`]: for commands that leave
    /// nothing unfinished behind, even while they wait for input.
    ///
    /// # Errors
    /// When the kernel does not allow it.
    pub fn end_at_once(signals: &[i32]) -> io::Result<()> {
        let (always, status) = (Arc::new(AtomicBool::new(true)), i32::from(Exit::Stopped.status()));
        for &signal in signals {
            flag::register_conditional_shutdown(signal, status, Arc::clone(&always))?;
        }
        Ok(())
    }

    /// Returns whether either came.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Does what Ctrl-C does, for terminals that report it as a key.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
