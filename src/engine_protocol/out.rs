use std::fmt::Display;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use amazons_program::locked;
use amazons_protocol::Dialect;

use crate::text::visible;

/// The output, used by two threads.
pub(super) struct Out<W> {
    to: Mutex<W>,
    failure: Mutex<Option<io::Error>>,
    /// Set while the player is asked for a move: until when `quit` waits for it.
    asked: Mutex<Option<Instant>>,
    /// Set when no more moves are wanted.
    is_quitting: AtomicBool,
}

impl<W: Write> Out<W> {
    pub(super) fn new(to: W) -> Self {
        Self {
            to: Mutex::new(to),
            failure: Mutex::new(None),
            asked: Mutex::new(None),
            is_quitting: AtomicBool::new(false),
        }
    }

    pub(super) fn say(&self, line: &str) {
        let mut to = locked(&self.to);
        if let Err(error) = writeln!(to, "{line}").and_then(|()| to.flush()) {
            locked(&self.failure).get_or_insert(error);
        }
    }

    /// Writes an error in a form that programs of either dialect can skip; it may quote what was read.
    pub(super) fn complain(&self, dialect: Dialect, reason: &dyn Display) {
        let reason = visible(&reason.to_string());
        match dialect {
            Dialect::Aep => self.say(&format!("error {reason}")),
            Dialect::Uci => self.say(&format!("info string error: {reason}")),
        }
    }

    pub(super) fn asked(&self) -> MutexGuard<'_, Option<Instant>> {
        locked(&self.asked)
    }

    /// Notes that no more moves are wanted.
    pub(super) fn quit(&self) {
        self.is_quitting.store(true, Ordering::SeqCst);
    }

    /// Returns the first failure.
    pub(super) fn into_result(self) -> io::Result<()> {
        self.failure.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }

    pub(super) fn is_quitting(&self) -> bool {
        self.is_quitting.load(Ordering::SeqCst)
    }

    pub(super) fn has_failed(&self) -> bool {
        locked(&self.failure).is_some()
    }
}
