//! Bots 2 and 3: they conclude by rules, and bot 3 asks what most likely nobody has.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Policy, any, any_triple, prefer};
use crate::deck::{Card, CardSet, Triple};
use crate::game::Action;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::seen::Seen;

/// Bot 2: names candidates at random and accuses when there is one of each type.
#[derive(Clone, Copy, Debug)]
pub struct Logic {
    rules: Rules,
}

impl Logic {
    /// Makes a bot with these rules; with the further ones it also shows what its opponent has seen.
    pub const fn new(rules: Rules) -> Self {
        Self { rules }
    }
}

impl Policy for Logic {
    fn accusation(&self, seen: &Seen) -> Option<Triple> {
        Deductions::new(&seen.facts, self.rules).solution()
    }

    /// Those that may be secret.
    fn candidates(&self, seen: &Seen, kind: usize) -> CardSet {
        Deductions::new(&seen.facts, self.rules).candidates(kind)
    }

    fn act(&mut self, seen: &Seen, rng: &mut Xoshiro256PlusPlus) -> Action {
        let known = Deductions::new(&seen.facts, self.rules);
        match known.solution() {
            Some(secret) => Action::Accuse(secret),
            None => Action::Suggest(any_triple([0, 1, 2].map(|kind| known.candidates(kind)), rng)),
        }
    }

    fn show(&mut self, seen: &Seen, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Card> {
        match self.rules {
            Rules::Strict => any(cards, rng),
            Rules::Further => prefer(cards, &[seen.shown_to[to]], rng),
        }
    }
}

/// Bot 3: asks about what most likely nobody has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Information {}

impl Policy for Information {
    fn accusation(&self, seen: &Seen) -> Option<Triple> {
        Deductions::new(&seen.facts, Rules::Further).solution()
    }

    fn candidates(&self, seen: &Seen, kind: usize) -> CardSet {
        let known = Deductions::new(&seen.facts, Rules::Further);
        let candidates = known.candidates(kind);
        let values: Vec<(Card, f64)> =
            candidates.iter().map(|card| (card, chance_held(&known, seen.me(), card))).collect();
        let least = values.iter().map(|&(_, value)| value).fold(f64::INFINITY, f64::min);
        values.iter().filter(|&&(_, value)| value <= least + 1e-12).map(|&(card, _)| card).collect()
    }

    fn show(&mut self, seen: &Seen, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Card> {
        let anybody = seen.shown_to.iter().fold(CardSet::EMPTY, |all, &shown| all | shown);
        prefer(cards, &[seen.shown_to[to], anybody], rng)
    }
}

/// Returns roughly the chance that another player holds a card.
fn chance_held(known: &Deductions, me: usize, card: usize) -> f64 {
    let nobody: f64 = (0..known.has.len())
        .filter(|&seat| seat != me && !known.lacks[seat].contains(card))
        .map(|seat| {
            let share = known.free(seat) as f64 / known.may(seat).len().max(1) as f64;
            let sets = known.sets[seat].iter().filter(|set| set.contains(card)).map(|set| 1.0 / set.len() as f64);
            1.0 - sets.fold(share, f64::max).min(0.95)
        })
        .product();
    1.0 - nobody
}
