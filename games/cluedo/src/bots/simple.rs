//! Bots 0 to 3: they act at once, remember, conclude by rules, and ask what most likely nobody has.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Policy, any, any_triple, prefer};
use crate::deck::{Card, CardSet, Triple};
use crate::game::Action;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::seen::Seen;

/// Bot 0: accuses the first card of each type, and never shows a card.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// Whether it accuses 0, N and 2N as the subject has it, which are not of three types.
    pub is_literal: bool,
}

impl Policy for First {
    fn accusation(&self, seen: &Seen) -> Option<Triple> {
        let step = if self.is_literal { seen.players() } else { seen.players() + 1 };
        Some([0, step, 2 * step])
    }

    fn candidates(&self, _seen: &Seen, _kind: usize) -> CardSet {
        CardSet::EMPTY
    }

    fn show(&mut self, _seen: &Seen, _cards: CardSet, _to: usize, _rng: &mut Xoshiro256PlusPlus) -> Option<Card> {
        None
    }
}

/// Bot 1: names cards that it has not seen, accuses what nobody showed or what is left.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Whether it accuses only what nobody showed.
    pub is_literal: bool,
}

impl Policy for Memory {
    fn accusation(&self, seen: &Seen) -> Option<Triple> {
        if seen.unanswered.is_some() || self.is_literal {
            return seen.unanswered;
        }
        let [a, b, c] = [0, 1, 2].map(|kind| self.candidates(seen, kind).only());
        Some([a?, b?, c?])
    }

    /// Those that it has not seen.
    fn candidates(&self, seen: &Seen, kind: usize) -> CardSet {
        seen.facts.deck.of_kind(kind) - seen.facts.has.iter().fold(CardSet::EMPTY, |all, &has| all | has)
    }

    fn show(&mut self, _seen: &Seen, cards: CardSet, _to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Card> {
        any(cards, rng)
    }
}

/// Bot 2: names candidates at random and accuses when there is one of each type.
#[derive(Clone, Copy, Debug)]
pub struct Logic {
    /// With the further ones it also shows what its opponent has seen.
    pub rules: Rules,
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
pub struct Information;

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
