//! A count of deals as a problem by itself: cards without a place, seats with free places, and what is known of them.

use crate::deck::{CardSet, Deck, MAX_CARDS};
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::Deductions;

/// The cards that a seat may hold besides those that it certainly has.
#[derive(Clone, Debug)]
pub struct Holder {
    pub seat: usize,
    /// How many cards are not known.
    pub free: usize,
    pub may: CardSet,
    /// It has at least one card of each of these sets.
    pub sets: Vec<CardSet>,
    /// It chose a card to show at random among some known ones and these.
    pub choices: Vec<Choice>,
    /// How much likelier than others each card is in this hand.
    pub weights: [f64; MAX_CARDS],
}

/// A card was shown at random out of some that are known, and those of a set that are in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// How many were there for certain: at least one.
    pub known: usize,
    /// The cards that may have been there.
    pub others: CardSet,
}

/// A counting problem: all ways to put the open cards into the free places.
#[derive(Clone, Debug)]
pub struct Problem {
    pub deck: Deck,
    /// The cards without a place.
    pub open: CardSet,
    /// The cards of each type that may be secret; one card if it is known.
    pub secret: [CardSet; 3],
    /// The other seats.
    pub holders: Vec<Holder>,
}

/// Seats of which the same is known, counted together.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Places among the problem's holders.
    pub(crate) members: Vec<usize>,
    /// Free places of all members.
    pub(crate) free: usize,
    pub(crate) may: CardSet,
}

/// How deals that agree with all facts are weighed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weighing<'a> {
    Alike,
    /// By the chance that the cards shown to me were shown, out of all that could have been.
    Shown,
    /// By that, and a factor for each seat and each of its own cards that it named in a hypothesis.
    Asking(&'a [f64]),
}

impl Problem {
    /// Sets the problem up; what follows by rules is used, which changes no count.
    pub fn new(facts: &Facts, known: &Deductions, weighing: Weighing<'_>) -> Self {
        let deck = facts.deck;
        let secret = [0, 1, 2].map(|kind| known.candidates(kind));
        // No deal agrees with facts that contradict each other.
        let secret = if known.is_consistent() { secret } else { [CardSet::EMPTY; 3] };
        let open = deck.all() - known.held() - (known.secret);
        let holders = (0..facts.players())
            .filter(|&seat| seat != facts.me)
            .map(|seat| {
                let may = known.may(seat) & open;
                let choices = match weighing {
                    Weighing::Alike => Vec::new(),
                    Weighing::Shown | Weighing::Asking(_) => choices(facts, seat, known.has[seat], may),
                };
                let mut weights = [1.0; MAX_CARDS];
                if let Weighing::Asking(factors) = weighing {
                    for card in facts.named[seat].iter().flat_map(|named| named.iter()) {
                        weights[card] *= factors[seat];
                    }
                }
                Holder { seat, free: known.free(seat), may, sets: known.sets[seat].clone(), choices, weights }
            })
            .collect();
        Self { deck, open, secret, holders }
    }
}

/// Returns the choices of a seat that depend on cards which it may have.
fn choices(facts: &Facts, seat: usize, has: CardSet, may: CardSet) -> Vec<Choice> {
    facts
        .shown
        .iter()
        .filter(|shown| shown.seat == seat)
        .map(|shown| Choice { known: (shown.named & has).len(), others: shown.named & may })
        .filter(|choice| !choice.others.is_empty())
        .collect()
}
