//! Which question tells most about the secret.

use crate::deck::CardSet;
use crate::knowledge::chances::Chances;
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::Deductions;
use crate::knowledge::samples::Sample;

/// Returns the question after which the secret is least uncertain in deals that were drawn from `chances`.
pub fn best_question(facts: &Facts, known: &Deductions, chances: &Chances, deals: &[Sample]) -> [usize; 3] {
    let players = facts.players();
    let before = |other: usize| u8::try_from((other + players - facts.me - 1) % players).unwrap_or(0);
    let order: Vec<u8> = chances.problem().holders.iter().map(|holder| before(holder.seat)).collect();
    let mut questions = Questions::new(deals, &order);
    for other in (0..players).filter(|&other| other != facts.me) {
        questions.locate(known.has[other], before(other));
    }
    let cards = [0, 1, 2].map(|kind| nameable(facts, known, kind));
    let mut best = ([0; 3], f64::INFINITY);
    for first in cards[0].iter() {
        for second in cards[1].iter() {
            for third in cards[2].iter() {
                let entropy = questions.entropy_after([first, second, third]);
                if entropy < best.1 - 1e-9 {
                    best = ([first, second, third], entropy);
                }
            }
        }
    }
    best.0
}

/// Returns the cards of a type that a question may have: those that may be secret, and the first own one.
pub fn nameable(facts: &Facts, known: &Deductions, kind: usize) -> CardSet {
    let own = facts.hand() & facts.deck.of_kind(kind);
    known.candidates(kind) | own.first().map_or(CardSet::EMPTY, CardSet::one)
}

/// Units of a sample's weight: enough for halves and thirds.
const UNITS: usize = 6;

/// Deals that were drawn, ready to be asked.
#[derive(Clone, Debug)]
struct Questions {
    /// For each deal and card: how many are asked before its holder, or [`NOBODY`].
    holders: Vec<[u8; 64]>,
    /// For each deal, which of the distinct secrets it has.
    secrets: Vec<usize>,
    kinds: usize,
    /// x log x.
    entropy: Vec<f64>,
    cells: Vec<usize>,
    totals: [usize; OUTCOMES],
}

const NOBODY: u8 = 31;
/// A seat may show one of three cards, or nobody shows any.
const OUTCOMES: usize = 32 * 3;

impl Questions {
    /// Takes deals over; `order` holds for each holder of the problem how many are asked before it.
    fn new(deals: &[Sample], order: &[u8]) -> Self {
        let mut distinct: Vec<[usize; 3]> = Vec::new();
        let mut holders = Vec::with_capacity(deals.len());
        let mut secrets = Vec::with_capacity(deals.len());
        for deal in deals {
            let mut places = [NOBODY; 64];
            for (hand, &before) in deal.hands.iter().zip(order) {
                for card in hand.iter() {
                    places[card] = before;
                }
            }
            holders.push(places);
            let secret = distinct.iter().position(|secret| *secret == deal.secret).unwrap_or_else(|| {
                distinct.push(deal.secret);
                distinct.len() - 1
            });
            secrets.push(secret);
        }
        let log = |units: usize| units as f64 * (units.max(1) as f64).ln();
        let entropy = (0..=UNITS * deals.len()).map(log).collect();
        let kinds = distinct.len();
        Self { holders, secrets, kinds, entropy, cells: vec![0; OUTCOMES * kinds], totals: [0; OUTCOMES] }
    }

    /// Cards whose holder is known are with that holder in all deals.
    fn locate(&mut self, cards: CardSet, before: u8) {
        for places in &mut self.holders {
            for card in cards.iter() {
                places[card] = before;
            }
        }
    }

    /// Returns the expected entropy of the secret after a question, times the number of deals and [`UNITS`].
    fn entropy_after(&mut self, cards: [usize; 3]) -> f64 {
        let mut sum = 0.0;
        let mut touched = [0_u8; 3 * 32];
        let mut count = 0;
        for (places, &secret) in self.holders.iter().zip(&self.secrets) {
            let before = cards.map(|card| places[card]);
            let first = before[0].min(before[1]).min(before[2]);
            let choices = before.iter().filter(|&&place| place == first).count();
            let units = if first == NOBODY { UNITS } else { UNITS / choices };
            for place in (0..3).filter(|&place| before[place] == first) {
                let outcome = usize::from(first) * 3 + place;
                if self.totals[outcome] == 0 {
                    touched[count] = first * 3 + [0, 1, 2][place];
                    count += 1;
                }
                self.totals[outcome] += units;
                let cell = &mut self.cells[outcome * self.kinds + secret];
                sum += self.entropy[*cell] - self.entropy[*cell + units];
                *cell += units;
                if first == NOBODY {
                    break;
                }
            }
        }
        for &outcome in &touched[..count] {
            let outcome = usize::from(outcome);
            sum += self.entropy[self.totals[outcome]];
            self.totals[outcome] = 0;
            self.cells[outcome * self.kinds..(outcome + 1) * self.kinds].fill(0);
        }
        sum
    }
}
