//! Deadlines, and the processor time of other processes.

use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use rustix::event::Timespec;
use rustix::process::Pid;

/// A moment to stop waiting at; none when the limit is too far away to be told apart from never.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    pub(super) fn after(limit: Duration) -> Self {
        Self(Instant::now().checked_add(limit))
    }

    /// The time that is left, as `poll` takes it.
    pub(super) fn remaining(self) -> Option<Timespec> {
        let left = self.0?.saturating_duration_since(Instant::now());
        Timespec::try_from(left).ok()
    }
}

/// Reads the processor time of all threads of a process; exact while the process is blocked.
pub(super) fn process_time(pid: Pid) -> Duration {
    // The number of a process's clock is made like this in the kernel's interface, see clock_getcpuclockid(3).
    const ALL_THREADS_SCHED: libc::clockid_t = 2;
    let clock = (!pid.as_raw_nonzero().get() << 3) | ALL_THREADS_SCHED;
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the kernel writes one timespec where there is room for one, or fails.
    if unsafe { libc::clock_gettime(clock, time.as_mut_ptr()) } != 0 {
        return Duration::ZERO;
    }
    // SAFETY: the call succeeded, so the time was written.
    let time = unsafe { time.assume_init() };
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}
