//! All deals that agree with facts, without those whose secret is known to be wrong.

use rand::{Rng, RngExt};

use crate::deck::{CardSet, KINDS, Triple};
use crate::knowledge::chances::{Chances, Uncounted};
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::Deductions;
use crate::knowledge::problem::{Problem, Weighing};
use crate::knowledge::samples::{Sample, Sampler};

/// Numbers of deals are exact up to 2^53.
pub const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// Deals, counted in parts that have none in common.
#[derive(Clone, Debug)]
pub struct Deals {
    parts: Vec<Chances>,
    total: f64,
}

impl Deals {
    /// Counts the deals that agree with facts and have none of the `wrong` secrets.
    pub fn new(facts: &Facts, known: &Deductions, weighing: Weighing<'_>, wrong: &[Triple]) -> Result<Self, Uncounted> {
        let problem = Problem::new(facts, known, weighing);
        let mut parts = Vec::new();
        for secret in without(problem.secret, wrong) {
            match Chances::new(Problem { secret, ..problem.clone() }) {
                Ok(part) => parts.push(part),
                Err(Uncounted::NoDeal) => {}
                Err(error) => return Err(error),
            }
        }
        let total = parts.iter().map(Chances::total).sum();
        if parts.is_empty() { Err(Uncounted::NoDeal) } else { Ok(Self { parts, total }) }
    }

    /// Returns the sum of the weights of all deals: their number if they are weighed alike, exact up to [`MAX_EXACT`].
    pub const fn total(&self) -> f64 {
        self.total
    }

    /// Returns the number of deals that have a chance, if they are weighed alike.
    pub fn count(&self, chance: f64) -> f64 {
        (chance * self.total).round()
    }

    /// Returns the problem that was counted; its secrets are those of the first part.
    pub fn problem(&self) -> &Problem {
        &self.parts[0].problem
    }

    /// Returns for each seat, and last for the secret, the chance that a card is there.
    pub fn places(&self, known: &Deductions) -> Vec<Vec<f64>> {
        let mut places = known.certain();
        for part in &self.parts {
            part.add_places(part.total() / self.total, &mut places);
        }
        places
    }

    /// Returns the chance of each possible secret, the likeliest first.
    pub fn triples(&self) -> Option<Vec<(Triple, f64)>> {
        let mut triples = Vec::new();
        for part in &self.parts {
            let share = part.total() / self.total;
            triples.extend(part.triples()?.into_iter().map(|(cards, chance)| (cards, chance * share)));
        }
        triples.retain(|(_, chance)| *chance > 0.0);
        triples.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        Some(triples)
    }

    /// Draws deals by their weights until `take` has enough.
    pub fn draw<R: Rng>(&self, rng: &mut R, mut take: impl FnMut(Sample) -> bool) {
        let samplers: Vec<Sampler<'_>> = self.parts.iter().map(Sampler::new).collect();
        loop {
            let mut sampler = &samplers[0];
            if samplers.len() > 1 {
                let mut left = rng.random::<f64>() * self.total;
                for (part, other) in self.parts.iter().zip(&samplers) {
                    sampler = other;
                    left -= part.total();
                    if left < 0.0 {
                        break;
                    }
                }
            }
            let mut sample = Sample::default();
            sampler.draw(rng, &mut sample);
            if take(sample) {
                return;
            }
        }
    }
}

/// Splits the secrets that candidates of each type allow into blocks that have none of the wrong ones.
fn without(candidates: [CardSet; 3], wrong: &[Triple]) -> Vec<[CardSet; 3]> {
    let mut blocks = vec![candidates];
    for cards in wrong {
        let has_it = |block: &[CardSet; 3]| KINDS.iter().all(|&kind| block[kind].contains(cards[kind]));
        let (split, mut left): (Vec<_>, Vec<_>) = blocks.into_iter().partition(has_it);
        for mut block in split {
            for kind in KINDS {
                let mut others = block;
                others[kind].remove(cards[kind]);
                left.push(others);
                block[kind] = CardSet::one(cards[kind]);
            }
        }
        left.retain(|block| block.iter().all(|cards| !cards.is_empty()));
        blocks = left;
    }
    blocks
}
