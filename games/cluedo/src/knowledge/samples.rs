//! Deals drawn by their weights.

use rand::{Rng, RngExt};

use crate::deck::CardSet;
use crate::knowledge::chances::Chances;
use crate::knowledge::lanes::{self, Lanes};
use crate::knowledge::states::{NOWHERE, SECRET, Step};

/// A deal that agrees with all facts: the places of the open cards.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sample {
    pub secret: [usize; 3],
    /// The open cards in each holder's hand, in the problem's order.
    pub hands: Vec<CardSet>,
}

/// Draws deals that were counted.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    chances: &'a Chances,
    levels: Vec<Level<'a>>,
    /// For each state before a step, for each place: one more than the state to which that way leads, or 0.
    ways: Vec<u32>,
}

/// A step, the states before it, and the sums of weights from there and from the states after it to the end.
#[derive(Clone, Copy, Debug)]
struct Level<'a> {
    step: &'a Step,
    states: &'a [u64],
    before: &'a [Lanes],
    after: &'a [Lanes],
    /// Where its ways begin.
    ways: usize,
}

impl<'a> Sampler<'a> {
    pub fn new(chances: &'a Chances) -> Self {
        let Chances { plan, layers, .. } = chances;
        let mut ways = Vec::with_capacity(2 * layers.size().1);
        let mut levels = Vec::with_capacity(plan.steps.len());
        for (number, step) in plan.steps.iter().enumerate() {
            let (states, first, places) = (layers.states(number), ways.len(), step.places.len());
            ways.resize(first + states.len() * places, 0);
            for place in 0..places {
                for way in layers.ways(step, place).list {
                    ways[first + way.from as usize * places + place] = way.to + 1;
                }
            }
            let (before, after) = (layers.backward(number), layers.backward(number + 1));
            levels.push(Level { step, states, before, after, ways: first });
        }
        Self { chances, levels, ways }
    }

    /// Draws a deal by its weight.
    pub fn draw<R: Rng>(&self, rng: &mut R, sample: &mut Sample) {
        let Chances { problem, plan, layers, .. } = self.chances;
        sample.hands.clear();
        sample.hands.resize(problem.holders.len(), CardSet::EMPTY);
        sample.secret = problem.secret.map(|set| set.first().unwrap_or(0));
        let mut slots = [CardSet::EMPTY; SECRET];
        let mut parts = [[0; 2]; SECRET];
        // A state and its lane.
        let mut at = (0, layers.start);
        for level in &self.levels {
            let (place, to) = self.way(level, at, rng);
            let place = &level.step.places[place];
            match place.slot {
                NOWHERE => {
                    let mut state = level.states[at.0] & !level.step.done;
                    for union in &level.step.unions {
                        (parts[union.whole], state) = union.join(state);
                    }
                }
                SECRET => sample.secret[place.kind] = level.step.card,
                slot => slots[slot].insert(level.step.card),
            }
            at = to;
        }
        // What unions got is shared among their parts, the last union first.
        for union in self.levels.iter().rev().flat_map(|level| level.step.unions.iter().rev()) {
            let mut cards = slots[union.whole];
            for (part, free) in union.parts.into_iter().zip(parts[union.whole]) {
                for _ in 0..free {
                    slots[part].insert(take_any(&mut cards, rng));
                }
            }
        }
        for (group, mut cards) in plan.groups.iter().zip(slots) {
            for &member in &group.members {
                if group.members.len() == 1 {
                    sample.hands[member] = cards;
                    continue;
                }
                for _ in 0..problem.holders[member].free {
                    sample.hands[member].insert(take_any(&mut cards, rng));
                }
            }
        }
    }

    /// Draws a way on from a state and lane before a step: a place for the card, and the state and lane after it.
    fn way<R: Rng>(&self, level: &Level<'_>, at: (usize, usize), rng: &mut R) -> (usize, (usize, usize)) {
        let (from, lane) = at;
        let places = &level.step.places;
        let ways = &self.ways[level.ways + from * places.len()..][..places.len()];
        if level.step.has_no_card() {
            // One way leads from each state.
            return (0, (ways[0] as usize - 1, lane));
        }
        let mut left = rng.random::<f64>() * level.before[from][lane];
        let mut chosen = (0, at);
        for (number, (place, &way)) in places.iter().zip(ways).enumerate().filter(|(_, (_, way))| **way > 0) {
            let is_secret = place.slot == SECRET;
            let lane = if is_secret { lanes::after(lane, place.kind, place.left(level.states[from])) } else { lane };
            let to = way as usize - 1;
            let chance = place.weight * level.after[to][lane];
            if chance > 0.0 {
                chosen = (number, (to, lane));
                left -= chance;
                if left < 0.0 {
                    break;
                }
            }
        }
        chosen
    }
}

fn take_any<R: Rng>(cards: &mut CardSet, rng: &mut R) -> usize {
    let card = cards.nth(rng.random_range(0..cards.len().max(1))).unwrap_or(0);
    cards.remove(card);
    card
}
