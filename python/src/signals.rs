//! Long calls: without the interpreter's lock, and still open to Ctrl-C.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Time between two looks for signals.
pub(crate) const SLICE: Duration = Duration::from_millis(20);

/// Runs `step` without the interpreter's lock until it returns a value, and raises what a signal handler raises.
///
/// A step takes a millisecond at most; it returns `None` while there is more to do.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, mut step: impl FnMut() -> Option<T> + Send) -> PyResult<T> {
    loop {
        let done = py.detach(|| {
            let start = Instant::now();
            loop {
                match step() {
                    None if start.elapsed() < SLICE => {}
                    done => return done,
                }
            }
        });
        match done {
            Some(value) => return Ok(value),
            None => py.check_signals()?,
        }
    }
}
