//! Bots 0 and 1: they remember no more than what they were shown.

use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Bot, any, any_triple};
use crate::line::game::Action;
use crate::line::seat::Seat;
use crate::pack::CardSet;

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

impl Bot for Memory {
    fn act(&mut self, seat: &Seat, rng: &mut Xoshiro256PlusPlus) -> Action {
        if let Some(secret) = seat.unanswered {
            return Action::Accusation(secret);
        }
        let facts = &seat.facts;
        let seen = facts.has.iter().fold(CardSet::EMPTY, |all, &has| all | has);
        let unseen = [0, 1, 2].map(|kind| facts.pack.of_kind(kind) - seen);
        let cards = any_triple(unseen, rng);
        if !self.is_literal && unseen.iter().all(|cards| cards.len() == 1) {
            Action::Accusation(cards)
        } else {
            Action::Hypothesis(cards)
        }
    }

    fn show(&mut self, _seat: &Seat, cards: CardSet, _to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
        any(cards, rng)
    }
}
