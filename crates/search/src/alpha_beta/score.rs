use crate::{Outcome, Player, Proof};

/// A value seen from the side to move, in millionths; wins lie above every guess.
pub(super) type Score = i32;

/// The score of a value of 1.
const SCALE: f32 = 1_000_000.0;
/// An immediate win; a win in n plies is n less.
pub(super) const WIN: Score = 2_000_000;
/// Above every score.
pub(super) const INFINITE: Score = WIN + 1;
/// Estimates stay within this, so they are never taken for wins.
pub(super) const MAX_GUESS: Score = 999_999;

/// Quantises an evaluator's value as `turn` sees it.
#[expect(clippy::cast_possible_truncation, reason = "the product is clamped, and NaN becomes 0")]
#[inline]
pub(super) fn from_guess(value: f32, turn: Player) -> Score {
    ((value * turn.sign() * SCALE).round() as Score).clamp(-MAX_GUESS, MAX_GUESS)
}

/// The score of a game that has ended `ply` plies below the root.
#[inline]
pub(super) fn from_outcome(outcome: Outcome, turn: Player, ply: u8) -> Score {
    match outcome {
        Outcome::Draw => 0,
        Outcome::Win(winner) if winner == turn => WIN - Score::from(ply),
        Outcome::Win(_) => Score::from(ply) - WIN,
    }
}

/// Returns whether a score is a win or a loss rather than an estimate.
#[inline]
pub(super) fn is_decided(score: Score) -> bool {
    score.abs() > MAX_GUESS
}

/// The bound to use for a score that will be [`lowered`]; a win or loss is not lowered.
pub(super) fn raised(bound: Score, cost: Score) -> Score {
    if is_decided(bound) { bound } else { (bound + cost).min(MAX_GUESS) }
}

/// Returns a score less its cost.
pub(super) fn lowered(score: Score, cost: Score) -> Score {
    if is_decided(score) { score } else { (score - cost).max(-MAX_GUESS) }
}

/// The value of a score for First, when `turn` is to move.
#[expect(clippy::cast_precision_loss, reason = "scores have fewer than 24 bits")]
pub(super) fn value(score: Score, turn: Player) -> f32 {
    turn.sign() * if is_decided(score) { score.signum() as f32 } else { score as f32 / SCALE }
}

/// The proof in a score that is decided.
pub(super) fn proof(score: Score, turn: Player) -> Option<Proof> {
    let winner = if score > 0 { turn } else { turn.opponent() };
    is_decided(score).then(|| Proof { outcome: Outcome::Win(winner), plies: (WIN - score.abs()).unsigned_abs() })
}

/// Counts a win's plies from the node instead of from the root, for the table.
#[inline]
pub(super) fn to_table(score: Score, ply: u8) -> Score {
    if is_decided(score) { score + score.signum() * Score::from(ply) } else { score }
}

/// The inverse of [`to_table`].
#[inline]
pub(super) fn from_table(score: Score, ply: u8) -> Score {
    if is_decided(score) { score - score.signum() * Score::from(ply) } else { score }
}
