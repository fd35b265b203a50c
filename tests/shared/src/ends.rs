//! Waiting for programs.

use std::process::{Child, ExitStatus, Output};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// No program that is waited for takes that long, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(600);

/// Waits for a program and what it prints.
///
/// # Panics
/// When it does not end: then it is killed.
#[must_use]
#[track_caller]
pub fn output_of(child: Child) -> Output {
    output_within(PATIENCE, child)
}

/// The same, with a limit of its own.
///
/// # Panics
/// When the program does not end in time.
#[must_use]
#[track_caller]
pub fn output_within(patience: Duration, child: Child) -> Output {
    let (output, is_late) =
        watched(patience, child.id(), || child.wait_with_output().expect("a child can be waited for"));
    assert!(!is_late, "the program did not end, and was killed: {output:?}");
    output
}

/// Waits for a program.
///
/// # Panics
/// When it does not end: then it is killed.
#[track_caller]
pub fn status_of(child: &mut Child) -> ExitStatus {
    let (status, is_late) = watched(PATIENCE, child.id(), || child.wait().expect("a child can be waited for"));
    assert!(!is_late, "the program did not end, and was killed");
    status
}

/// Does something that lasts as long as a process; returns also whether that had to be killed.
fn watched<T>(patience: Duration, pid: u32, wait: impl FnOnce() -> T) -> (T, bool) {
    let pid = libc::pid_t::try_from(pid).expect("a process has a small number");
    let (over, is_over) = mpsc::channel::<()>();
    let watch = thread::spawn(move || {
        let is_late = is_over.recv_timeout(patience) == Err(RecvTimeoutError::Timeout);
        if is_late {
            // SAFETY: our child was not waited for yet.
            unsafe { libc::kill(pid, libc::SIGKILL) };
        }
        is_late
    });
    let ended = wait();
    drop(over);
    (ended, watch.join().expect("it only waits"))
}
