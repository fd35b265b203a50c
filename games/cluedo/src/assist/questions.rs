//! Which question is expected to tell most about the solution.

use std::collections::HashMap;

use rand::Rng;

use crate::assist::case::{Case, Chances};
use crate::assist::logic::{Logic, Search};
use crate::deck::CardSet;

/// If there are no more deals, all are looked at; otherwise that many are drawn.
pub const DEALS: usize = 1_000;
/// A card out of one, two or three that could be shown: in sixths.
const UNITS: u32 = 6;

/// A suggestion, and how much its answer is expected to tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Question {
    /// One card of each type.
    pub cards: [usize; 3],
    /// Bits about the solution.
    pub bits: f64,
}

/// The best questions, and what they were judged by.
#[derive(Clone, Debug)]
pub struct Questions {
    /// The best first; those with the same answers stand together.
    pub best: Vec<Question>,
    /// How many deals were looked at.
    pub deals: usize,
    /// Whether these are all.
    pub are_all: bool,
}

/// Returns deals: all of them if they are few, or some drawn at random.
pub fn deals<R: Rng>(case: &Case, chances: &Chances, rng: &mut R) -> Vec<Vec<usize>> {
    if chances.total() > DEALS as u128 {
        return (0..DEALS).map(|_| chances.deals.draw(rng)).collect();
    }
    let (shape, rules) = (case.shape(), case.rules());
    let mut logic = Logic::new(&shape, &rules);
    let (mut deals, mut nodes) = (Vec::new(), usize::MAX);
    if logic.run().is_ok() {
        let ended = logic.search(&mut nodes, &mut |deal| {
            deals.push(deal.to_vec());
            false
        });
        debug_assert_eq!(ended, Search::Finished, "there are few deals");
    }
    deals
}

/// Judges all questions of a player with these cards to choose from. A player shows one of several matching cards at
/// random.
pub fn judge(case: &Case, me: usize, deals: &[Vec<usize>], from: CardSet) -> Vec<Question> {
    let deck = case.deck();
    let solution = case.names().len();
    let mut order = vec![u8::MAX; solution + 1];
    for (turn, seat) in case.asked(me).enumerate() {
        order[seat] = u8::try_from(turn).unwrap_or(u8::MAX);
    }
    let turns: Vec<Vec<u8>> = deals
        .iter()
        .map(|deal| deal.iter().map(|&place| order.get(place).copied().unwrap_or(u8::MAX)).collect())
        .collect();
    let mut kinds = HashMap::new();
    let secrets: Vec<usize> = deals
        .iter()
        .map(|deal| {
            let cards: CardSet = (0..deal.len()).filter(|&card| deal[card] == solution).collect();
            let next = kinds.len();
            *kinds.entry(cards).or_insert(next)
        })
        .collect();
    let before: f64 = {
        let mut counts = vec![0; kinds.len()];
        secrets.iter().for_each(|&secret| counts[secret] += 1);
        entropy(&counts)
    };
    let choice = |kind: usize| (from & deck.of_kind(kind)).iter();
    let mut questions = Vec::new();
    for a in choice(0) {
        for b in choice(1) {
            for c in choice(2) {
                let after = entropy_after([a, b, c], &turns, &secrets, kinds.len(), solution);
                questions.push(Question { cards: [a, b, c], bits: (before - after).max(0.0) });
            }
        }
    }
    questions.sort_by(|one, other| other.bits.total_cmp(&one.bits).then(one.cards.cmp(&other.cards)));
    questions
}

/// Returns the expected entropy of the solution after the answer.
fn entropy_after(cards: [usize; 3], turns: &[Vec<u8>], secrets: &[usize], kinds: usize, players: usize) -> f64 {
    // An outcome: nobody shows, or a player shows one of the three.
    let mut counts = vec![0_u32; (3 * players + 1) * kinds];
    for (turns, &secret) in turns.iter().zip(secrets) {
        let turn = cards.map(|card| turns[card]);
        let first = turn[0].min(turn[1]).min(turn[2]);
        if first == u8::MAX {
            counts[secret] += UNITS;
            continue;
        }
        let choices = turn.iter().filter(|&&turn| turn == first).count();
        for place in (0..3).filter(|&place| turn[place] == first) {
            let outcome = 1 + 3 * usize::from(first) + place;
            counts[outcome * kinds + secret] += UNITS / u32::try_from(choices).unwrap_or(1);
        }
    }
    let all: u32 = counts.iter().sum();
    let outcome = |counts: &[u32]| f64::from(counts.iter().sum::<u32>()) * entropy(counts);
    counts.chunks(kinds).map(outcome).sum::<f64>() / f64::from(all.max(1))
}

/// Returns the entropy of what occurred so often, in bits.
fn entropy(counts: &[u32]) -> f64 {
    let all = f64::from(counts.iter().sum::<u32>());
    let part = |count: &u32| {
        let share = f64::from(*count) / all;
        -share * share.log2()
    };
    counts.iter().filter(|&&count| count > 0).map(part).sum()
}

impl Case {
    /// Returns the best questions of the owner, with one of these cards if there are any: a room, say.
    pub fn questions<R: Rng>(&self, chances: &Chances, given: CardSet, rng: &mut R) -> Option<Questions> {
        let me = self.me()?;
        let drawn = deals(self, chances, rng);
        let mut from = self.deck().all() - self.public();
        for kind in 0..3 {
            let cards = self.deck().of_kind(kind);
            if given.meets(cards) {
                from = (from - cards) | (given & cards);
            }
        }
        let best = judge(self, me, &drawn, from);
        Some(Questions { best, deals: drawn.len(), are_all: drawn.len() as u128 == chances.total() })
    }
}
