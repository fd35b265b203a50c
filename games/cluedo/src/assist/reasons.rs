//! Smallest sets of sources from which a fact follows, or that contradict each other.

use crate::assist::deals::Deals;
use crate::assist::entry::{Piece, Rule};
use crate::assist::logic::{Cause, Fact, Logic, Search, Shape};

/// A search tries this many placements before deals are counted instead.
const NODES: usize = 400;
/// Maximum number of tests for a set smaller than one found by leaving out unneeded entries.
const MAX_TESTS: usize = 4_000;

/// Sources from which something follows; without any of them, it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Support {
    /// The own hand is 0, entries have their numbers.
    pub sources: Vec<usize>,
    /// The rules of these sources that are needed.
    pub pieces: Vec<Piece>,
    /// Whether no other set has fewer sources; otherwise only no part of this one is enough.
    pub is_smallest: bool,
}

/// Sets of sources, as bits.
type Sources = u128;

struct Tester<'a> {
    shape: &'a Shape,
    pieces: &'a [Piece],
    assumed: Option<Fact>,
    tests: usize,
}

/// Returns a smallest set of sources from which a fact follows: nothing if it does not follow.
pub fn support(shape: &Shape, pieces: &[Piece], fact: Fact) -> Option<Support> {
    Tester { shape, pieces, assumed: Some(fact.negated()), tests: 0 }.smallest()
}

/// Returns a smallest set of sources that contradict each other: nothing if they do not.
pub fn contradiction(shape: &Shape, pieces: &[Piece]) -> Option<Support> {
    Tester { shape, pieces, assumed: None, tests: 0 }.smallest()
}

impl Tester<'_> {
    /// Returns a deal that agrees with rules and the assumption: the place of each card.
    fn deal(&mut self, rules: &[Rule]) -> Option<Vec<usize>> {
        self.tests += 1;
        let mut logic = Logic::new(self.shape, rules);
        if let Some(fact) = self.assumed {
            logic.conclude(fact, Cause::Assumed).ok()?;
        }
        logic.run().ok()?;
        let (mut nodes, mut found) = (NODES, None);
        let ended = logic.search(&mut nodes, &mut |deal| {
            found = Some(deal.to_vec());
            true
        });
        if ended != Search::GaveUp {
            return found;
        }
        // Too many to count is more than none; any deal would do, but none is known.
        let Ok(deals) = Deals::new(&logic) else { return Some(Vec::new()) };
        (deals.total() > 0).then(|| deals.draw(&mut crate::line::deal::stream(0, 0, 0, "reasons")))
    }

    fn of(&mut self, sources: Sources) -> Option<Vec<usize>> {
        let chosen = self.pieces.iter().filter(|piece| sources >> piece.source & 1 != 0);
        let rules: Vec<Rule> = chosen.map(|piece| piece.rule).collect();
        self.deal(&rules)
    }

    fn smallest(mut self) -> Option<Support> {
        let all = self.pieces.iter().fold(0, |all, piece| all | 1 << piece.source);
        if self.of(all).is_some() {
            return None;
        }
        let mut found = all;
        for source in bits(all) {
            if self.of(found & !(1 << source)).is_none() {
                found &= !(1 << source);
            }
        }
        // Each deal leaves sources unmet, and a set that is enough has one of them.
        let mut unmet: Vec<Sources> = Vec::new();
        let is_smallest = loop {
            if self.tests > MAX_TESTS {
                break false;
            }
            let Some(chosen) = hit(&unmet, found.count_ones() as usize - 1, &mut 200_000) else { break true };
            match self.of(chosen) {
                None => {
                    found = chosen;
                    break true;
                }
                Some(deal) if deal.is_empty() => break false,
                Some(deal) => {
                    let missing = self.grow(all, deal);
                    unmet.push(missing);
                }
            }
        };
        let pieces = self.needed(found);
        Some(Support { sources: bits(found).collect(), pieces, is_smallest })
    }

    /// Adds sources to those that a deal meets as long as there is a deal; returns the others.
    fn grow(&mut self, all: Sources, deal: Vec<usize>) -> Sources {
        let mut met = all & !self.unmet(&deal);
        for source in bits(all & !met) {
            if met >> source & 1 == 0
                && let Some(deal) = self.of(met | 1 << source)
                && !deal.is_empty()
            {
                met |= all & !self.unmet(&deal);
            }
        }
        all & !met
    }

    fn unmet(&self, deal: &[usize]) -> Sources {
        let broken = self.pieces.iter().filter(|piece| !is_met(piece.rule, deal, self.shape.solution()));
        broken.fold(0, |unmet, piece| unmet | 1 << piece.source)
    }

    /// Leaves out single rules of sources that are not needed.
    fn needed(&mut self, sources: Sources) -> Vec<Piece> {
        let chosen = self.pieces.iter().filter(|piece| sources >> piece.source & 1 != 0);
        let mut pieces: Vec<Piece> = chosen.copied().collect();
        let mut place = 0;
        while place < pieces.len() {
            let mut rules: Vec<Rule> = pieces.iter().map(|piece| piece.rule).collect();
            rules.remove(place);
            if self.deal(&rules).is_none() {
                pieces.remove(place);
            } else {
                place += 1;
            }
        }
        pieces
    }
}

/// Returns whether a deal keeps to a rule.
fn is_met(rule: Rule, deal: &[usize], solution: usize) -> bool {
    match rule {
        Rule::Has(seat, cards) => cards.iter().all(|card| deal[card] == seat),
        Rule::Lacks(seat, cards) => cards.iter().all(|card| deal[card] != seat),
        Rule::OneOf(seat, cards) => cards.iter().any(|card| deal[card] == seat),
        Rule::NotAll(cards) => cards.iter().any(|card| deal[card] != solution),
    }
}

/// Returns at most `most` sources, as few as possible, that have one of each set.
fn hit(sets: &[Sources], most: usize, nodes: &mut usize) -> Option<Sources> {
    (0..=most).find_map(|size| hit_with(sets, 0, size, nodes))
}

fn hit_with(sets: &[Sources], chosen: Sources, left: usize, nodes: &mut usize) -> Option<Sources> {
    let Some(open) = sets.iter().filter(|&&set| set & chosen == 0).min_by_key(|set| set.count_ones()) else {
        return Some(chosen);
    };
    if left == 0 || *nodes == 0 {
        return None;
    }
    *nodes -= 1;
    bits(*open).find_map(|source| hit_with(sets, chosen | 1 << source, left - 1, nodes))
}

fn bits(set: Sources) -> impl Iterator<Item = usize> {
    (0..Sources::BITS as usize).filter(move |&bit| set >> bit & 1 != 0)
}
