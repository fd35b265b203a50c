use std::time::Duration;

use amazons_protocol::Go;
use amazons_sandbox::Program;

use crate::host::{Clock, Limits, TimeAccount, Wait};
use crate::referee::{Call, Usage};

/// Extra time for a program: it keeps time by the wall clock, its helpers compute beside it, and lines take a moment to
/// arrive.
pub(super) const GRACE: Duration = Duration::from_millis(200);

/// The limit of a move without any other limit.
const LONG: Duration = Duration::from_secs(24 * 3600);

/// A program's remaining time: that of a player, with a grace.
///
/// The processor time is that of all its processes. It is stopped during its opponent's turns, so they cost it nothing.
#[derive(Clone, Debug)]
pub(super) struct TimeLeft(TimeAccount);

impl TimeLeft {
    pub(super) fn new(limits: &Limits) -> Self {
        Self(TimeAccount::new(limits))
    }

    /// Returns the time for a move.
    pub(super) fn limit(&self) -> Duration {
        self.0.allowance(Call::Play).judged.min(LONG)
    }

    /// Returns the times for `go`; `color` is the index of the program's clock, 0 or 1.
    pub(super) fn go(&self, color: usize) -> Go {
        let mut go = Go::default();
        let (limits, bank) = (self.0.limits(), self.0.bank());
        if let (Some(game), Some(bank)) = (limits.game, bank) {
            go.left[color] = Some(bank);
            go.increment[color] = Some(game.increment);
        }
        if bank.is_none() || limits.play < LONG {
            go.movetime = Some(limits.play);
        }
        go
    }

    /// Begins to wait for a move.
    pub(super) fn wait_for_move(&self, program: &mut Program) -> Wait {
        let wall = self.0.allowance(Call::Play).wall.min(LONG);
        self.wait(program, Call::Play, wall.max(self.limit() + GRACE), self.limit())
    }

    /// Begins to wait for the end of another call, which may take this long.
    pub(super) fn wait_for(&self, program: &mut Program, call: Call, limit: Duration) -> Wait {
        self.wait(program, call, limit, limit)
    }

    /// Whoever computes is stopped by the clock that judges; the wall clock is for whoever does nothing.
    fn wait(&self, program: &mut Program, call: Call, wall: Duration, judged: Duration) -> Wait {
        if let Some(cpu) = self.0.cpu_for(judged + GRACE) {
            program.limit_computing(cpu);
        }
        Wait::new(call, wall)
    }

    /// Whether the wall clock only catches hangs.
    pub(super) fn is_backstop(&self) -> bool {
        self.0.clock() == Clock::Cpu
    }

    /// Returns the cost of a move.
    pub(super) fn cost(&self, usage: Usage) -> Duration {
        self.0.cost(usage)
    }

    /// Charges a move that came in time, and returns what is left: of the game's time if limited, otherwise of the
    /// move's.
    pub(super) fn charge(&mut self, usage: Usage) -> Duration {
        self.0.charge(Call::Play, usage)
    }
}
