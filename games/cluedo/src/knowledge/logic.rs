//! Conclusions from the facts by rules: quick and sound, but incomplete.
//!
//! The strict rules are R1 to R4 (a card has one place; a set shrinks by what its player lacks; more sets than cards of
//! a hand overlap; what nobody has is secret), the further ones E1 to E5 (full hands, hands with no choice left, one
//! secret card of each type, cards with one place left).

use crate::deck::{CardSet, Deck};
use crate::knowledge::facts::Facts;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// R1 to R4.
    Strict,
    /// R1 to R4 and E1 to E5.
    Further,
}

/// Maximum number of selections of sets that R3 tries for a player.
const MAX_SELECTIONS: usize = 20_000;

/// Facts and what follows from them.
#[derive(Clone, Debug)]
pub struct Deductions {
    deck: Deck,
    sizes: Vec<usize>,
    /// Cards that a seat certainly has.
    pub has: Vec<CardSet>,
    /// Cards that a seat certainly has not.
    pub lacks: Vec<CardSet>,
    /// Sets of at least two cards; a seat has at least one of each.
    pub sets: Vec<Vec<CardSet>>,
    /// Cards that are certainly secret.
    pub secret: CardSet,
    /// Cards that are certainly not secret.
    not_secret: CardSet,
    /// A seat has none of the cards of one of its sets.
    is_unmet: bool,
}

impl Deductions {
    /// Takes facts over and applies the rules until nothing new follows.
    pub fn new(facts: &Facts, rules: Rules) -> Self {
        let mut deductions = Self {
            deck: facts.deck,
            sizes: facts.sizes.clone(),
            has: facts.has.clone(),
            lacks: facts.lacks.clone(),
            sets: facts.sets.clone(),
            secret: CardSet::EMPTY,
            not_secret: facts.not_secret,
            is_unmet: false,
        };
        while deductions.strict() || rules == Rules::Further && deductions.further() {}
        deductions
    }

    /// Returns the cards of a type that may be secret: the one that is, or all without a known holder.
    pub fn candidates(&self, kind: usize) -> CardSet {
        let cards = self.deck.of_kind(kind);
        let known = self.secret & cards;
        if known.is_empty() { cards - self.held() - self.not_secret } else { known }
    }

    pub const fn deck(&self) -> Deck {
        self.deck
    }

    /// Returns the secret if each type has one candidate.
    pub fn solution(&self) -> Option<[usize; 3]> {
        let [a, b, c] = [0, 1, 2].map(|kind| self.candidates(kind).only());
        Some([a?, b?, c?])
    }

    /// Returns all cards with a known holder.
    pub fn held(&self) -> CardSet {
        self.has.iter().fold(CardSet::EMPTY, |all, &has| all | has)
    }

    /// Returns the cards that a seat may have without being known to.
    pub fn may(&self, seat: usize) -> CardSet {
        self.deck.all() - self.lacks[seat] - self.has[seat]
    }

    /// Returns the chances of cards that are certain: for each seat which it has, and none for the secret.
    pub(crate) fn certain(&self) -> Vec<Vec<f64>> {
        let row = |has: &CardSet| self.deck.all().iter().map(|card| f64::from(u8::from(has.contains(card)))).collect();
        self.has.iter().chain([&CardSet::EMPTY]).map(row).collect()
    }

    /// Returns whether no card is at two places, or at one where it cannot be, and each set is met.
    pub fn is_consistent(&self) -> bool {
        let held: usize = self.has.iter().map(|has| has.len()).sum();
        !self.is_unmet
            && held == self.held().len()
            && !self.secret.meets(self.held() | self.not_secret)
            && self.has.iter().zip(&self.lacks).all(|(has, &lacks)| !has.meets(lacks))
            && self.has.iter().zip(&self.sizes).all(|(has, &size)| has.len() <= size)
    }

    /// Returns how many cards of a seat are not known.
    pub fn free(&self, seat: usize) -> usize {
        self.sizes[seat].saturating_sub(self.has[seat].len())
    }

    /// Applies R1, R2, R3 and R4 once; returns whether something followed.
    fn strict(&mut self) -> bool {
        let before = self.known();
        let held = self.held();
        let mut nobody = self.deck.all();
        for seat in 0..self.sizes.len() {
            self.lacks[seat] |= held - self.has[seat];
            nobody &= self.lacks[seat];
            self.shrink_sets(seat);
        }
        self.secret |= nobody;
        let mut changed = self.known() != before;
        // R3 is dear: it waits until the others have nothing to say.
        if !changed {
            for seat in 0..self.sizes.len() {
                changed |= self.overlaps(seat);
            }
        }
        changed
    }

    /// Returns a number that changes with every new literal.
    fn known(&self) -> usize {
        let count = |cards: &[CardSet]| cards.iter().map(|set| set.len()).sum::<usize>();
        count(&self.has) + count(&self.lacks) + self.secret.len() + self.not_secret.len()
    }

    /// R2 for all sets of a seat; sets that follow from others go.
    fn shrink_sets(&mut self, seat: usize) {
        let mut sets = std::mem::take(&mut self.sets[seat]);
        for set in &mut sets {
            *set -= self.lacks[seat];
            self.is_unmet |= set.is_empty();
            if let Some(card) = set.only() {
                self.has[seat].insert(card);
            }
        }
        let has = self.has[seat];
        sets.sort_unstable_by_key(|set| (set.len(), *set));
        for set in sets {
            if !set.is_empty() && !set.meets(has) && !self.follows(seat, set) {
                self.sets[seat].push(set);
            }
        }
    }

    /// Returns whether a set contains one of the seat's sets.
    fn follows(&self, seat: usize, set: CardSet) -> bool {
        self.sets[seat].iter().any(|&known| set.contains_all(known))
    }

    /// R3: of one more sets than the hand has cards, two are met by the same card.
    fn overlaps(&mut self, seat: usize) -> bool {
        let size = self.sizes[seat];
        let mut sets: Vec<CardSet> = self.has[seat].iter().map(CardSet::one).collect();
        sets.extend(&self.sets[seat]);
        if self.sets[seat].is_empty() || sets.len() <= size || selections(sets.len(), size + 1) > MAX_SELECTIONS {
            return false;
        }
        let mut found = Vec::new();
        select(&sets, size + 1, CardSet::EMPTY, CardSet::EMPTY, &mut found);
        let mut changed = false;
        for set in found {
            if !set.is_empty() && !set.meets(self.has[seat]) && !self.follows(seat, set) {
                self.sets[seat].retain(|known| !known.contains_all(set));
                self.sets[seat].push(set);
                changed = true;
            }
        }
        changed
    }

    /// Applies E1 to E5 once; returns whether something followed.
    fn further(&mut self) -> bool {
        let before = self.known();
        let all = self.deck.all();
        for seat in 0..self.sizes.len() {
            let possible = all - self.lacks[seat];
            if self.has[seat].len() == self.sizes[seat] {
                self.lacks[seat] = all - self.has[seat];
            } else if possible.len() == self.sizes[seat] {
                self.has[seat] |= possible;
            }
        }
        self.not_secret |= self.held();
        for kind in 0..3 {
            let cards = self.deck.of_kind(kind);
            if let Some(card) = (cards - self.not_secret).only() {
                self.secret.insert(card);
            }
            let secret = self.secret & cards;
            if !secret.is_empty() {
                self.not_secret |= cards - secret;
                for lacks in &mut self.lacks {
                    *lacks |= secret;
                }
            }
        }
        for card in (self.not_secret - self.held()).iter() {
            let mut holders = (0..self.sizes.len()).filter(|&seat| !self.lacks[seat].contains(card));
            if let (Some(seat), None) = (holders.next(), holders.next()) {
                self.has[seat].insert(card);
            }
        }
        self.known() != before
    }
}

fn selections(of: usize, count: usize) -> usize {
    (0..count).fold(1, |ways: usize, step| ways.saturating_mul(of - step) / (step + 1))
}

/// Collects, for each selection of `count` sets, the cards that are in two of them or more.
fn select(sets: &[CardSet], count: usize, once: CardSet, twice: CardSet, found: &mut Vec<CardSet>) {
    if count == 0 {
        found.push(twice);
        return;
    }
    for (place, &set) in sets.iter().enumerate().take(sets.len() + 1 - count) {
        select(&sets[place + 1..], count - 1, once | set, twice | (once & set), found);
    }
}
