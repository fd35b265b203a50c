//! Finds out which numbering of edges a player needs, by trying the other one when a step fails.

use amazons_rules::{Board, Directions};

use super::Steps;
use super::games::Games;
use crate::check::finding::Finding;
use crate::check::harness::Side;
use crate::check::step::CheckStep;
use crate::check::trouble::Trouble;
use crate::referee::Termination;

/// The advice for a player that computes neighbours from labels.
const ADVICE: &str = "to play on every server, only compare labels and never compute a neighbour from one";

/// With the wrong numbering, at least one in this many games ends in an illegal move: on the smallest boards, honest
/// players that compute with labels failed in 28 to 40 % of games, a careful one in 15 %.
const ILLEGAL_MOVES: usize = 12;

/// The same for crashes and all other failures, which more often have other causes.
const OTHER_FAILURES: usize = 6;

impl Steps {
    /// Returns the numbering that the player needs, if it is not the requested one.
    pub(in crate::check) fn needed_directions(&self) -> Option<Directions> {
        self.refuted.as_ref().map(|_| self.harness.directions)
    }

    /// Runs `work` with the other numbering.
    pub(super) fn with_other_directions<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        let before = self.harness.directions;
        self.harness.directions = before.other();
        let done = work(self);
        self.harness.directions = before;
        done
    }

    /// Switches to the other numbering because of a failure with this one.
    pub(super) fn adopt_other_directions(&mut self, trouble: Trouble) {
        self.harness.directions = self.harness.directions.other();
        self.refuted = Some(trouble);
    }

    /// Plays games, and repeats failed ones with the other numbering unless the question is settled; the player only
    /// gets that numbering if `needs` also succeeds with it.
    pub(super) fn play_with_either(&mut self, sides: &[Side], needs: &[Side]) -> anyhow::Result<Games> {
        let games = self.play_all(sides)?;
        let Some(trouble) = games.troubles.first().filter(|_| self.refuted.is_none()).cloned() else {
            return Ok(games);
        };
        let other = self.with_other_directions(|steps| {
            let games = steps.play_all(sides)?;
            let is_well = games.troubles.is_empty() && steps.play_all(needs)?.troubles.is_empty();
            Ok(is_well.then_some(games))
        })?;
        let Some(other) = other else { return Ok(games) };
        if !self.labels_are_to_blame(sides, &games)? {
            return Ok(games);
        }
        self.adopt_other_directions(trouble);
        Ok(other)
    }

    /// Plays more games with both numberings: a player that computes with labels fails in many games with the wrong one
    /// and never with the right one. Other mistakes show in few games, and with both.
    fn labels_are_to_blame(&mut self, sides: &[Side], games: &Games) -> anyhow::Result<bool> {
        // Waiting repeatedly for a hanging player would take minutes.
        if games.troubles.iter().any(|trouble| trouble.termination == Termination::Timeout) {
            return Ok(true);
        }
        let (size, seed) = (self.size, self.harness.config.seed);
        let smaller = size.saturating_sub(1).max(Board::MIN_SIZE);
        let (mut failed, mut played) = (games.troubles.len(), games.played.len());
        for (size, seed) in [(smaller, seed), (size, seed.wrapping_add(1)), (smaller, seed.wrapping_add(1))] {
            let again = self.play_all_on(sides, size, seed)?;
            failed += again.troubles.len();
            played += again.played.len();
            let other = self.with_other_directions(|steps| steps.play_all_on(sides, size, seed))?;
            if !other.troubles.is_empty() {
                return Ok(false);
            }
        }
        let is_illegal = |trouble: &Trouble| trouble.termination == Termination::IllegalMove;
        let one_in = if games.troubles.iter().all(is_illegal) { ILLEGAL_MOVES } else { OTHER_FAILURES };
        Ok(failed * one_in >= played)
    }

    /// Tries the other numbering.
    pub(super) fn directions(&mut self) -> anyhow::Result<Finding> {
        if let Some(trouble) = &self.refuted {
            let needed = self.harness.directions;
            return Ok(only(needed, trouble, &format!("play it with --directions {needed}; {ADVICE}")));
        }
        if let Some(finding) = self.too_late_to_play() {
            return Ok(finding);
        }
        let other = self.harness.directions.other();
        let games = self.with_other_directions(|steps| steps.play_all(&[Side::First, Side::Second, Side::Both]))?;
        if let Some(trouble) = games.troubles.first().filter(|_| self.games_work) {
            self.harness.usage.games.extend(games.times);
            return Ok(only(self.harness.directions, trouble, ADVICE));
        }
        let all_well = format!(
            "{other}: {} games on {}; {}: steps {} and {}",
            games.wanted,
            self.shapes(),
            self.harness.directions,
            CheckStep::Games.number(),
            CheckStep::Itself.number()
        );
        Ok(self.judge_games(CheckStep::Directions, games, all_well))
    }
}

/// The finding for a player that only plays well with one numbering.
fn only(needed: Directions, trouble: &Trouble, advice: &str) -> Finding {
    let labels = |directions: Directions| {
        let [east, west] = directions.east_and_west();
        format!("{directions} (east {east}, west {west})")
    };
    let (needed, other) = (labels(needed), labels(needed.other()));
    Finding::failed(format!("it needs the numbering {needed}; with {other}: {}", trouble.reason), advice)
}
