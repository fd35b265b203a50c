//! The chances of groups that are no longer told apart: each has its share of what falls to a union.
//!
//! A union's cards go to its parts by chance, to each by the free places that it had when they became one. For each
//! such part, the share of each state's weight that falls to it is followed through the layers after the union.

use crate::deck::MAX_CARDS;
use crate::knowledge::lanes::{self, EMPTY, Lanes};
use crate::knowledge::layers::Layers;
use crate::knowledge::plan::Plan;
use crate::knowledge::states::{SECRET, Step};

/// Shares on the way through the layers.
#[derive(Debug)]
pub(crate) struct Shares<'a> {
    layers: &'a Layers,
    shares: Vec<Share>,
    /// For each share, for each state of the layer, the part of its weight; and the same of the next layer.
    weights: Vec<Lanes>,
    next: Vec<Lanes>,
    /// For each slot, the group to which what its shares leave falls.
    rest: [usize; SECRET],
}

/// A group's share of a slot.
#[derive(Clone, Copy, Debug)]
struct Share {
    group: usize,
    slot: usize,
}

impl<'a> Shares<'a> {
    /// Begins before the first step.
    pub(crate) fn new(plan: &Plan, layers: &'a Layers) -> Self {
        let shares = Vec::with_capacity(plan.groups.len());
        Self { layers, shares, weights: Vec::new(), next: Vec::new(), rest: std::array::from_fn(|slot| slot) }
    }

    /// Adds the weight of all deals with a step's card at a place to the sums of the groups that have shares of it.
    pub(crate) fn add(&self, number: usize, step: &Step, place: usize, flow: f64, sums: &mut [[f64; MAX_CARDS]]) {
        let slot = step.places[place].slot;
        let ways = self.layers.ways(step, place);
        let after = self.layers.backward(number + 1);
        let size = self.layers.states(number).len();
        let mut left = flow;
        for (share, weights) in self.shares.iter().zip(self.weights.chunks_exact(size)) {
            if share.slot == slot {
                let mut sum = 0.0;
                ways.for_each(|way, weight| {
                    sum += weight * lanes::product(&weights[way.from as usize], &after[way.to as usize]);
                });
                sums[share.group][step.card] = sum;
                left -= sum;
            }
        }
        sums[self.rest[slot]][step.card] = left.max(0.0);
    }

    /// Follows all shares through a step.
    pub(crate) fn pass(&mut self, number: usize, step: &Step) {
        for union in &step.unions {
            self.part(number, union.parts[1]);
            self.rest[union.whole] = self.rest[union.parts[0]];
        }
        if self.shares.is_empty() {
            return;
        }
        let [size, after] = [number, number + 1].map(|number| self.layers.states(number).len());
        self.next.clear();
        self.next.resize(self.shares.len() * after, EMPTY);
        if step.unions.is_empty() {
            for place in 0..step.places.len() {
                for (weights, next) in self.weights.chunks_exact(size).zip(self.next.chunks_exact_mut(after)) {
                    self.layers.carry(number, step, place, weights, next);
                }
            }
        } else {
            self.unite(number, step, [size, after]);
        }
        std::mem::swap(&mut self.weights, &mut self.next);
        for share in &mut self.shares {
            for union in &step.unions {
                if union.parts.contains(&share.slot) {
                    share.slot = union.whole;
                }
            }
        }
    }

    /// Makes a share of what the shares of a slot leave.
    fn part(&mut self, number: usize, slot: usize) {
        let before = self.layers.forward(number);
        let first = self.weights.len();
        self.weights.extend(before);
        let (others, weights) = self.weights.split_at_mut(first);
        for (share, others) in self.shares.iter().zip(others.chunks_exact(before.len())) {
            if share.slot == slot {
                weights.iter_mut().zip(others).for_each(|(weights, others)| lanes::add(weights, others, -1.0));
            }
        }
        self.shares.push(Share { group: self.rest[slot], slot });
    }

    /// Follows all shares through a step with unions: their parts have shares by the places that are free.
    fn unite(&mut self, number: usize, step: &Step, [size, after]: [usize; 2]) {
        let states = self.layers.states(number);
        // For each union, its first part's share; then for each slot, its share of what it becomes.
        let mut firsts = [0.0; SECRET];
        let mut ratios = [1.0; SECRET];
        self.layers.ways(step, 0).for_each(|way, weight| {
            let (from, to) = (way.from as usize, way.to as usize);
            let mut state = states[from] & !step.done;
            for (union, first) in step.unions.iter().zip(&mut firsts) {
                let (free, joined) = union.join(state);
                *first = union.share(free);
                state = joined;
            }
            // A union may be a part of a later one.
            for (union, first) in step.unions.iter().zip(&firsts).rev() {
                let whole = ratios[union.whole];
                ratios[union.parts[0]] = whole * first;
                ratios[union.parts[1]] = whole * (1.0 - first);
            }
            for (number, share) in self.shares.iter().enumerate() {
                let weight = weight * ratios[share.slot];
                lanes::add(&mut self.next[number * after + to], &self.weights[number * size + from], weight);
            }
        });
    }
}
