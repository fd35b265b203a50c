//! A player's time and memory.

use std::time::Duration;

use amazons_rules::{Position, Shape};

use super::{Steps, Tries, start};
use crate::check::Servers;
use crate::check::finding::{Finding, Status};
use crate::check::harness::Visit;
use crate::check::leaks::{self, LeakSearch};
use crate::check::opponent::RandomMover;
use crate::check::step::CheckStep;
use crate::check::trouble::Trouble;
use crate::host::{Limits, Pondering};
use crate::referee::{CallError, Seat, Termination};

/// On a board of this size, the two large arrays of the matrix take 11 KiB each; what language runtimes keep is less
/// than the limit.
const COUNTING_SIZE: u32 = 20;
const KEPT_MAX: i32 = 10 << 10;
/// A board whose columns and directions take 0.2 MB each, and how much more a player must keep there to have kept
/// either of them: what a language's runtime keeps for itself varies, but does not grow with the board.
const GROWN_SIZE: u32 = 80;
const GROWTH_MAX: i32 = 100 << 10;

/// The usable share of a limit: other machines may be slower.
const SHARE_MAX: f64 = 0.8;
/// The length of the pause, and how much a player may compute in it: coming to rest takes a moment.
const IDLE: Duration = Duration::from_millis(200);
const IDLE_CPU: Duration = Duration::from_millis(10);
/// A player that never stops computing must not end the step, however short its limit.
const IDLE_LIMIT: Duration = Duration::from_secs(30);

impl Steps {
    pub(super) fn frees(&mut self) -> anyhow::Result<Finding> {
        if let Some(finding) = self.too_late() {
            return Ok(finding);
        }
        let counted = self.count_kept()?;
        if self.search == LeakSearch::Counting {
            return Ok(counted);
        }
        if let Some((step, _)) = self.known.iter().find(|(_, trouble)| trouble.termination == Termination::Violation) {
            let number = step.number();
            let why = format!("valgrind runs outside the sandbox, which step {number} showed to be needed");
            return Ok(match counted.status {
                Status::Failed => Finding { detail: format!("{}; {why}", counted.detail), ..counted },
                Status::Passed | Status::Skipped => Finding::skipped(why),
            });
        }
        let seen = leaks::look(self.harness.player(), self.harness.directions, self.harness.config.seed)?;
        Ok(match (counted.status, seen.status) {
            (Status::Passed, _) => seen,
            // Valgrind names what was only counted, or the cause of the failure.
            (_, Status::Failed) => Finding { detail: format!("{}; {}", seen.detail, counted.detail), ..seen },
            _ => Finding { detail: format!("{}; {}", counted.detail, seen.detail), ..counted },
        })
    }

    /// Compares the memory in use of the player's process before `initialize` and after `finalize`.
    fn count_kept(&mut self) -> anyhow::Result<Finding> {
        let visit = self.visit_to_count(COUNTING_SIZE)?;
        let kept = visit.result.as_ref().ok().copied().flatten().filter(|&kept| kept > KEPT_MAX);
        if let Some(kept) = kept
            && let Ok(Some(grown)) = self.visit_to_count(GROWN_SIZE)?.result
            && grown.saturating_sub(kept) <= GROWTH_MAX
        {
            return Ok(Finding::passed(format!(
                "everything passed to it; it keeps {kept} bytes of its own, which do not grow with the board"
            )));
        }
        Ok(match visit.result {
            Ok(Some(kept)) if kept > KEPT_MAX => Finding::failed(
                format!("{kept} bytes passed to it or allocated by it are not freed when finalize returns"),
                match self.search {
                    LeakSearch::Counting => format!(
                        "free each block once, and empty static containers in finalize; 'server check --valgrind {}' \
                         names the lost ones",
                        self.harness.player().display()
                    ),
                    LeakSearch::Valgrind => "free each block once, including those of its libraries".to_owned(),
                },
            ),
            Ok(Some(_)) if self.search == LeakSearch::Valgrind => Finding::passed("counted"),
            Ok(Some(_)) => Finding::passed(format!(
                "no large block is lost, counted with m = {COUNTING_SIZE}; --valgrind looks closer"
            )),
            Ok(None) => Finding::skipped("its process did not report what it keeps"),
            Err(fault) if self.known.iter().any(|(_, trouble)| trouble.termination == fault.termination) => {
                Finding::skipped(format!("it failed in {} before the count", fault.call))
            }
            Err(fault) => {
                self.fail(CheckStep::Frees, Trouble::of_visit("square", &fault, &visit.log_tail), 1, Tries::ONE)
            }
        })
    }

    fn visit_to_count(&mut self, size: u32) -> anyhow::Result<Visit<Option<i32>>> {
        self.harness.visit(&start(Shape::Square, size), 0, None, |player| {
            player.load()?;
            player.initialize()?;
            player.finalize()?;
            Ok(player.kept_memory())
        })
    }

    pub(super) fn time(&self) -> Finding {
        if let Some(finding) = self.too_late() {
            return finding;
        }
        let limits = &self.harness.config.limits;
        let games = &self.harness.usage.games;
        let mut moves: Vec<Duration> = games.iter().flatten().copied().collect();
        moves.sort_unstable();
        let (Some(&median), Some(&most)) = (moves.get(moves.len() / 2), moves.last()) else {
            return Finding::skipped("it made no move");
        };
        let detail = format!("median {median:.1?}, at most {most:.1?} of {:?} a move", limits.play);
        let (detail, share) = match limits.game {
            None => (detail, most.as_secs_f64() / limits.play.as_secs_f64()),
            Some(time) => {
                let share = |game: &Vec<Duration>| {
                    let gained = time.increment.saturating_mul(u32::try_from(game.len()).unwrap_or(u32::MAX));
                    game.iter().sum::<Duration>().as_secs_f64() / time.bank.saturating_add(gained).as_secs_f64()
                };
                let share = games.iter().map(share).fold(0.0, f64::max);
                (
                    format!("median {median:.1?}, at most {most:.1?} a move; {:.0} % of a game's time", share * 100.0),
                    share,
                )
            }
        };
        if share > SHARE_MAX && self.servers == Servers::All {
            let advice = "leave a fifth of the limit: other machines are slower, other servers measure the wall clock";
            return Finding::failed(format!("{detail}, {}", too_much()), advice);
        }
        Finding::passed(detail)
    }

    pub(super) fn memory(&self) -> Finding {
        let (peak, limit) = (self.harness.usage.peak_bytes, self.harness.config.limits.memory);
        if let Some((step, _)) = self.known.iter().find(|(_, trouble)| trouble.termination == Termination::OutOfMemory)
        {
            return Finding::skipped(format!("a call ran out of memory, see step {}", step.number()));
        }
        if peak == 0 {
            return Finding::skipped("the kernel does not report it");
        }
        let detail = format!("{} MiB of {} MiB", peak.div_ceil(1 << 20), limit >> 20);
        #[expect(clippy::cast_precision_loss, reason = "a share needs no precision")]
        let share = peak as f64 / limit as f64;
        if share > SHARE_MAX && self.servers == Servers::All {
            let detail = format!("{detail}, {}", too_much());
            return Finding::failed(detail, "leave a fifth of the limit: it grows with the board");
        }
        Finding::passed(detail)
    }

    /// Asks for a move, pauses, and asks again, twice.
    pub(super) fn quiet(&mut self) -> anyhow::Result<Finding> {
        if let Some(finding) = self.too_late() {
            return Ok(finding);
        }
        let play = self.harness.config.limits.play.max(IDLE_LIMIT);
        let limits = Limits {
            play,
            game: None,
            // A stopped process could not be caught computing.
            pondering: Pondering::Charged,
            ..self.harness.config.limits.clone()
        };
        let position = start(self.usable(self.size)[0], self.size);
        let seed = self.harness.config.seed;
        let visit = self.harness.visit(&position, 0, Some(&limits), |player| {
            player.load()?;
            player.initialize()?;
            player.name()?;
            rest(player, &position, seed)
        })?;
        let most = match visit.result {
            Ok(Some(most)) => most,
            Ok(None) => return Ok(Finding::skipped("it did not make two legal moves")),
            Err(fault) => {
                let trouble = Trouble::of_visit("between two moves", &fault, &visit.log_tail);
                return Ok(self.judge(CheckStep::Quiet, &[trouble], Tries::ONE, String::new()));
            }
        };
        let most_text = if most.is_zero() { "no".to_owned() } else { format!("{most:.1?} of") };
        let detail = format!("{most_text} processor time in {IDLE:?} after a move");
        Ok(if most > IDLE_CPU {
            let detail = format!("{detail}, more than {IDLE_CPU:?}");
            Finding::failed(
                detail,
                "let its threads sleep between calls: this server charges such time to its next move",
            )
        } else {
            Finding::passed(detail)
        })
    }

    /// Skips a step for a player that was too slow before.
    pub(super) fn too_late(&self) -> Option<Finding> {
        let (step, _) = self.known.iter().find(|(_, trouble)| trouble.termination == Termination::Timeout)?;
        Some(Finding::skipped(format!("a call ran out of time, see step {}", step.number())))
    }
}

/// Names the rule about shares of limits.
fn too_much() -> String {
    format!("more than {:.0} % of the limit", SHARE_MAX * 100.0)
}

/// Lets a player move three times with pauses, and returns its computing time in a pause, unless the game ends first.
fn rest(player: &mut dyn Seat, position: &Position, seed: u64) -> Result<Option<Duration>, CallError> {
    let mut opponent = RandomMover::new(position, seed);
    let mut position = position.clone();
    let mut most = None;
    let mut previous = None;
    loop {
        let answer = player.play(previous)?;
        if previous.is_some() {
            most = most.max(Some(answer.usage.idle_cpu));
        }
        if most.is_some() || position.try_play(answer.value).is_err() {
            return Ok(most);
        }
        previous = opponent.answer(Some(answer.value));
        let is_over = previous.is_none_or(|mv| position.try_play(mv).is_err()) || !position.has_moves();
        if is_over {
            return Ok(None);
        }
        std::thread::sleep(IDLE);
    }
}
