use std::time::Duration;

use amazons_protocol::Go;
use amazons_sandbox::Program;

use crate::host::{Clock, Limits, Wait};
use crate::referee::{Call, Usage};

/// Extra time for a program: it keeps time by the wall clock, its helpers compute beside it, and lines take a moment to
/// arrive.
pub(super) const GRACE: Duration = Duration::from_millis(200);

/// If another clock judges, the wall-clock limit of a move as a multiple of its time: no machine is that busy.
const BACKSTOP_FACTOR: u32 = 3;

/// The limit of a move without any other limit.
const LONG: Duration = Duration::from_secs(24 * 3600);

/// A program's remaining time.
///
/// Measured as for players: by the processor time of all its processes divided by the number of threads, or by the wall
/// clock. The program is stopped during its opponent's turns, so they cost it nothing.
#[derive(Clone, Debug)]
pub(super) struct TimeLeft {
    limits: Limits,
    bank: Option<Duration>,
}

impl TimeLeft {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { bank: limits.game.map(|game| game.bank), limits: limits.clone() }
    }

    /// Returns the time for a move.
    pub(super) fn limit(&self) -> Duration {
        self.limits.play.min(self.bank.unwrap_or(Duration::MAX)).min(LONG)
    }

    /// Returns the times for `go`; `color` is the index of the program's clock, 0 or 1.
    pub(super) fn go(&self, color: usize) -> Go {
        let mut go = Go::default();
        if let (Some(game), Some(bank)) = (self.limits.game, self.bank) {
            go.left[color] = Some(bank);
            go.increment[color] = Some(game.increment);
        }
        if self.bank.is_none() || self.limits.play < LONG {
            go.movetime = Some(self.limits.play);
        }
        go
    }

    /// Begins to wait for a move.
    pub(super) fn wait_for_move(&self, program: &mut Program) -> Wait {
        let wall = if self.is_backstop() { self.limit() * BACKSTOP_FACTOR } else { self.limit() };
        self.wait(program, Call::Play, wall + GRACE, self.limit())
    }

    /// Begins to wait for the end of another call, which may take this long.
    pub(super) fn wait_for(&self, program: &mut Program, call: Call, limit: Duration) -> Wait {
        self.wait(program, call, limit, limit)
    }

    /// Whoever computes is stopped by the clock that judges; the wall clock is for whoever does nothing.
    fn wait(&self, program: &mut Program, call: Call, wall: Duration, judged: Duration) -> Wait {
        if self.is_backstop() {
            program.limit_computing((judged + GRACE) * self.limits.threads.get());
        }
        Wait::new(call, wall)
    }

    /// Whether the wall clock only catches hangs.
    pub(super) const fn is_backstop(&self) -> bool {
        matches!(self.limits.clock, Clock::Cpu)
    }

    /// Returns the cost of a move.
    pub(super) fn cost(&self, usage: Usage) -> Duration {
        match self.limits.clock {
            Clock::Wall => usage.wall,
            Clock::Cpu => usage.cpu / self.limits.threads.get(),
        }
    }

    /// Charges a move that came in time, and returns what is left: of the game's time if limited, otherwise of the
    /// move's.
    pub(super) fn charge(&mut self, cost: Duration) -> Duration {
        let left = self.limit().saturating_sub(cost);
        match (&mut self.bank, self.limits.game) {
            (Some(bank), Some(game)) => {
                *bank = bank.saturating_sub(cost).saturating_add(game.increment);
                *bank
            }
            _ => left,
        }
    }
}
