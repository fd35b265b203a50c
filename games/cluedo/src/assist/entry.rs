//! Entries: events at the table, and the constraints on deals that each of them implies.

use crate::deck::{Card, CardSet, Triple};
use crate::record::Answered;

/// A card is at a place, or it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    pub card: Card,
    /// A player, or after the last one the solution.
    pub place: usize,
    pub is_there: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Suggestion {
        by: usize,
        cards: Triple,
        /// The players who had none of the cards, in the order of asking.
        passed: Vec<usize>,
        /// The player who showed a card; the card, if I saw it.
        shown: Option<Answered>,
    },
    WrongAccusation {
        by: usize,
        cards: Triple,
    },
    /// A card whose place I know otherwise.
    Known(Fact),
}

/// A constraint on deals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// A player has all of these.
    Has(usize, CardSet),
    /// A player has none of these.
    Lacks(usize, CardSet),
    /// A player has at least one of these.
    OneOf(usize, CardSet),
    /// Not all of these are in the solution.
    NotAll(Triple),
}

/// A rule, and the source that it comes from: the own hand, or an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub source: usize,
    pub rule: Rule,
}

impl Fact {
    pub const fn there(card: Card, place: usize) -> Self {
        Self { card, place, is_there: true }
    }

    pub const fn elsewhere(card: Card, place: usize) -> Self {
        Self { card, place, is_there: false }
    }

    pub const fn rule(self) -> Rule {
        let cards = CardSet::one(self.card);
        if self.is_there { Rule::Has(self.place, cards) } else { Rule::Lacks(self.place, cards) }
    }

    pub const fn negated(self) -> Self {
        Self { is_there: !self.is_there, ..self }
    }
}

impl Entry {
    pub fn seats_mut(&mut self) -> Vec<&mut usize> {
        match self {
            Self::Suggestion { by, passed, shown, .. } => {
                [by].into_iter().chain(passed).chain(shown.as_mut().map(|shown| &mut shown.seat)).collect()
            }
            Self::WrongAccusation { by, .. } => vec![by],
            Self::Known(fact) => vec![&mut fact.place],
        }
    }

    /// Returns the rules that follow from it; cards that lie open are in no hand.
    pub fn rules(&self, public: CardSet) -> Vec<Rule> {
        match self {
            Self::Suggestion { cards, passed, shown, .. } => {
                let named = CardSet::of(*cards) - public;
                let shown = shown.map(|Answered { seat, card }| match card {
                    None => Rule::OneOf(seat, named),
                    Some(card) => Rule::Has(seat, CardSet::one(card)),
                });
                passed.iter().map(|&seat| Rule::Lacks(seat, named)).chain(shown).collect()
            }
            Self::WrongAccusation { cards, .. } => vec![Rule::NotAll(*cards)],
            Self::Known(fact) => vec![fact.rule()],
        }
    }
}
