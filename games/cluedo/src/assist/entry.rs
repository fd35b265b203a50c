//! Entries: events at the table, and the constraints on deals that each of them implies.

use crate::deck::{CardSet, Triple};

/// A player's answer to a suggestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Had none of the cards.
    Passes(usize),
    /// Showed a card that I did not see.
    Shows(usize),
    /// Showed this card.
    ShowsCard(usize, usize),
}

impl Answer {
    pub const fn seat(self) -> usize {
        match self {
            Self::Passes(seat) | Self::Shows(seat) | Self::ShowsCard(seat, _) => seat,
        }
    }

    const fn seat_mut(&mut self) -> &mut usize {
        let (Self::Passes(seat) | Self::Shows(seat) | Self::ShowsCard(seat, _)) = self;
        seat
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    Suggestion {
        by: usize,
        cards: Triple,
        /// In the order of asking.
        answers: Vec<Answer>,
    },
    WrongAccusation {
        by: usize,
        cards: Triple,
    },
    /// A card that I know to be in a hand; after the last player's number, in the solution.
    Has(usize, usize),
    /// A card that I know not to be there.
    Lacks(usize, usize),
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

impl Entry {
    pub fn seats_mut(&mut self) -> Vec<&mut usize> {
        match self {
            Self::Suggestion { by, answers, .. } => {
                std::iter::once(by).chain(answers.iter_mut().map(Answer::seat_mut)).collect()
            }
            Self::WrongAccusation { by, .. } | Self::Has(by, _) | Self::Lacks(by, _) => vec![by],
        }
    }

    /// Returns the rules that follow from it; cards that lie open are in no hand.
    pub fn rules(&self, public: CardSet) -> Vec<Rule> {
        match self {
            Self::Suggestion { cards, answers, .. } => {
                let named = CardSet::of(*cards) - public;
                let rule = |answer: &Answer| match *answer {
                    Answer::Passes(seat) => Rule::Lacks(seat, named),
                    Answer::Shows(seat) => Rule::OneOf(seat, named),
                    Answer::ShowsCard(seat, card) => Rule::Has(seat, CardSet::one(card)),
                };
                answers.iter().map(rule).collect()
            }
            Self::WrongAccusation { cards, .. } => vec![Rule::NotAll(*cards)],
            Self::Has(seat, card) => vec![Rule::Has(*seat, CardSet::one(*card))],
            Self::Lacks(seat, card) => vec![Rule::Lacks(*seat, CardSet::one(*card))],
        }
    }
}
