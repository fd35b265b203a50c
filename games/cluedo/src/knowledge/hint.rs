//! Hints from counting every deal: how many are left, the likeliest secret, and the best question.

use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::knowledge::chances::Chances;
use crate::knowledge::count::{Problem, Weighing};
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::questions::best_question;
use crate::knowledge::samples::{Sample, Sampler};

/// Deals by which questions are compared.
const DEALS: usize = 1_000;

/// A hint for a player's turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hint {
    /// How many deals agree with what the player has seen: exact up to 2^53.
    pub deals: f64,
    /// How many different secrets they have.
    pub solutions: usize,
    /// The likeliest of these secrets.
    pub likeliest: [usize; 3],
    /// Its chance, if whoever has several cards to show chooses any of them.
    pub chance: f64,
    /// The question after which the secret is least uncertain; none if it is certain.
    pub question: Option<[usize; 3]>,
}

impl Hint {
    /// Counts the deals that agree with the facts and have none of the `wrong` secrets; the same facts give the same
    /// hint. Nothing if there are no such deals, or too many to count.
    pub fn new(facts: &Facts, wrong: &[[usize; 3]]) -> Option<Self> {
        let known = Deductions::new(facts, Rules::Further);
        let alike = Chances::new(Problem::of(facts, &known, Weighing::Alike)).ok()?;
        let shown = Chances::new(Problem::of(facts, &known, Weighing::Shown)).ok()?;
        let triples = possible(&shown, wrong)?;
        let share: f64 = if wrong.is_empty() { 1.0 } else { sum(&possible(&alike, wrong)?) };
        let &(likeliest, chance) = triples.first()?;
        let question = (triples.len() > 1).then(|| best_question(facts, &known, &shown, &draw(&shown, wrong)));
        let deals = (alike.total() * share).round();
        Some(Self { deals, solutions: triples.len(), likeliest, chance: chance / sum(&triples), question })
    }
}

/// Returns the chances of the secrets that are not known to be wrong.
fn possible(chances: &Chances, wrong: &[[usize; 3]]) -> Option<Vec<([usize; 3], f64)>> {
    let triples = chances.triples()?.into_iter();
    Some(triples.filter(|(cards, chance)| *chance > 0.0 && !wrong.contains(cards)).collect())
}

fn sum(triples: &[([usize; 3], f64)]) -> f64 {
    triples.iter().map(|(_, chance)| chance).sum()
}

/// Draws deals, and leaves out those whose secret is known to be wrong.
fn draw(chances: &Chances, wrong: &[[usize; 3]]) -> Vec<Sample> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
    let mut deals = vec![Sample::default(); DEALS];
    let sampler = Sampler::new(chances);
    deals.iter_mut().for_each(|deal| sampler.draw(&mut rng, deal));
    deals.retain(|deal| !wrong.contains(&deal.secret));
    deals
}
