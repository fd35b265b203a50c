use std::thread;
use std::time::{Duration, Instant};

/// The time to stop waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline(Option<Instant>);

impl Deadline {
    /// Waits as long as it takes.
    pub const NEVER: Self = Self(None);

    /// A deadline this far from now; [`Deadline::NEVER`] for durations too long for a clock.
    pub fn after(timeout: Duration) -> Self {
        Self(Instant::now().checked_add(timeout))
    }

    /// Returns whether it has passed.
    pub fn is_over(self) -> bool {
        self.0.is_some_and(|at| Instant::now() >= at)
    }

    /// Returns the time that is left; `None` without a limit.
    pub fn left(self) -> Option<Duration> {
        self.0.map(|at| at.saturating_duration_since(Instant::now()))
    }

    /// Returns the earlier of two.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self(match (self.0, other.0) {
            (Some(one), Some(two)) => Some(one.min(two)),
            (one, two) => one.or(two),
        })
    }
}

impl From<Instant> for Deadline {
    fn from(at: Instant) -> Self {
        Self(Some(at))
    }
}

/// Pauses between polls: none at first, then naps of a small part of the time waited so far. Answers come quickly, and
/// idle ranks cost little.
#[derive(Clone, Copy, Debug)]
pub struct Backoff {
    since: Option<Instant>,
    longest: Duration,
}

/// How long to poll without sleeping: waking from a nap takes some 60 us, longer than an answer.
const EAGER: Duration = Duration::from_micros(100);
const MIN_SLEEP: Duration = Duration::from_micros(10);
/// A nap is at most this part of the time waited. If ranks that wait for each other overslept by half of it, each would
/// wait for the naps of the others and nap longer still, until all are slow.
const NAP_PART: u32 = 16;
const MAX_SLEEP: Duration = Duration::from_millis(5);

impl Default for Backoff {
    fn default() -> Self {
        Self::up_to(MAX_SLEEP)
    }
}

impl Backoff {
    /// Starts with naps of at most this length.
    pub const fn up_to(longest: Duration) -> Self {
        Self { since: None, longest }
    }

    /// Starts over with short pauses after something has happened.
    pub const fn reset(&mut self) {
        self.since = None;
    }

    /// Returns how long to sleep before the next poll; zero means only to yield.
    pub fn next_nap(&mut self) -> Duration {
        let Some(since) = self.since else {
            self.since = Some(Instant::now());
            return Duration::ZERO;
        };
        let waited = since.elapsed();
        if waited < EAGER { Duration::ZERO } else { (waited / NAP_PART).max(MIN_SLEEP).min(self.longest) }
    }

    /// Pauses once, at most until the deadline.
    pub fn pause(&mut self, deadline: Deadline) {
        let nap = self.next_nap().min(deadline.left().unwrap_or(Duration::MAX));
        if nap.is_zero() {
            thread::yield_now();
        } else {
            thread::sleep(nap);
        }
    }
}
