//! Conclusions about where cards are, each with its cause.

use crate::assist::entry::Rule;
use crate::deck::{CardSet, Deck, Triple};
use crate::knowledge::chances::Uncounted;
use crate::knowledge::deals::Deals;
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::Weighing;

/// A table without anything that happened: cards and sizes of hands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    pub deck: Deck,
    /// Cards that lie open: they have no place.
    pub public: CardSet,
    /// How many cards each player holds.
    pub sizes: Vec<usize>,
}

impl Shape {
    /// Returns rules as facts, with those who hold no card of a player last, and the solutions that are excluded.
    fn facts(&self, rules: &[Rule]) -> (Facts, Vec<Triple>) {
        // The cards that lie open are the hand of one more player, whose facts these are.
        let table = self.solution();
        let sizes = self.sizes.iter().copied().chain([self.public.len()]).collect();
        let mut facts = Facts::new(self.deck, sizes, table, self.public);
        let mut wrong = Vec::new();
        for rule in rules {
            match *rule {
                Rule::Has(place, cards) if place == table => facts.lacks.iter_mut().for_each(|lacks| *lacks |= cards),
                Rule::Lacks(place, cards) if place == table => facts.not_secret |= cards,
                Rule::Has(seat, cards) => facts.has[seat] |= cards,
                Rule::Lacks(seat, cards) => facts.lacks[seat] |= cards,
                Rule::OneOf(seat, cards) => facts.sets[seat].push(cards),
                Rule::NotAll(cards) => wrong.push(cards),
            }
        }
        (facts, wrong)
    }

    /// Counts the deals that keep to rules.
    pub fn deals(&self, rules: &[Rule]) -> Result<(Deductions, Deals), Uncounted> {
        let (facts, wrong) = self.facts(rules);
        let known = Deductions::new(&facts, Rules::Further);
        let deals = Deals::new(&facts, &known, Weighing::Alike, &wrong)?;
        Ok((known, deals))
    }

    /// Returns the place of the solution: it comes after the players.
    pub fn solution(&self) -> usize {
        self.sizes.len()
    }

    /// Returns the number of slots: a hand for each player, then a card of the solution for each type.
    pub(crate) fn slots(&self) -> usize {
        self.sizes.len() + 3
    }

    /// Returns the place, the number of cards, and the cards that can be there.
    pub(crate) fn slot(&self, slot: usize) -> (usize, usize, CardSet) {
        match self.sizes.get(slot) {
            Some(&size) => (slot, size, self.deck.all() - self.public),
            None => (self.solution(), 1, self.deck.of_kind(slot - self.sizes.len()) - self.public),
        }
    }
}

/// A card is at a place, or it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fact {
    pub card: usize,
    /// A player, or the solution.
    pub place: usize,
    pub is_there: bool,
}

impl Fact {
    pub const fn there(card: usize, place: usize) -> Self {
        Self { card, place, is_there: true }
    }

    pub const fn elsewhere(card: usize, place: usize) -> Self {
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

/// Where a conclusion comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The rule with this number.
    Rule(usize),
    /// A slot has all its cards.
    Full(usize),
    /// A slot needs all cards that are left for it.
    Needs(usize),
    /// All other places are excluded.
    LastPlace,
    Assumed,
}

/// Why there is no deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The last conclusion is the opposite of an earlier one.
    Clash,
    /// A card has no place left.
    NoPlace(usize),
    /// A slot has too many cards.
    TooMany(usize),
    /// Too few cards are left for a slot.
    TooFew(usize),
    /// The rule with this number is broken.
    Rule(usize),
}

/// A conclusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub fact: Fact,
    pub cause: Cause,
}

/// Places that are left for each card.
#[derive(Clone, Debug)]
pub struct Logic<'a> {
    pub shape: &'a Shape,
    pub rules: &'a [Rule],
    /// For each card, its places as bits.
    pub allowed: Vec<u16>,
    /// For each card, its place if it is known.
    pub placed: Vec<Option<usize>>,
    /// All conclusions in order; that a card which is somewhere is not elsewhere goes without saying.
    pub steps: Vec<Step>,
}

impl<'a> Logic<'a> {
    pub fn new(shape: &'a Shape, rules: &'a [Rule]) -> Self {
        let cards = shape.deck.len();
        let all = (1 << (shape.sizes.len() + 1)) - 1;
        let allowed = (0..cards).map(|card| if shape.public.contains(card) { 0 } else { all }).collect();
        Self { shape, rules, allowed, placed: vec![None; cards], steps: Vec::new() }
    }

    pub fn conclude(&mut self, fact: Fact, cause: Cause) -> Result<(), Conflict> {
        let Fact { card, place, is_there } = fact;
        let is_allowed = self.allowed[card] >> place & 1 != 0;
        if is_there && self.placed[card] == Some(place) || !is_there && !is_allowed {
            return Ok(());
        }
        self.steps.push(Step { fact, cause });
        if is_there && !is_allowed || !is_there && self.placed[card] == Some(place) {
            return Err(Conflict::Clash);
        }
        if is_there {
            self.allowed[card] = 1 << place;
            self.placed[card] = Some(place);
        } else {
            self.allowed[card] &= !(1 << place);
            if self.allowed[card] == 0 {
                return Err(Conflict::NoPlace(card));
            }
        }
        Ok(())
    }

    /// Concludes all that follows step by step.
    pub fn run(&mut self) -> Result<(), Conflict> {
        loop {
            let before = self.steps.len();
            for rule in 0..self.rules.len() {
                self.apply(rule)?;
            }
            for card in 0..self.placed.len() {
                if self.placed[card].is_none() && self.allowed[card].is_power_of_two() {
                    let place = self.allowed[card].trailing_zeros() as usize;
                    self.conclude(Fact::there(card, place), Cause::LastPlace)?;
                }
            }
            for slot in 0..self.shape.slots() {
                self.fill(slot)?;
            }
            if self.steps.len() == before {
                return Ok(());
            }
        }
    }

    /// Returns the cards that may be at a place, those that are there included.
    pub fn may(&self, place: usize) -> CardSet {
        (0..self.allowed.len()).filter(|&card| self.allowed[card] >> place & 1 != 0).collect()
    }

    pub fn there(&self, place: usize) -> CardSet {
        (0..self.placed.len()).filter(|&card| self.placed[card] == Some(place)).collect()
    }

    fn apply(&mut self, rule: usize) -> Result<(), Conflict> {
        let cause = Cause::Rule(rule);
        match self.rules[rule] {
            Rule::Has(seat, cards) => {
                cards.iter().try_for_each(|card| self.conclude(Fact::there(card, seat), cause))?;
            }
            Rule::Lacks(seat, cards) => {
                cards.iter().try_for_each(|card| self.conclude(Fact::elsewhere(card, seat), cause))?;
            }
            Rule::OneOf(seat, cards) => {
                let left = cards & self.may(seat);
                if left.is_empty() {
                    return Err(Conflict::Rule(rule));
                }
                if let Some(card) = left.only() {
                    self.conclude(Fact::there(card, seat), cause)?;
                }
            }
            Rule::NotAll(cards) => {
                let solution = self.shape.solution();
                let open = CardSet::of(cards) - self.there(solution);
                if open.is_empty() {
                    return Err(Conflict::Rule(rule));
                }
                if let Some(card) = open.only() {
                    self.conclude(Fact::elsewhere(card, solution), cause)?;
                }
            }
        }
        Ok(())
    }

    fn fill(&mut self, slot: usize) -> Result<(), Conflict> {
        let (place, size, cards) = self.shape.slot(slot);
        let there = self.there(place) & cards;
        if there.len() > size {
            return Err(Conflict::TooMany(slot));
        }
        let may = self.may(place) & cards;
        if may.len() < size {
            return Err(Conflict::TooFew(slot));
        }
        if there.len() == size {
            let rest = may - there;
            rest.iter().try_for_each(|card| self.conclude(Fact::elsewhere(card, place), Cause::Full(slot)))?;
        } else if may.len() == size {
            let rest = may - there;
            rest.iter().try_for_each(|card| self.conclude(Fact::there(card, place), Cause::Needs(slot)))?;
        }
        Ok(())
    }
}
