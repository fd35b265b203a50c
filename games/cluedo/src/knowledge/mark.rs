//! A cell of the grid: what is known of a card and a seat, or of a card and the secret.

use crate::deck::Card;
use crate::knowledge::logic::Deductions;

/// The state of a card and a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Has,
    Lacks,
    /// The seat has it or another of a few cards.
    OneOf,
    /// Nothing is known.
    Open,
}

impl Mark {
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Has => "x",
            Self::Lacks => "-",
            Self::OneOf => "o",
            Self::Open => "?",
        }
    }
}

impl Deductions {
    pub fn mark(&self, seat: usize, card: Card) -> Mark {
        if self.has[seat].contains(card) {
            Mark::Has
        } else if self.lacks[seat].contains(card) {
            Mark::Lacks
        } else if self.sets[seat].iter().any(|set| set.contains(card)) {
            Mark::OneOf
        } else {
            Mark::Open
        }
    }

    pub fn secret_mark(&self, card: Card) -> Mark {
        let candidates = self.candidates(self.deck().kind(card));
        match candidates.only() {
            _ if !candidates.contains(card) => Mark::Lacks,
            Some(_) => Mark::Has,
            None => Mark::Open,
        }
    }
}
