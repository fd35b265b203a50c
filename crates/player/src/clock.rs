use std::time::{Duration, Instant};

use amazons_rules::Position;

use crate::{GameBudget, TimeLimits};

/// The fraction of a move's time that a player should use; the rest covers what it cannot measure.
const USABLE: f64 = 0.93;

/// Subtracted from each move's time, but at most a quarter of it: covers the way to the server and back, and what a
/// virtual machine short of processors charges to the running process. With 0.5 ms, four of 25,000 moves in 20 ms were
/// lost on a busy one.
const OVERHEAD: Duration = Duration::from_millis(2);

/// The clock of a player in one game.
///
/// If the server sets limits, each move has its own. Otherwise all moves share a [`GameBudget`] of processor time,
/// measured only during the player's own calls: on many servers both players share a process.
#[derive(Clone, Debug)]
pub struct GameClock {
    limits: TimeLimits,
    /// Set if the server sets no limit.
    budget: Option<GameBudget>,
}

impl GameClock {
    /// Makes a clock for a new game.
    #[must_use]
    pub fn new(limits: &TimeLimits) -> Self {
        Self { limits: *limits, budget: (!limits.are_told()).then(GameBudget::default) }
    }

    /// Returns the time left for all moves together, if the server announces no limit.
    #[must_use]
    pub fn budget(&self) -> Option<GameBudget> {
        self.budget
    }

    /// Does work outside any move, such as initialization; the game's budget pays for it.
    pub fn charge<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = process_time();
        let result = work();
        if let Some(budget) = &mut self.budget {
            budget.spend(process_time().saturating_sub(start));
        }
        result
    }

    /// Starts measuring a move, until the result is dropped; `None` if no time is left and the player must move at
    /// once.
    pub fn start_move(&mut self, position: &Position) -> Option<MoveClock<'_>> {
        let threads = u32::try_from(self.limits.threads.get()).unwrap_or(u32::MAX);
        let usable = |time: Duration| time.mul_f64(USABLE).saturating_sub(OVERHEAD.min(time / 4));
        let limit = match &self.budget {
            Some(budget) if budget.left().is_zero() => return None,
            Some(budget) => budget.per_move(free_vertices(position)) / threads,
            None => usable(self.limits.per_move().unwrap_or(Duration::MAX)),
        };
        Some(MoveClock {
            limit,
            wall_limit: self.limits.wall.map(usable),
            cpu_start: process_time(),
            is_cpu_judged: self.limits.cpu.is_some() || self.budget.is_some(),
            start: Instant::now(),
            threads,
            asked: Duration::ZERO,
            stride: Duration::ZERO,
            budget: self.budget.as_mut(),
        })
    }
}

/// Measures a move as the server does, from its creation.
#[derive(Debug)]
pub struct MoveClock<'a> {
    /// By the clock that counts.
    limit: Duration,
    wall_limit: Option<Duration>,
    /// The processor time of all threads at the start.
    cpu_start: Duration,
    /// Whether processor time counts.
    is_cpu_judged: bool,
    start: Instant,
    threads: u32,
    /// The time of the last call of [`Self::is_over`], by the clock that counts.
    asked: Duration,
    /// The usual time between two calls; a single long one is soon forgotten.
    stride: Duration,
    /// The budget that pays for the move.
    budget: Option<&'a mut GameBudget>,
}

impl MoveClock<'_> {
    /// Returns whether to answer now, because the limit would pass before the next call.
    #[must_use]
    pub fn is_over(&mut self) -> bool {
        let wall = self.start.elapsed();
        let judged = if self.is_cpu_judged { self.cpu() / self.threads } else { wall };
        self.stride = judged.saturating_sub(self.asked).max(self.stride * 3 / 4);
        self.asked = judged;
        judged + self.stride >= self.limit || self.wall_limit.is_some_and(|limit| wall + self.stride >= limit)
    }

    /// The processor time of all threads since the start.
    fn cpu(&self) -> Duration {
        process_time().saturating_sub(self.cpu_start)
    }
}

impl Drop for MoveClock<'_> {
    fn drop(&mut self) {
        let used = self.cpu();
        if let Some(budget) = &mut self.budget {
            budget.spend(used);
        }
    }
}

/// Vertices without a stone.
fn free_vertices(position: &Position) -> usize {
    position.board().vertices().filter(|&vertex| position.is_free(vertex)).count()
}

/// The processor time of all threads of this process.
fn process_time() -> Duration {
    time_by(libc::CLOCK_PROCESS_CPUTIME_ID)
}

/// Returns the processor time of this thread.
#[must_use]
pub fn thread_time() -> Duration {
    time_by(libc::CLOCK_THREAD_CPUTIME_ID)
}

fn time_by(clock: libc::clockid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is valid for writes; Linux has both clocks.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}
