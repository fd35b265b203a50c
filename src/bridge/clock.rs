use std::time::Duration;

use amazons_protocol::Go;

use crate::host::{Clock, Limits};

/// The time beyond its limit for a program: it knows its time by the wall clock, its helpers compute beside it, and
/// lines need a moment on their way.
pub(super) const GRACE: Duration = Duration::from_millis(200);

/// The limit of a move on the wall clock, where that does not count: a machine is never as busy as that.
const BACKSTOP_FACTOR: u32 = 3;

/// The limit of a move where there is no other.
const LONG: Duration = Duration::from_secs(24 * 3600);

/// The time that a program has left.
///
/// Its time is that of players: the processor time of all its processes divided by the number of threads, or the wall
/// clock. It is stopped while its opponent is to move, so there is nothing to charge it for then.
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

    /// Returns how long a move is waited for on the wall clock.
    pub(super) fn timeout(&self) -> Duration {
        GRACE
            + match self.limits.clock {
                Clock::Wall => self.limit(),
                Clock::Cpu => self.limit() * BACKSTOP_FACTOR,
            }
    }

    /// Returns the cost of a move.
    pub(super) fn cost(&self, wall: Duration, cpu: Duration) -> Duration {
        match self.limits.clock {
            Clock::Wall => wall,
            Clock::Cpu => cpu / self.limits.threads.get(),
        }
    }

    /// Charges a move that came in time, and returns what is left: of the game's time where there is one, of the move's
    /// limit otherwise.
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
