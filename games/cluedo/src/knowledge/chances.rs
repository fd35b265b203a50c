//! The chance of everything that a seat does not know, by counting all deals that agree with its facts.
//!
//! Cards are placed one after the other. A state says how many places are free at each seat, which types have their
//! secret card, and which sets are still to be met; states that agree are one, with the sum of their weights. Seats
//! between which the cards that are left make no difference are one from then on.

use std::ops::Range;

use rand::{Rng, RngExt};
use thiserror::Error;

use crate::knowledge::count::Problem;
use crate::knowledge::index::Index;
use crate::knowledge::states::{Plan, SECRET, Secrets, Step, fits};
use crate::pack::{CardSet, MOST_CARDS};

/// The most states of a count, some 130 MB.
const MOST_STATES: usize = 1 << 21;

/// A place for a card that leads from a state to one of the next step.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    /// Which of the step's places.
    place: u32,
    weight: f64,
}

/// A count that was made: the sum over all deals, and how to walk through them.
#[derive(Clone, Debug)]
pub struct Chances {
    problem: Problem,
    plan: Plan,
    /// States of step 0, then of step 1, and so on; where each step's states begin.
    states: Vec<u64>,
    first: Vec<usize>,
    /// Sums of weights of all ways from the start, and to the end.
    forward: Vec<f64>,
    backward: Vec<f64>,
    edges: Vec<Edge>,
    first_edge: Vec<usize>,
    /// For each step, the weight of all deals with its card in each slot.
    flows: Vec<[f64; SECRET + 1]>,
}

/// A deal that agrees with all facts: the places of the open cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The secret.
    pub secret: [usize; 3],
    /// The open cards in each holder's hand, in the problem's order.
    pub hands: Vec<CardSet>,
}

/// The chances of each card's places.
#[derive(Clone, Debug)]
pub struct Marginals {
    /// For each holder of the problem, for each card.
    pub hands: Vec<Vec<f64>>,
    /// For each card.
    pub secret: Vec<f64>,
}

/// Why deals are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Uncounted {
    /// The facts contradict each other.
    #[error("no deal agrees with all of them")]
    NoDeal,
    /// That would take too much time and memory.
    #[error("there are too many deals to count")]
    TooMany,
}

impl Chances {
    /// Counts.
    ///
    /// # Errors
    /// If no deal agrees with the facts, or there are too many to count.
    pub fn new(problem: Problem) -> Result<Self, Uncounted> {
        Self::within(problem, MOST_STATES)
    }

    /// Counts with at most this many states, of some 60 bytes each.
    ///
    /// # Errors
    /// If no deal agrees with the facts, or there are too many to count.
    pub fn within(problem: Problem, states: usize) -> Result<Self, Uncounted> {
        Self::count(problem, Secrets::Chosen, states)
    }

    fn count(problem: Problem, secrets: Secrets, states: usize) -> Result<Self, Uncounted> {
        if !fits(&problem) {
            return Err(Uncounted::NoDeal);
        }
        let plan = Plan::new(&problem, secrets).ok_or(Uncounted::TooMany)?;
        let mut chances = Self {
            states: vec![plan.start],
            first: vec![0],
            forward: vec![1.0],
            backward: Vec::new(),
            edges: Vec::with_capacity(4096),
            first_edge: Vec::with_capacity(1024),
            flows: vec![[0.0; SECRET + 1]; plan.steps.len()],
            problem,
            plan,
        };
        let mut index = Index::default();
        for step in 0..chances.plan.steps.len() {
            let places = |step: &Step, state| (state & step.due == step.due).then_some((state & !step.due, 1.0));
            let extended = if chances.plan.steps[step].only_places() {
                chances.extend(step, &mut index, places, states)
            } else {
                chances.extend(step, &mut index, Step::finish, states)
            };
            extended.ok_or(Uncounted::TooMany)?;
        }
        chances.states.truncate(index.used.max(1));
        chances.go_back();
        if chances.backward[0] > 0.0 { Ok(chances) } else { Err(Uncounted::NoDeal) }
    }

    /// Adds the states after a step; `finish` returns what becomes of a state with the card in its place. `None` if there are
    /// more than `most` by then.
    #[inline]
    fn extend(
        &mut self,
        step: usize,
        index: &mut Index,
        finish: impl Fn(&Step, u64) -> Option<(u64, f64)>,
        most: usize,
    ) -> Option<()> {
        let step = &self.plan.steps[step];
        let begin = self.first.last().copied()?;
        let end = index.begin_layer(begin);
        self.first.push(end);
        for from in begin..end {
            self.first_edge.push(self.edges.len());
            index.make_room(&mut self.states);
            self.forward.resize(self.states.len(), 0.0);
            let (state, sum) = (self.states[from], self.forward[from]);
            let Ok(urgent) = step.urgent(state) else { continue };
            let places = urgent.map_or(0..step.places.len(), |place| place..place + 1);
            if index.used > most {
                return None;
            }
            for place in places {
                let into = &step.places[place];
                let Some((next, factor)) = into.take(state).and_then(|next| finish(step, next)) else { continue };
                let weight = into.weight * factor;
                let to = index.find(next, &mut self.states);
                self.forward[to] += sum * weight;
                self.edges.push(Edge { to: u32::try_from(to).ok()?, place: u32::try_from(place).ok()?, weight });
            }
        }
        (index.used <= most).then_some(())
    }

    /// Sums the ways from each state to the end.
    fn go_back(&mut self) {
        let last = self.first.last().copied().unwrap_or(0);
        let edges = self.edges.len();
        self.backward = vec![0.0; self.states.len()];
        self.backward[last..].fill(1.0);
        self.first_edge.resize(self.states.len() + 1, edges);
        for (number, step) in self.plan.steps.iter().enumerate().rev() {
            let mut flows = [0.0; SECRET + 1];
            for from in self.first[number]..self.first[number + 1] {
                let forward = self.forward[from];
                let mut sum = 0.0;
                for edge in &self.edges[self.first_edge[from]..self.first_edge[from + 1]] {
                    let flow = edge.weight * self.backward[edge.to as usize];
                    sum += flow;
                    flows[edge.place as usize] += forward * flow;
                }
                self.backward[from] = sum;
            }
            for (place, flow) in step.places.iter().zip(flows) {
                self.flows[number][place.slot] = flow;
            }
        }
    }

    /// Returns the sum of the weights of all deals: their number if they are weighed alike, exact up to 2^53.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.backward[0] * self.plan.shares
    }

    /// Returns the problem.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// Returns how many states and transitions the count took.
    #[must_use]
    pub const fn size(&self) -> (usize, usize) {
        (self.states.len(), self.edges.len())
    }

    /// Returns the chance of each place of each card.
    #[must_use]
    pub fn marginals(&self) -> Marginals {
        let cards = self.problem.pack.len();
        let groups = &self.plan.groups;
        let mut sums = vec![[0.0; MOST_CARDS]; groups.len()];
        let mut shares = Vec::new();
        // For each slot, the group to which what its shares leave falls.
        let mut rest: [usize; SECRET] = std::array::from_fn(|slot| slot);
        for (number, (step, flows)) in self.plan.steps.iter().zip(&self.flows).enumerate() {
            let mut left = *flows;
            self.add_shares(number, &shares, &mut sums, &mut left);
            for place in step.places.iter().filter(|place| place.slot != SECRET) {
                sums[rest[place.slot]][step.card] = left[place.slot].max(0.0);
            }
            self.pass_shares(number, &mut shares, &mut rest);
        }
        let total = self.backward[0];
        let mut hands = vec![vec![0.0; cards]; self.problem.holders.len()];
        for (group, sums) in groups.iter().zip(&sums) {
            for &member in &group.members {
                let share = self.problem.holders[member].free as f64 / group.free as f64 / total;
                hands[member] = sums[..cards].iter().map(|sum| sum * share).collect();
            }
        }
        Marginals { hands, secret: self.secret() }
    }

    /// Returns for each card the chance that it is secret.
    #[must_use]
    pub fn secret(&self) -> Vec<f64> {
        let mut secret = vec![0.0; self.problem.pack.len()];
        for (step, flows) in self.plan.steps.iter().zip(&self.flows) {
            secret[step.card] = flows[SECRET] / self.backward[0];
        }
        for card in self.problem.secret.iter().filter_map(|set| set.only()) {
            secret[card] = 1.0;
        }
        secret
    }

    /// Returns the states before a step.
    fn layer(&self, number: usize) -> Range<usize> {
        self.first[number]..self.first.get(number + 1).copied().unwrap_or(self.states.len())
    }

    fn edges(&self, from: usize) -> &[Edge] {
        &self.edges[self.first_edge[from]..self.first_edge[from + 1]]
    }

    /// Adds the chances of the groups that are shares of slots, and takes them from those of the slots.
    fn add_shares(
        &self,
        number: usize,
        shares: &[Share],
        sums: &mut [[f64; MOST_CARDS]],
        left: &mut [f64; SECRET + 1],
    ) {
        let step = &self.plan.steps[number];
        for share in shares {
            let Some(place) = step.places.iter().position(|place| place.slot == share.slot) else { continue };
            let mut sum = 0.0;
            for (from, &weight) in self.layer(number).zip(&share.weights) {
                let edge = self.edges(from).iter().find(|edge| edge.place as usize == place);
                sum += edge.map_or(0.0, |edge| weight * edge.weight * self.backward[edge.to as usize]);
            }
            sums[share.group][step.card] = sum;
            left[share.slot] -= sum;
        }
    }

    /// Follows the groups that are shares of slots through a step.
    fn pass_shares(&self, number: usize, shares: &mut Vec<Share>, rest: &mut [usize; SECRET]) {
        let step = &self.plan.steps[number];
        let (layer, after) = (self.layer(number), self.layer(number + 1));
        for union in &step.unions {
            let [first, second] = union.parts;
            rest[union.whole] = rest[first];
            // The second part was there before the step. One more share: what its shares leave.
            let mut weights = self.forward[layer.clone()].to_vec();
            for share in shares.iter().filter(|share| share.slot == second) {
                weights.iter_mut().zip(&share.weights).for_each(|(weight, part)| *weight -= part);
            }
            shares.push(Share { group: rest[second], slot: second, weights });
        }
        if !step.unions.is_empty() {
            self.unite_shares(step, layer, after, shares);
            return;
        }
        for share in shares {
            let mut next = vec![0.0; after.len()];
            for (from, &weight) in layer.clone().zip(&share.weights) {
                for edge in self.edges(from) {
                    next[edge.to as usize - after.start] += weight * edge.weight;
                }
            }
            share.weights = next;
        }
    }

    /// Follows the groups that are parts of unions through a step with unions.
    fn unite_shares(&self, step: &Step, layer: Range<usize>, after: Range<usize>, shares: &mut [Share]) {
        let mut next = vec![vec![0.0; after.len()]; shares.len()];
        for (place, from) in layer.enumerate() {
            for edge in self.edges(from) {
                let ratios = step.ratios(edge.place as usize, self.states[from]);
                for (share, next) in shares.iter().zip(&mut next) {
                    next[edge.to as usize - after.start] += share.weights[place] * edge.weight * ratios[share.slot];
                }
            }
        }
        for (share, next) in shares.iter_mut().zip(next) {
            share.weights = next;
            for union in &step.unions {
                if union.parts.contains(&share.slot) {
                    share.slot = union.whole;
                }
            }
        }
    }

    /// Returns the chance of each possible secret, the likeliest first.
    #[must_use]
    pub fn triples(&self) -> Option<Vec<([usize; 3], f64)>> {
        let full = Self::count(self.problem.clone(), Secrets::Identity, MOST_STATES).ok()?;
        let last = full.first.last().copied()?;
        let total = full.backward[0];
        let mut triples: Vec<_> = (last..full.states.len())
            .map(|end| (full.plan.triple(&full.problem, full.states[end]), full.forward[end] / total))
            .collect();
        triples.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        Some(triples)
    }

    /// Draws a deal by its weight.
    pub fn sample<R: Rng>(&self, rng: &mut R, sample: &mut Sample) {
        let groups = &self.plan.groups;
        sample.hands.clear();
        sample.hands.resize(self.problem.holders.len(), CardSet::EMPTY);
        sample.secret = self.problem.secret.map(|set| set.first().unwrap_or(0));
        let mut slots = [CardSet::EMPTY; SECRET];
        let mut parts = [[0; 2]; SECRET];
        let mut from = 0;
        for step in &self.plan.steps {
            let edge = self.draw(from, rng);
            let place = &step.places[edge.place as usize];
            match place.slot {
                SECRET => sample.secret[self.problem.pack.kind(step.card)] = step.card,
                slot => slots[slot].insert(step.card),
            }
            if !step.unions.is_empty() {
                let mut state =
                    place.take(self.states[from]).and_then(|state| step.settle(state)).unwrap_or((0, 0.0)).0;
                for union in &step.unions {
                    let (free, joined) = union.join(state);
                    (parts[union.whole], state) = (free, joined);
                }
            }
            from = edge.to as usize;
        }
        // What unions got is shared among their parts, the last union first.
        for union in self.plan.steps.iter().rev().flat_map(|step| step.unions.iter().rev()) {
            let mut cards = slots[union.whole];
            for (part, free) in union.parts.into_iter().zip(parts[union.whole]) {
                for _ in 0..free {
                    slots[part].insert(take_any(&mut cards, rng));
                }
            }
        }
        for (group, mut cards) in groups.iter().zip(slots) {
            for &member in &group.members {
                if group.members.len() == 1 {
                    sample.hands[member] = cards;
                    continue;
                }
                for _ in 0..self.problem.holders[member].free {
                    sample.hands[member].insert(take_any(&mut cards, rng));
                }
            }
        }
    }

    /// Draws a way on from a state.
    fn draw<R: Rng>(&self, from: usize, rng: &mut R) -> &Edge {
        let edges = &self.edges[self.first_edge[from]..self.first_edge[from + 1]];
        let mut left = rng.random::<f64>() * self.backward[from];
        let mut chosen = &edges[0];
        for edge in edges {
            let chance = edge.weight * self.backward[edge.to as usize];
            if chance > 0.0 {
                chosen = edge;
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

/// The part of each state's weight that falls to a group that is no longer told apart: its share of the free places.
#[derive(Debug)]
struct Share {
    group: usize,
    slot: usize,
    weights: Vec<f64>,
}
