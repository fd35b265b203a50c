//! Deals drawn by their weights.

use rand::{Rng, RngExt};

use crate::knowledge::chances::Chances;
use crate::knowledge::lanes;
use crate::knowledge::states::{NOWHERE, SECRET};
use crate::pack::CardSet;

/// A deal that agrees with all facts: the places of the open cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The secret.
    pub secret: [usize; 3],
    /// The open cards in each holder's hand, in the problem's order.
    pub hands: Vec<CardSet>,
}

/// Draws deals that were counted.
#[derive(Clone, Debug)]
pub struct Sampler<'a> {
    chances: &'a Chances,
    /// For each state, for each place of its step: one more than the way's number among those by that place, or 0.
    ways: Vec<u32>,
    /// Where each step's begin.
    first: Vec<usize>,
}

impl<'a> Sampler<'a> {
    /// Prepares for drawing.
    #[must_use]
    pub fn new(chances: &'a Chances) -> Self {
        let layers = &chances.layers;
        let mut ways = Vec::new();
        let mut first = Vec::with_capacity(chances.plan.len());
        for (number, step) in chances.plan.steps().enumerate() {
            let begin = ways.len();
            let places = step.places.len();
            first.push(begin);
            ways.resize(begin + layers.states(number).len() * places, 0);
            for place in 0..places {
                for (number, way) in (1..).zip(layers.ways(&step, place).list) {
                    ways[begin + way.from as usize * places + place] = number;
                }
            }
        }
        Self { chances, ways, first }
    }

    /// Draws a deal by its weight.
    pub fn draw<R: Rng>(&self, rng: &mut R, sample: &mut Sample) {
        let Chances { plan, layers, .. } = self.chances;
        let problem = self.chances.problem();
        sample.hands.clear();
        sample.hands.resize(problem.holders.len(), CardSet::EMPTY);
        sample.secret = problem.secret.map(|set| set.first().unwrap_or(0));
        let mut slots = [CardSet::EMPTY; SECRET];
        let mut parts = [[0; 2]; SECRET];
        // A state and its lane.
        let mut at = (0, layers.start());
        for (number, step) in plan.steps().enumerate() {
            let (place, to) = self.way(number, at, rng);
            let place = &step.places[place];
            match place.slot {
                NOWHERE => {
                    let mut state = layers.states(number)[at.0] & !step.done;
                    for union in step.unions {
                        (parts[union.whole], state) = union.join(state);
                    }
                }
                SECRET => sample.secret[problem.pack.kind(step.card)] = step.card,
                slot => slots[slot].insert(step.card),
            }
            at = to;
        }
        // What unions got is shared among their parts, the last union first.
        for union in plan.steps().rev().flat_map(|step| step.unions.iter().rev()) {
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
    fn way<R: Rng>(&self, number: usize, at: (usize, usize), rng: &mut R) -> (usize, (usize, usize)) {
        let layers = &self.chances.layers;
        let step = self.chances.plan.step(number);
        let (from, lane) = at;
        if step.has_no_card() {
            // One way leads from each state.
            return (0, (layers.ways(&step, 0).list[from].to as usize, lane));
        }
        let after = layers.backward(number + 1);
        let state = layers.states(number)[from];
        let mut left = rng.random::<f64>() * layers.backward(number)[from][lane];
        let mut chosen = (0, at);
        let first = self.first[number] + from * step.places.len();
        for (place, &way) in self.ways[first..first + step.places.len()].iter().enumerate() {
            let Some(way) = (way as usize).checked_sub(1) else { continue };
            let (ways, into) = (layers.ways(&step, place), &step.places[place]);
            let to = ways.list[way].to as usize;
            let lane = if into.slot == SECRET { lanes::after(lane, into.kind, into.left(state)) } else { lane };
            let chance = ways.weight(way) * after[to][lane];
            if chance > 0.0 {
                chosen = (place, (to, lane));
                left -= chance;
                if left < 0.0 {
                    break;
                }
            }
        }
        chosen
    }
}

/// Takes any card out of a set.
fn take_any<R: Rng>(cards: &mut CardSet, rng: &mut R) -> usize {
    let card = cards.nth(rng.random_range(0..cards.len().max(1))).unwrap_or(0);
    cards.remove(card);
    card
}
