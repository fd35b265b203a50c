//! From the engine's values to the chances that people and programs are told.
//!
//! The network learned from boards of at most 196 vertices. On larger ones it is too sure of the winner, the more
//! so the more vertices are free. Play compares values with each other and takes them as they are; whoever is told a
//! chance gets the log-odds of the value divided by a factor.

use amazons_rules::Position;
use amazons_search::Proof;

use crate::Evaluation;
use crate::evaluation::UNIT;

/// Values of positions with so many free vertices, as c12 has at the start, are right as they are; above, log-odds grow
/// too large with the square of the number. Fitted to results of games, see `docs/strength.md`, "Large boards".
const RIGHT: f32 = 128.0;
/// Without a proof, a value is never nearer to certainty than this.
const DOUBT: f32 = 0.0001;

/// Returns the chance to win, 0 to 1, of a value from -1 to 1 that a search of a position, or one of its lines, has; 0
/// and 1 only with a proof.
#[must_use]
pub fn chance(value: f32, proof: Option<Proof>, position: &Position) -> f32 {
    let probability = f32::midpoint(value, 1.0);
    if proof.is_some() {
        return probability;
    }
    let probability = probability.clamp(DOUBT, 1.0 - DOUBT);
    match overconfidence(position) {
        1.0 => probability,
        factor => 1.0 / (1.0 + (1.0 / probability - 1.0).powf(1.0 / factor)),
    }
}

impl Evaluation {
    /// Returns the chance to win, 0 to 1, of the evaluation of a position.
    #[must_use]
    pub fn chance(&self, position: &Position) -> f32 {
        self.logistic(UNIT * overconfidence(position))
    }
}

/// Returns how many times the log-odds of a position are too large.
fn overconfidence(position: &Position) -> f32 {
    let free = position.free_vertices();
    (free as f32 / RIGHT).max(1.0).powi(2)
}
