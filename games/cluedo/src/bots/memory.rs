//! Bots 0 and 1: they remember no more than what they were shown.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Bot, any, any_triple};
use crate::deck::CardSet;
use crate::line::game::Action;
use crate::line::seat::Seat;

/// Bot 0: accuses the first card of each type, and never shows a card.
#[derive(Clone, Copy, Debug)]
pub struct First {
    /// Whether it accuses 0, N and 2N as the subject has it, which are not of three types.
    pub is_literal: bool,
}

impl Bot for First {
    fn act(&mut self, seat: &Seat, _rng: &mut Xoshiro256PlusPlus) -> Action {
        let step = if self.is_literal { seat.players() } else { seat.players() + 1 };
        Action::Accusation([0, step, 2 * step])
    }

    fn show(&mut self, _seat: &Seat, _cards: CardSet, _to: usize, _rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        None
    }
}

/// Bot 1: names cards that it has not seen, accuses what nobody showed or what is left.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// Whether it accuses only what nobody showed.
    pub is_literal: bool,
}

impl Memory {
    /// Returns what it accuses of now, if it does.
    pub fn accusation(&self, seat: &Seat) -> Option<[usize; 3]> {
        if seat.unanswered.is_some() || self.is_literal {
            return seat.unanswered;
        }
        let [a, b, c] = [0, 1, 2].map(|kind| self.candidates(seat, kind).only());
        Some([a?, b?, c?])
    }

    /// Returns the cards of a type that it may name: those that it has not seen.
    pub fn candidates(&self, seat: &Seat, kind: usize) -> CardSet {
        let facts = &seat.facts;
        facts.deck.of_kind(kind) - facts.has.iter().fold(CardSet::EMPTY, |all, &has| all | has)
    }
}

impl Bot for Memory {
    fn act(&mut self, seat: &Seat, rng: &mut Xoshiro256PlusPlus) -> Action {
        match self.accusation(seat) {
            Some(secret) => Action::Accusation(secret),
            None => Action::Hypothesis(any_triple([0, 1, 2].map(|kind| self.candidates(seat, kind)), rng)),
        }
    }

    fn show(&mut self, _seat: &Seat, cards: CardSet, _to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        any(cards, rng)
    }
}
