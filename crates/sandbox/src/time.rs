//! Deadlines, and processor time.

use std::mem::MaybeUninit;
use std::time::{Duration, Instant};

use rustix::event::Timespec;
use rustix::process::Pid;

/// A moment to stop waiting at; `None` if the limit is too far away to matter.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// The end of a limit that begins now.
    #[must_use]
    pub fn after(limit: Duration) -> Self {
        Self(Instant::now().checked_add(limit))
    }

    /// A moment.
    #[must_use]
    pub const fn at(end: Instant) -> Self {
        Self(Some(end))
    }

    /// The deadline with time added.
    #[must_use]
    pub fn later(self, by: Duration) -> Self {
        Self(self.0.and_then(|end| end.checked_add(by)))
    }

    /// The deadline, or a moment that is so far away if that is later.
    pub(crate) fn not_before(self, least: Duration) -> Self {
        Self(self.0.map(|end| end.max(Instant::now() + least)))
    }

    /// The time left, at most `most`, as `poll` takes it.
    pub(crate) fn slice(self, most: Duration) -> Timespec {
        let left = self.0.map_or(most, |end| end.saturating_duration_since(Instant::now()).min(most));
        Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 0 })
    }

    pub(crate) fn has_passed(self) -> bool {
        self.0.is_some_and(|end| Instant::now() >= end)
    }
}

/// Until when to wait for a reply.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// By the wall clock.
    pub deadline: Deadline,
    /// By the process's own clock.
    pub cpu: Option<CpuLimit>,
}

/// A limit on a process's own clock.
#[derive(Clone, Copy, Debug)]
pub struct CpuLimit {
    /// The value that the clock must not pass.
    pub end: Duration,
    /// The time until then when the wait began.
    pub left: Duration,
}

impl Timeouts {
    /// By the wall clock alone.
    #[must_use]
    pub fn wall(limit: Duration) -> Self {
        Self { deadline: Deadline::after(limit), cpu: None }
    }
}

/// Reads the processor time of all threads of a process; exact while the process is blocked.
pub(crate) fn process_time(pid: Pid) -> Duration {
    // The kernel's interface composes the number of a process's clock like this, see clock_getcpuclockid(3).
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

/// Reads the processor time of this process.
pub(crate) fn own_time() -> Duration {
    process_time(rustix::process::getpid())
}

/// Returns the processor time used by this process and all its ended children, including their own children.
#[must_use]
pub fn cpu_time_of_all() -> Duration {
    [libc::RUSAGE_SELF, libc::RUSAGE_CHILDREN].into_iter().map(usage).sum()
}

fn usage(who: libc::c_int) -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the kernel writes one result where there is room for one, or fails.
    if unsafe { libc::getrusage(who, usage.as_mut_ptr()) } != 0 {
        return Duration::ZERO;
    }
    // SAFETY: the call succeeded, so the usage was written.
    let usage = unsafe { usage.assume_init() };
    let duration = |time: libc::timeval| {
        let micros = u32::try_from(time.tv_usec).unwrap_or(0);
        Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), micros * 1000)
    };
    duration(usage.ru_utime) + duration(usage.ru_stime)
}
