//! Waits for events that must happen.

use std::fmt::Display;
use std::thread;
use std::time::{Duration, Instant};

/// No event that is waited for takes that long, even on a machine that is busy with other work.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// The pause between two looks: the first one, which doubles each time, and the longest.
const PAUSE_MIN: Duration = Duration::from_millis(1);
const PAUSE_MAX: Duration = Duration::from_millis(50);

/// Waits until there is a value.
///
/// # Panics
/// When it does not come within five minutes.
#[track_caller]
pub fn wait_for<T>(what: impl Display, look: impl FnMut() -> Option<T>) -> T {
    wait_or_tell(look, || what.to_string())
}

/// Waits until a condition holds.
///
/// # Panics
/// When it does not within five minutes.
#[track_caller]
pub fn wait_until(what: impl Display, mut is_so: impl FnMut() -> bool) {
    wait_for(what, || is_so().then_some(()));
}

/// Waits until there is a value; what was waited for is only described when it did not come.
///
/// # Panics
/// When it does not come within five minutes.
#[track_caller]
pub fn wait_or_tell<T>(mut look: impl FnMut() -> Option<T>, tell: impl FnOnce() -> String) -> T {
    let begun = Instant::now();
    let mut pause = PAUSE_MIN;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {}", tell());
        thread::sleep(pause);
        pause = PAUSE_MAX.min(2 * pause);
    }
}

/// The moment at which a wait is given up, for calls that take one.
#[must_use]
pub fn deadline() -> Instant {
    Instant::now() + PATIENCE
}

/// A moment that is over, or will be soon, for calls that take one.
#[must_use]
pub fn deadline_after(time: Duration) -> Instant {
    Instant::now() + time
}

/// Lets time pass where a test tries what happens at any moment, or keeps a program from being the first.
///
/// A result may not depend on how long it is: to see that something happens, wait for it.
pub fn let_pass(time: Duration) {
    thread::sleep(time);
}
