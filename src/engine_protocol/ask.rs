use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use amazons_protocol::Go;

/// A `go` that is being answered, shared by who reads lines and who thinks.
#[derive(Debug)]
pub(super) struct Ask {
    stop: AtomicBool,
    done: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// When the time for the answer began; `None` while the client waits for the expected move.
    begun: Option<Instant>,
    /// Whether the client takes an answer now.
    is_wanted: bool,
}

impl Ask {
    pub(super) fn new(go: &Go) -> Self {
        let begun = (!go.ponder).then(Instant::now);
        let state = State { begun, is_wanted: !go.infinite && !go.ponder };
        Self {
            stop: AtomicBool::new(false),
            done: AtomicBool::new(false),
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Asks for the answer now.
    pub(super) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.state().is_wanted = true;
        self.changed.notify_all();
    }

    /// Starts the time, if the client waited for the expected move.
    pub(super) fn ponder_hit(&self) {
        let mut state = self.state();
        if state.begun.is_none() {
            *state = State { begun: Some(Instant::now()), is_wanted: true };
            self.changed.notify_all();
        }
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    pub(super) fn begun(&self) -> Option<Instant> {
        self.state().begun
    }

    /// Waits until the client takes an answer.
    pub(super) fn wait(&self) {
        let wanted = self.changed.wait_while(self.state(), |state| !state.is_wanted);
        drop(wanted.unwrap_or_else(PoisonError::into_inner));
    }

    /// Whether the client takes an answer as soon as there is one.
    pub(super) fn is_wanted(&self) -> bool {
        self.state().is_wanted
    }

    /// Notes that the answer is about to be written.
    pub(super) fn finish(&self) {
        self.done.store(true, Ordering::SeqCst);
    }

    pub(super) fn is_done(&self) -> bool {
        self.done.load(Ordering::SeqCst)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
