use std::time::{Duration, Instant};

use amazons_rules::Position;

use crate::{GameBudget, TimeLimits, open_vertices};

/// The fraction of a move's time that a player should use; the rest covers what it cannot measure.
const USABLE: f64 = 0.93;

/// Subtracted from each move's time, but at most a quarter of it: covers the way to the server and back, and what a
/// virtual machine short of processors charges to the running process. With 0.5 ms, four of 25,000 moves in 20 ms were
/// lost on a busy one; with 2 ms, two of 9,000 with nine busy processes for each processor.
const OVERHEAD: Duration = Duration::from_millis(3);

/// The share of a game's time that is kept back for what a player cannot measure, and the least that is.
const RESERVE: f64 = 0.02;
const MIN_RESERVE: Duration = Duration::from_millis(10);

/// The part of each move that a player cannot measure, by processor time and by the wall clock.
const UNSEEN_CPU: Duration = Duration::from_micros(100);
const UNSEEN_WALL: Duration = Duration::from_millis(1);

/// The clock of a player in one game.
///
/// If the server limits each move, every move has as much. If it limits the game, or nothing, all moves share a
/// [`GameBudget`], measured only during the player's own calls: on many servers both players share a process.
#[derive(Clone, Debug)]
pub struct GameClock {
    limits: TimeLimits,
    /// Set if all moves share their time.
    budget: Option<GameBudget>,
}

impl GameClock {
    /// Makes a clock for a new game.
    #[must_use]
    pub fn new(limits: &TimeLimits) -> Self {
        let of_game = |game: Duration| {
            let reserve = game.mul_f64(RESERVE).max(MIN_RESERVE).min(game / 4);
            GameBudget::new(game - reserve, limits.increment)
        };
        let untold = (!limits.are_told()).then(GameBudget::default);
        Self { limits: *limits, budget: limits.game.map(of_game).or(untold) }
    }

    /// Returns the time left for all moves together, if they share it.
    #[must_use]
    pub fn budget(&self) -> Option<GameBudget> {
        self.budget
    }

    /// Does work outside any move, such as initialization; the budget of a game without limits pays for it.
    pub fn charge<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = process_time();
        let result = work();
        if let Some(budget) = self.budget.as_mut().filter(|_| !self.limits.are_told()) {
            budget.spend(process_time().saturating_sub(start));
        }
        result
    }

    /// Starts measuring a move, until the result is dropped; `None` if the player allows itself no more time and must
    /// move at once. A sole legal move has no time.
    pub fn start_move(&mut self, position: &Position) -> Option<MoveClock<'_>> {
        let threads = u32::try_from(self.limits.threads.get()).unwrap_or(u32::MAX);
        let usable = |time: Duration| time.mul_f64(USABLE).saturating_sub(OVERHEAD.min(time / 4));
        let is_told = self.limits.are_told();
        let each = self.limits.per_move().map_or(Duration::MAX, usable);
        let (usual, most) = match &self.budget {
            _ if position.has_one_move() => (Duration::ZERO, Duration::ZERO),
            Some(budget) if budget.left().is_zero() && !is_told => return None,
            Some(budget) => {
                let (open, share) = (open_vertices(position), if is_told { 1 } else { threads });
                (budget.per_move(open) / share, budget.most_per_move(open) / share)
            }
            None => (each, each),
        };
        // With the wall clock's limit, both are told, as much for each thread.
        let is_wall_judged = match (self.limits.wall, self.limits.cpu) {
            (wall, Some(cpu)) => wall.is_some_and(|wall| wall <= cpu / threads),
            (_, None) => is_told,
        };
        Some(MoveClock {
            limit: usual.min(each),
            usual,
            most: most.min(each),
            wall_limit: self.limits.wall.map(usable),
            cpu_start: process_time(),
            is_wall_judged,
            start: Instant::now(),
            threads,
            asked: Duration::ZERO,
            stride: Duration::ZERO,
            unseen: match (is_told, is_wall_judged) {
                (false, _) => Duration::ZERO,
                (true, false) => UNSEEN_CPU,
                (true, true) => UNSEEN_WALL,
            },
            paid_by: if is_told { 1 } else { threads },
            budget: self.budget.as_mut(),
        })
    }
}

/// Measures a move as the server does, from its creation.
#[derive(Debug)]
pub struct MoveClock<'a> {
    /// By the clock that counts.
    limit: Duration,
    /// The limit of a move that is as hard as most, and of the hardest.
    usual: Duration,
    most: Duration,
    wall_limit: Option<Duration>,
    /// The processor time of all threads at the start.
    cpu_start: Duration,
    /// Whether the wall clock counts, not processor time.
    is_wall_judged: bool,
    start: Instant,
    threads: u32,
    /// The time of the last call of [`Self::is_over`], by the clock that counts.
    asked: Duration,
    /// The usual time between two calls; a single long one is soon forgotten.
    stride: Duration,
    /// The part of the move that cannot be measured.
    unseen: Duration,
    /// The budget counts the time of so many threads together.
    paid_by: u32,
    /// The budget that pays for the move.
    budget: Option<&'a mut GameBudget>,
}

impl MoveClock<'_> {
    /// Returns whether to answer now, because the limit would pass before the next call.
    #[must_use]
    pub fn is_over(&mut self) -> bool {
        let (wall, judged) = (self.start.elapsed(), self.judged());
        self.stride = judged.saturating_sub(self.asked).max(self.stride * 3 / 4);
        self.asked = judged;
        judged + self.stride >= self.limit || self.wall_limit.is_some_and(|limit| wall + self.stride >= limit)
    }

    /// If later moves get what this one leaves, gives it `share` of its usual time, and returns the time used and left.
    pub fn share(&mut self, share: impl FnOnce(Duration) -> f64) -> Option<[Duration; 2]> {
        self.budget.as_ref()?;
        let used = self.judged();
        self.limit = self.usual.mul_f64(share(used)).min(self.most);
        Some([used, self.limit.saturating_sub(used)])
    }

    /// The time since the start by the clock that counts.
    fn judged(&self) -> Duration {
        if self.is_wall_judged {
            self.start.elapsed()
        } else {
            process_time().saturating_sub(self.cpu_start) / self.threads
        }
    }
}

impl Drop for MoveClock<'_> {
    fn drop(&mut self) {
        let used = self.judged() * self.paid_by + self.unseen;
        if let Some(budget) = &mut self.budget {
            budget.finish_move(used);
        }
    }
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
