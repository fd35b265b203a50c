use std::time::Duration;

use amazons_protocol::Go;

use crate::host::{Clock, GameTime, Limits};

/// What a program may take beyond its time: it is told on the wall clock what it has, its helpers compute beside it, and
/// lines need a moment on their way.
pub(super) const GRACE: Duration = Duration::from_millis(200);

/// What every move may take on the wall clock, where that does not count: a machine is never as busy as that.
const BACKSTOP_FACTOR: u32 = 3;

/// Without a time for each move, this is what a move may take.
const LONG: Duration = Duration::from_secs(24 * 3600);

/// What a program has left.
///
/// Its time is that of players: the processor time of all its processes divided by the number of threads, or the wall
/// clock. It is stopped while its opponent is to move, so there is nothing to charge it for then.
#[derive(Clone, Debug)]
pub(super) struct TimeAccount {
    limits: Limits,
    bank: Option<Duration>,
}

impl TimeAccount {
    pub(super) fn new(limits: &Limits) -> Self {
        Self { bank: limits.game.map(|game| game.bank), limits: limits.clone() }
    }

    /// What a move may take.
    pub(super) fn limit(&self) -> Duration {
        self.limits.play.min(self.bank.unwrap_or(Duration::MAX)).min(LONG)
    }

    /// What the program is told; `color` is the place of its clock.
    pub(super) fn go(&self, color: usize) -> Go {
        let mut go = Go::default();
        if let (Some(GameTime { increment, .. }), Some(bank)) = (self.limits.game, self.bank) {
            for (field, value) in [(&mut go.left, bank), (&mut go.increment, increment)] {
                if let Some(place) = field.get_mut(color) {
                    *place = Some(value);
                }
            }
        }
        if self.bank.is_none() || self.limits.play < LONG {
            go.movetime = Some(self.limits.play);
        }
        go
    }

    /// How long a move is waited for on the wall clock.
    pub(super) fn patience(&self) -> Duration {
        GRACE
            + match self.limits.clock {
                Clock::Wall => self.limit(),
                Clock::Cpu => self.limit() * BACKSTOP_FACTOR,
            }
    }

    /// What a move has cost.
    pub(super) fn cost(&self, wall: Duration, cpu: Duration) -> Duration {
        match self.limits.clock {
            Clock::Wall => wall,
            Clock::Cpu => cpu / self.limits.threads.get(),
        }
    }

    /// Charges a move that came in time, and answers what is left: of the game's time where there is one, of the move's
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
