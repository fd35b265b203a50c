//! The choice of who meets next: a pure function of the players' ratings and games.
//!
//! Each player has a load: the sum of the [`cost`] of its pairs so far, and as much again for each time that it kept the
//! games waiting, without computing a move, for as long as its half of a mean game takes. The player with the least load
//! is next, so that all of the same certainty play at the same rate, and uncertain ones up to four times as often. Its
//! opponent has a similar rating and little load, and has not met it all the time. An anchor, with which others are
//! compared, is met by all, whatever its load and rating.

use super::Rating;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A player whose deviation is no more than this plays at the usual rate.
const STEADY: f64 = 75.0;

/// Maximum factor of uncertainty on the rate.
const RATE_MAX: f64 = 4.0;

/// How alike an anchor is to everybody, at least.
const ANCHOR: f64 = 0.5;

/// How much of a mark chance decides.
const CHANCE: f64 = 0.1;

/// A player that is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// How strong it is thought to be.
    pub rating: Rating,
    /// The cost of its pairs so far.
    pub load: f64,
    /// How many pairs it has, those that are still played included.
    pub pairs: u32,
    /// Whether it had all its games, and plays only to help others.
    pub is_done: bool,
    /// Whether others are compared with it.
    pub is_anchor: bool,
}

/// Returns what a pair costs a player with this rating: 1, or less for an uncertain one.
pub fn cost(rating: &Rating) -> f64 {
    1.0 / (rating.deviation / STEADY).clamp(1.0, RATE_MAX)
}

/// Chooses two players by their places in a list: the one whose turn it is, and its opponent; none when all are done.
///
/// `met` returns how many pairs the first player has played against another one, `seed` decides between like ones.
pub fn choose(candidates: &[Candidate], met: impl Fn(usize, usize) -> u32, seed: u64) -> Option<[usize; 2]> {
    if candidates.len() < 2 {
        return None;
    }
    let turn = |&one: &usize, &two: &usize| {
        let [one, two] = [&candidates[one], &candidates[two]];
        one.load.total_cmp(&two.load).then(two.rating.deviation.total_cmp(&one.rating.deviation))
    };
    let first = (0..candidates.len()).filter(|&player| !candidates[player].is_done).min_by(turn)?;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut best: Option<(f64, usize)> = None;
    for second in (0..candidates.len()).filter(|&player| player != first) {
        let chance = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let others = (candidates.len() - 1) as f64;
        let share = others * f64::from(met(first, second)) / f64::from(candidates[first].pairs.max(1));
        let mark = mark(&candidates[first], &candidates[second], share) * (1.0 - CHANCE * chance);
        if best.is_none_or(|(highest, _)| mark > highest) {
            best = Some((mark, second));
        }
    }
    best.map(|(_, second)| [first, second])
}

/// Returns how good an opponent the second player is: 1 for one of the same rating that is new to the first one and has
/// no more load. `share` is how often the two met, in parts of what it would be if the first one met all others alike.
///
/// Likeness must not decide alone: players that luck has put next to each other would then only meet each other, and
/// how such groups compare would never be found out.
fn mark(first: &Candidate, second: &Candidate, share: f64) -> f64 {
    let (least, lead) = if second.is_anchor { (ANCHOR, 0.0) } else { (0.0, (second.load - first.load).max(0.0)) };
    likeness(&first.rating, &second.rating).max(least).sqrt() / (1.0 + share) / (1.0 + lead)
}

/// Returns how open a game is: 1 when both win as often, near 0 when it is clear who does. Glickman's expected score,
/// which takes into account how little is known.
fn likeness(one: &Rating, two: &Rating) -> f64 {
    let scale = std::f64::consts::LN_10 / 400.0;
    let deviation = one.deviation.hypot(two.deviation) * scale;
    let weight = 1.0 / (1.0 + 3.0 * (deviation / std::f64::consts::PI).powi(2)).sqrt();
    let expected = 1.0 / (1.0 + (-weight * (one.points - two.points) * scale).exp());
    4.0 * expected * (1.0 - expected)
}
