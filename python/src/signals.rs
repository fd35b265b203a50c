//! Long calls: without the interpreter's lock, and still open to Ctrl-C.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Time between two looks for signals.
const SLICE: Duration = Duration::from_millis(20);

/// Runs `work` on a thread without the interpreter's lock, and raises what a signal handler raises meanwhile.
///
/// `work` must return within milliseconds once its argument is set; its result is then dropped.
pub(crate) fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&AtomicBool) -> T + Send) -> PyResult<T> {
    let stop = AtomicBool::new(false);
    py.detach(|| {
        let (done, waiting) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let stop = &stop;
            let worker = scope.spawn(move || {
                let _done = done;
                work(stop)
            });
            let mut raised = Ok(());
            while raised.is_ok() && waiting.recv_timeout(SLICE) == Err(RecvTimeoutError::Timeout) {
                raised = Python::attach(|py| py.check_signals());
            }
            stop.store(raised.is_err(), Ordering::Relaxed);
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            raised.map(|()| result)
        })
    })
}

/// Waits for a message without the interpreter's lock; returns `None` when the sender has gone or the time is over, and
/// raises what a signal handler raises.
pub(crate) fn wait<T: Send>(py: Python<'_>, from: &mut Receiver<T>, until: Option<Instant>) -> PyResult<Option<T>> {
    loop {
        let slice = until.map_or(SLICE, |end| end.saturating_duration_since(Instant::now()).min(SLICE));
        let from = &mut *from;
        match py.detach(move || from.recv_timeout(slice)) {
            Ok(message) => return Ok(Some(message)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
        }
        if until.is_some_and(|end| Instant::now() >= end) {
            return Ok(None);
        }
    }
}
