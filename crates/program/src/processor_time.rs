//! Processor time.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the processor time of the calling thread.
pub fn thread_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the processor time of this process, of all its threads.
pub fn process_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ProcessCPUTime)).unwrap_or_default()
}
