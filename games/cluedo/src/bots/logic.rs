//! Bots 2 and 3: they conclude by rules, and bot 3 asks what most likely nobody has.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Bot, any, any_triple, prefer};
use crate::deck::CardSet;
use crate::knowledge::logic::{Deductions, Rules};
use crate::line::game::Action;
use crate::line::seat::Seat;

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

    /// Returns what it accuses of now, if it does.
    pub fn accusation(&self, seat: &Seat) -> Option<[usize; 3]> {
        Deductions::new(&seat.facts, self.rules).solution()
    }

    /// Returns the cards of a type that it may name: those that may be secret.
    pub fn candidates(&self, seat: &Seat, kind: usize) -> CardSet {
        Deductions::new(&seat.facts, self.rules).candidates(kind)
    }
}

impl Bot for Logic {
    fn act(&mut self, seat: &Seat, rng: &mut Xoshiro256PlusPlus) -> Action {
        let known = Deductions::new(&seat.facts, self.rules);
        match known.solution() {
            Some(secret) => Action::Accusation(secret),
            None => Action::Hypothesis(any_triple([0, 1, 2].map(|kind| known.candidates(kind)), rng)),
        }
    }

    fn show(&mut self, seat: &Seat, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        match self.rules {
            Rules::Strict => any(cards, rng),
            Rules::Further => prefer(cards, &[seat.shown_to[to]], rng),
        }
    }
}

/// Bot 3: asks about what most likely nobody has.
#[derive(Clone, Copy, Debug, Default)]
pub struct Information {}

impl Bot for Information {
    fn act(&mut self, seat: &Seat, rng: &mut Xoshiro256PlusPlus) -> Action {
        let known = Deductions::new(&seat.facts, Rules::Further);
        if let Some(secret) = known.solution() {
            return Action::Accusation(secret);
        }
        let least = [0, 1, 2].map(|kind| {
            let candidates = known.candidates(kind);
            let values: Vec<(usize, f64)> =
                candidates.iter().map(|card| (card, chance_held(&known, seat.me(), card))).collect();
            let least = values.iter().map(|&(_, value)| value).fold(f64::INFINITY, f64::min);
            values.iter().filter(|&&(_, value)| value <= least + 1e-12).map(|&(card, _)| card).collect()
        });
        Action::Hypothesis(any_triple(least, rng))
    }

    fn show(&mut self, seat: &Seat, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        let anybody = seat.shown_to.iter().fold(CardSet::EMPTY, |all, &shown| all | shown);
        prefer(cards, &[seat.shown_to[to], anybody], rng)
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
