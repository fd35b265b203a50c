//! Hints from counting every deal: how many are left, the likeliest secret, and the best question.

use rand::SeedableRng as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::deck::Triple;
use crate::knowledge::deals::Deals;
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::Weighing;
use crate::knowledge::questions::best_question;

/// Deals by which questions are compared.
const DEALS: usize = 1_000;

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hint {
    /// How many deals agree with what the player has seen: exact up to 2^53.
    pub deals: f64,
    /// How many different secrets they have.
    pub solutions: usize,
    pub likeliest: Triple,
    /// Its chance, if whoever has several cards to show chooses any of them.
    pub chance: f64,
    /// The question after which the secret is least uncertain; none if it is certain.
    pub question: Option<Triple>,
}

impl Hint {
    /// Counts the deals that agree with the facts and have none of the `wrong` secrets; the same facts give the same
    /// hint. Nothing if there are no such deals, or too many to count.
    pub fn new(facts: &Facts, wrong: &[Triple]) -> Option<Self> {
        let known = Deductions::new(facts, Rules::Further);
        let count = |weighing| Deals::new(facts, &known, weighing, wrong).ok();
        let (alike, shown) = (count(Weighing::Alike)?, count(Weighing::Shown)?);
        let triples = shown.triples()?;
        let &(likeliest, chance) = triples.first()?;
        let question = (triples.len() > 1).then(|| {
            let mut deals = Vec::with_capacity(DEALS);
            shown.draw(&mut Xoshiro256PlusPlus::seed_from_u64(0), |deal| {
                deals.push(deal);
                deals.len() == DEALS
            });
            best_question(facts, &known, shown.problem(), &deals)
        });
        Some(Self { deals: alike.total(), solutions: triples.len(), likeliest, chance, question })
    }
}
