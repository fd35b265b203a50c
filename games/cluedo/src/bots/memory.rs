//! Bots 0 and 1: they remember no more than what they were shown.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Policy, any};
use crate::deck::{Card, CardSet, Triple};
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
