use std::time::{Duration, Instant};

use crate::TimeLimits;

/// The part of a move's time that a player should use: the rest is for what it cannot measure.
const USABLE: f64 = 0.93;

/// What may come on top, up to a quarter of the time: the way to the server and back, and what a virtual machine without
/// enough processors charges to whoever runs. Of 25,000 moves in 20 ms on a busy one, half a millisecond lost four.
const OVERHEAD: Duration = Duration::from_millis(2);

/// Measures a move as the server does, from the moment that it is made.
#[derive(Clone, Copy, Debug)]
pub struct MoveClock {
    /// By the clock that decides.
    limit: Duration,
    wall_limit: Option<Duration>,
    /// The processor time of all threads at the start, when that is what counts.
    cpu_start: Option<Duration>,
    start: Instant,
    threads: u32,
    /// When it was asked last, by the clock that decides.
    asked: Duration,
    /// How long it takes from one question to the next: a single long time is soon forgotten.
    stride: Duration,
}

impl MoveClock {
    /// Starts to measure a move.
    #[must_use]
    pub fn start(limits: &TimeLimits) -> Self {
        let usable = |time: Duration| time.mul_f64(USABLE).saturating_sub(OVERHEAD.min(time / 4));
        Self {
            limit: usable(limits.per_move()),
            wall_limit: limits.wall.map(usable),
            cpu_start: limits.cpu.map(|_| process_time()),
            start: Instant::now(),
            threads: u32::try_from(limits.threads.get()).unwrap_or(u32::MAX),
            asked: Duration::ZERO,
            stride: Duration::ZERO,
        }
    }

    /// Tells whether it is time to answer: when it is asked again, the limit would have passed.
    #[must_use]
    pub fn is_over(&mut self) -> bool {
        let wall = self.start.elapsed();
        let judged = self.cpu_start.map_or(wall, |start| process_time().saturating_sub(start) / self.threads);
        self.stride = judged.saturating_sub(self.asked).max(self.stride * 3 / 4);
        self.asked = judged;
        judged + self.stride >= self.limit || self.wall_limit.is_some_and(|limit| wall + self.stride >= limit)
    }
}

/// The processor time of all threads of this process.
fn process_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the time is ours to write to; this clock always exists.
    unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
