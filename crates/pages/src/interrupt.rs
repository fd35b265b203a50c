use std::io;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// Catches Ctrl-C and SIGTERM, which then no longer end the process.
#[derive(Debug)]
pub struct Interrupt(Signals);

impl Interrupt {
    /// Starts listening.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn new() -> io::Result<Self> {
        Signals::new([SIGINT, SIGTERM]).map(Self)
    }

    /// Waits for one of them.
    pub fn wait(mut self) {
        self.0.forever().next();
    }
}
