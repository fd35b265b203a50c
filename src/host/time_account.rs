use std::time::Duration;

use super::config::Limits;
use crate::referee::{Call, Clock, Usage};

/// The limit of a call on the wall clock, as a multiple of its share: no machine is that busy.
const BACKSTOP_FACTOR: u32 = 3;
const BACKSTOP_EXTRA: Duration = Duration::from_millis(200);

/// The same for all moves of a game with its own time limit.
const GAME_BACKSTOP_FACTOR: u32 = 6;

/// A player's remaining time, and what it is charged.
///
/// With [`Clock::Cpu`] a player's time is the processor time of all its threads, divided by the number of threads that
/// it may run: with any number of threads it reaches its limit when the wall clock does.
#[derive(Clone, Debug)]
pub(crate) struct TimeAccount {
    limits: Limits,
    /// The rest of the game's time.
    bank: Option<Duration>,
    /// The rest for all moves of a game on the wall clock, whichever clock judges.
    wall_bank: Option<Duration>,
}

/// The time for one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Allowance {
    /// By the clock that judges.
    pub(crate) judged: Duration,
    /// By the wall clock.
    pub(crate) wall: Duration,
}

impl TimeAccount {
    pub(crate) fn new(limits: &Limits) -> Self {
        let bank = limits.game.map(|game| game.bank);
        let wall_bank = bank.map(|bank| bank.saturating_mul(GAME_BACKSTOP_FACTOR).saturating_add(BACKSTOP_EXTRA));
        Self { bank, wall_bank, limits: limits.clone() }
    }

    /// Returns the time for a call now.
    pub(crate) fn allowance(&self, call: Call) -> Allowance {
        let limit = match call {
            Call::Load => self.limits.load,
            Call::Initialize => self.limits.initialize,
            Call::Name => self.limits.name,
            Call::Play => self.limits.play.min(self.bank.unwrap_or(Duration::MAX)),
            Call::Finalize => self.limits.finalize,
        };
        let wall = match self.limits.clock {
            Clock::Wall => limit,
            Clock::Cpu => limit.saturating_mul(BACKSTOP_FACTOR).saturating_add(BACKSTOP_EXTRA),
        };
        let wall = if call == Call::Play { wall.min(self.wall_bank.unwrap_or(Duration::MAX)) } else { wall };
        Allowance { judged: limit, wall }
    }

    /// Returns the processor time after which the judging clock has advanced this far; `None` if it is the wall clock.
    pub(crate) fn cpu_for(&self, judged: Duration) -> Option<Duration> {
        match self.limits.clock {
            Clock::Cpu => Some(judged.saturating_mul(self.limits.threads.get())),
            Clock::Wall => None,
        }
    }

    /// Returns the cost of a call by the judging clock, including what the player computed during its opponent's turn.
    pub(crate) fn cost(&self, usage: Usage) -> Duration {
        let share = |cpu: Duration| cpu / self.limits.threads.get();
        let call = match self.limits.clock {
            Clock::Cpu => share(usage.cpu),
            Clock::Wall => usage.wall,
        };
        call + share(usage.idle_cpu)
    }

    /// Charges a call that kept to its allowance, and returns what is left: of the game's time if there is one,
    /// otherwise of the call's limit.
    pub(crate) fn charge(&mut self, call: Call, usage: Usage) -> Duration {
        let cost = self.cost(usage);
        let left = self.allowance(call).judged.saturating_sub(cost);
        match (&mut self.bank, self.limits.game, call) {
            (Some(bank), Some(game), Call::Play) => {
                let more = game.increment.saturating_mul(GAME_BACKSTOP_FACTOR);
                self.wall_bank = self.wall_bank.map(|bank| bank.saturating_sub(usage.wall).saturating_add(more));
                *bank = bank.saturating_sub(cost).saturating_add(game.increment);
                *bank
            }
            _ => left,
        }
    }

    /// Returns the limits that it began with.
    pub(crate) const fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the rest of the game's time, if that is limited.
    pub(crate) const fn bank(&self) -> Option<Duration> {
        self.bank
    }

    /// Returns the judging clock, for messages.
    pub(crate) const fn clock(&self) -> Clock {
        self.limits.clock
    }

    /// Returns whether each call's wall-clock time is charged, not only compared with a limit.
    pub(crate) const fn counts_wall(&self) -> bool {
        matches!(self.limits.clock, Clock::Wall) || self.wall_bank.is_some()
    }

    /// Returns whether a move was limited by the game's time.
    pub(crate) fn is_bank_short(&self, call: Call) -> bool {
        call == Call::Play && self.bank.is_some_and(|bank| bank < self.limits.play)
    }
}
