//! The time that a call takes, and how much of it the server or the process did not get to run.

use std::cell::Cell;
use std::fs::File;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use rustix::thread::gettid;
use rustix::time::{ClockId, clock_gettime};

use super::interference::Sample;
use super::queue::told;

/// A wait that ends this much too late ended while the server did not run.
const OVERSLEPT: Duration = Duration::from_millis(1);

/// Asking the kernel how long a thread did not run takes as long as a quick call: not worthwhile before this.
const QUICK: Duration = Duration::from_micros(100);

thread_local! {
    /// The time lost to any processes that this thread waited for.
    static LOST: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// A call, measured by the server's thread that waits for its end.
///
/// The server only waits for short times. If such a wait takes longer, or the kernel reports that the thread waited for
/// a processor, then the server did not run in that time. The process loses that time if its reply may have come
/// meanwhile, or if the server did not even wait for a processor: then something has stopped it, perhaps together with
/// the process.
#[derive(Debug)]
pub(crate) struct CallMeter {
    begun: Instant,
    /// When the last wait ended.
    waited: Instant,
    /// When the thread's figures were last read.
    seen: Instant,
    /// The thread's processor time at that moment, and its time in the run queue.
    computed: Duration,
    queued: Duration,
    /// The value of [`LOST`] at the beginning.
    lost_before: Duration,
    /// The time of this call in which the thread did not run.
    not_run: Duration,
    delay: ThreadDelay,
    /// The machine's figures at the beginning.
    pub(crate) machine: Option<Sample>,
    /// The page faults of players known at the beginning.
    pub(crate) faults: Option<u64>,
}

impl CallMeter {
    pub(crate) fn new() -> Self {
        let now = Instant::now();
        Self {
            begun: now,
            waited: now,
            seen: now,
            computed: Duration::ZERO,
            queued: Duration::ZERO,
            lost_before: LOST.get(),
            not_run: Duration::ZERO,
            delay: ThreadDelay::default(),
            machine: None,
            faults: None,
        }
    }

    /// Begins a call.
    pub(crate) fn begin(&mut self) {
        self.begun = Instant::now();
        self.lost_before = LOST.get();
        self.not_run = Duration::ZERO;
        self.machine = Sample::recent();
        self.resume();
        (self.waited, self.seen) = (self.begun, self.begun);
    }

    /// Resumes waiting for the call, after the thread has done something else.
    pub(crate) fn resume(&mut self) {
        self.queued = self.delay.read();
        self.computed = thread_time();
        self.seen = Instant::now();
    }

    /// Notes the end of a wait that should have taken at most `timeout`; `has_come` if it ended because something came.
    pub(crate) fn waited(&mut self, timeout: Duration, has_come: bool) {
        let now = Instant::now();
        self.waited = now;
        let passed = now - self.seen;
        if has_come && passed < QUICK {
            // The next wait counts it.
            return;
        }
        let (queued, computed) = (self.delay.read(), thread_time());
        let delay = queued.saturating_sub(self.queued).min(passed);
        let worked = computed.saturating_sub(self.computed);
        let overslept = passed.saturating_sub(timeout + worked);
        let overslept = if overslept < OVERSLEPT { Duration::ZERO } else { overslept };
        let stopped = overslept.saturating_sub(delay);
        let lost = match has_come {
            // It may have come at any moment.
            true if !overslept.is_zero() => passed,
            true => delay,
            // A server that comes late and finds nothing has kept nothing waiting.
            false => stopped,
        };
        LOST.set(LOST.get() + lost);
        self.not_run += delay + stopped;
        (self.seen, self.queued, self.computed) = (now, queued, computed);
    }

    /// Notes that the request was written, which should take no time.
    pub(crate) fn sent(&mut self) {
        self.waited(Duration::ZERO, true);
    }

    /// Returns the time from the beginning of the call to the end of the last wait.
    pub(crate) fn passed(&self) -> Duration {
        self.waited.saturating_duration_since(self.begun)
    }

    /// Returns how much of that the process lost.
    pub(crate) fn lost(&self) -> Duration {
        LOST.get().saturating_sub(self.lost_before)
    }

    /// Returns for how much of that the server did not run.
    pub(crate) const fn not_run(&self) -> Duration {
        self.not_run
    }
}

/// The processor time of this thread.
fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// The total time that a thread has waited for a processor; zero where the kernel does not report it.
#[derive(Debug, Default)]
struct ThreadDelay {
    file: Option<(Pid, File)>,
}

impl ThreadDelay {
    fn read(&mut self) -> Duration {
        let thread = gettid();
        if self.file.as_ref().is_none_or(|(owner, _)| *owner != thread) {
            self.file = File::open("/proc/thread-self/schedstat").ok().map(|file| (thread, file));
        }
        self.file.as_ref().and_then(|(_, file)| told(file)).map_or(Duration::ZERO, |told| told.queued)
    }
}
