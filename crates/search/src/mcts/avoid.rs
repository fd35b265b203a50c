//! Chooses among lines about as good as the best.

use super::MctsConfig;
use super::arena::Arena;
use super::lines::lines;
use crate::{Avoided, Game, Outcome, Player, SearchLine, SearchReport};

/// Lines to choose from.
const LINES: usize = 24;

/// The visits after which a value compares with the best line's; a quarter of that line's also suffices.
const VISITS: u64 = 100;

/// Replaces the reported line if it is to be avoided and another is about as good.
pub(super) fn choose<G: Game>(
    arena: &Arena,
    config: &MctsConfig,
    game: &G,
    mut report: SearchReport<G::Move>,
    avoided: &Avoided<'_, G::Move>,
) -> SearchReport<G::Move> {
    let is_avoided = |moves: &[G::Move]| match moves {
        [first, second, ..] => (avoided.is_avoided)(*first, *second),
        _ => false,
    };
    if !is_avoided(&report.principal_variation) {
        return report;
    }
    let lines = lines(arena, config, game, 2, LINES);
    let Some(best) = lines.first() else { return report };
    let is_usable = |line: &&SearchLine<G::Move>| {
        line.moves.len() > 1 && !is_avoided(&line.moves) && is_as_good(line, best, game.turn(), avoided.margin)
    };
    if let Some(line) = lines.iter().find(is_usable) {
        report.best = Some(line.moves[0]);
        report.value = report.proof.map_or(line.value, |proof| proof.outcome.value());
        report.principal_variation.clone_from(&line.moves);
        if let Some(at) = report.moves.iter().position(|root| Some(root.mv) == report.best) {
            report.moves[..=at].rotate_right(1);
        }
    }
    report
}

/// Returns whether a line may replace the best one: a proven win for a win, no proven loss otherwise.
fn is_as_good<M>(line: &SearchLine<M>, best: &SearchLine<M>, turn: Player, margin: f32) -> bool {
    let [has_won, best_has_won] =
        [line, best].map(|line| line.proof.is_some_and(|proof| proof.outcome == Outcome::Win(turn)));
    let [is_lost, best_is_lost] =
        [line, best].map(|line| line.proof.is_some_and(|proof| proof.outcome == Outcome::Win(turn.opponent())));
    if best_has_won || is_lost {
        return has_won || best_is_lost;
    }
    let is_visited = line.proof.is_some() || line.visits >= VISITS.min(best.visits / 4);
    is_visited && turn.sign() * (best.value - line.value) <= margin
}
