//! Which question tells most about the secret.

use std::f64::consts::LN_2;

use crate::deck::{CardSet, KINDS, Triple};
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::Deductions;
use crate::knowledge::problem::Problem;
use crate::knowledge::samples::Sample;

/// Returns the question after which the secret is least uncertain in deals that were drawn.
pub fn best_question(facts: &Facts, known: &Deductions, problem: &Problem, deals: &[Sample]) -> Triple {
    let players = facts.players();
    let turn = |seat: usize| (seat != facts.me).then(|| (seat + players - facts.me - 1) % players);
    let mut questions = Questions::new(known, problem, deals, turn);
    let cards = KINDS.map(|kind| nameable(facts, known, kind));
    let mut best = ([0; 3], f64::INFINITY);
    for question in triples(cards) {
        let entropy = questions.entropy_after(question);
        if entropy < best.1 - 1e-9 {
            best = (question, entropy);
        }
    }
    best.0
}

/// Returns the three cards of each question with these of each type, in order.
pub fn triples(cards: [CardSet; 3]) -> impl Iterator<Item = Triple> {
    let [first, second, third] = cards;
    let pairs = first.iter().flat_map(move |one| second.iter().map(move |two| (one, two)));
    pairs.flat_map(move |(one, two)| third.iter().map(move |three| [one, two, three]))
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
pub struct Questions {
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
    /// Takes deals over; `turn` says how many are asked before a seat, and nothing for the seat that asks.
    pub fn new(known: &Deductions, problem: &Problem, deals: &[Sample], turn: impl Fn(usize) -> Option<usize>) -> Self {
        let turn = |seat| turn(seat).and_then(|turn| u8::try_from(turn).ok()).unwrap_or(NOBODY);
        let mut certain = [NOBODY; 64];
        for (seat, cards) in known.has.iter().enumerate() {
            cards.iter().for_each(|card| certain[card] = turn(seat));
        }
        let mut distinct: Vec<Triple> = Vec::new();
        let mut holders = Vec::with_capacity(deals.len());
        let mut secrets = Vec::with_capacity(deals.len());
        for deal in deals {
            let mut places = certain;
            for (hand, holder) in deal.hands.iter().zip(&problem.holders) {
                hand.iter().for_each(|card| places[card] = turn(holder.seat));
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

    /// Returns how many bits about the secret the answer to a question is expected to tell.
    pub fn bits(&mut self, cards: Triple) -> f64 {
        let mut counts = vec![0; self.kinds];
        self.secrets.iter().for_each(|&secret| counts[secret] += UNITS);
        let units = UNITS * self.secrets.len();
        let before = self.entropy[units] - counts.iter().map(|&count| self.entropy[count]).sum::<f64>();
        ((before - self.entropy_after(cards)) / (units as f64 * LN_2)).max(0.0)
    }

    /// Returns the expected entropy of the secret after a question, times the number of deals and [`UNITS`].
    fn entropy_after(&mut self, cards: Triple) -> f64 {
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
