//! The chance of everything that a seat does not know, by counting all deals that agree with its facts.
//!
//! Cards are placed one after the other. A state says how many cards each seat has got, which types have their secret
//! card, and which sets are still to be met; states that agree are one, with the sum of their weights.

use rand::{Rng, RngExt};

use crate::knowledge::count::Problem;
use crate::knowledge::states::{Plan, Secrets};
use crate::pack::CardSet;

/// The most states of a count, about a gigabyte.
const MOST_STATES: usize = 1 << 24;

/// A place for a card that leads from a state to one of the next step.
#[derive(Clone, Copy, Debug)]
struct Edge {
    to: u32,
    group: u32,
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

impl Chances {
    /// Counts. `None` if no deal agrees with the facts, or there are too many states.
    #[must_use]
    pub fn new(problem: Problem) -> Option<Self> {
        Self::count(problem, Secrets::Chosen)
    }

    fn count(problem: Problem, secrets: Secrets) -> Option<Self> {
        let plan = Plan::new(&problem, secrets)?;
        let mut chances = Self {
            states: vec![plan.start],
            first: vec![0],
            forward: vec![1.0],
            backward: Vec::new(),
            edges: Vec::new(),
            first_edge: Vec::new(),
            problem,
            plan,
        };
        let mut index = Index::default();
        for step in 0..chances.plan.steps.len() {
            chances.extend(step, &mut index)?;
        }
        chances.go_back();
        (chances.backward[0] > 0.0).then_some(chances)
    }

    /// Adds the states after a step.
    fn extend(&mut self, step: usize, index: &mut Index) -> Option<()> {
        let step = &self.plan.steps[step];
        let (begin, end) = (self.first.last().copied()?, self.states.len());
        self.first.push(end);
        index.clear();
        for from in begin..end {
            self.first_edge.push(self.edges.len());
            let (state, sum) = (self.states[from], self.forward[from]);
            let Ok(urgent) = step.urgent(state) else { continue };
            let places = urgent.map_or(&step.places[..], |place| &step.places[place..=place]);
            for place in places {
                let Some((next, factor)) = place.take(state).and_then(|next| step.settle(next)) else { continue };
                let weight = place.weight * factor;
                let to = index.find(next, end, &mut self.states);
                if to == self.forward.len() {
                    self.forward.push(0.0);
                }
                self.forward[to] += sum * weight;
                self.edges.push(Edge { to: u32::try_from(to).ok()?, group: u32::try_from(place.group).ok()?, weight });
            }
        }
        (self.states.len() <= MOST_STATES).then_some(())
    }

    /// Sums the ways from each state to the end.
    fn go_back(&mut self) {
        let last = self.first.last().copied().unwrap_or(0);
        self.backward = vec![0.0; self.states.len()];
        self.backward[last..].fill(1.0);
        self.first_edge.resize(self.states.len() + 1, self.edges.len());
        for from in (0..last).rev() {
            let edges = &self.edges[self.first_edge[from]..self.first_edge[from + 1]];
            self.backward[from] = edges.iter().map(|edge| edge.weight * self.backward[edge.to as usize]).sum();
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
        let mut sums = vec![[0.0; crate::pack::MOST_CARDS]; groups.len() + 1];
        for (step, begin) in self.plan.steps.iter().zip(&self.first) {
            let end = self.first.iter().find(|&&first| first > *begin).copied().unwrap_or(self.states.len());
            for from in *begin..end {
                let forward = self.forward[from];
                for edge in &self.edges[self.first_edge[from]..self.first_edge[from + 1]] {
                    sums[edge.group as usize][step.card] += forward * edge.weight * self.backward[edge.to as usize];
                }
            }
        }
        let total = self.backward[0];
        let mut hands = vec![vec![0.0; cards]; self.problem.holders.len()];
        for (group, sums) in groups.iter().zip(&sums) {
            for &member in &group.members {
                let share = self.problem.holders[member].free as f64 / group.free as f64 / total;
                hands[member] = sums[..cards].iter().map(|sum| sum * share).collect();
            }
        }
        let mut secret: Vec<f64> = sums[groups.len()][..cards].iter().map(|sum| sum / total).collect();
        for card in self.problem.secret.iter().filter_map(|set| set.only()) {
            secret[card] = 1.0;
        }
        Marginals { hands, secret }
    }

    /// Returns the chance of each possible secret, the likeliest first.
    #[must_use]
    pub fn triples(&self) -> Option<Vec<([usize; 3], f64)>> {
        let full = Self::count(self.problem.clone(), Secrets::Identity)?;
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
        let mut shared = [CardSet::EMPTY; 32];
        let mut from = 0;
        for step in &self.plan.steps {
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
            match groups.get(chosen.group as usize) {
                None => sample.secret[self.problem.pack.kind(step.card)] = step.card,
                Some(group) if group.members.len() == 1 => sample.hands[group.members[0]].insert(step.card),
                Some(_) => shared[chosen.group as usize].insert(step.card),
            }
            from = chosen.to as usize;
        }
        for (group, mut cards) in groups.iter().zip(shared).filter(|(group, _)| group.members.len() > 1) {
            for &member in &group.members {
                for _ in 0..self.problem.holders[member].free {
                    let card = cards.nth(rng.random_range(0..cards.len())).unwrap_or(0);
                    cards.remove(card);
                    sample.hands[member].insert(card);
                }
            }
        }
    }
}

/// Finds the states of a step by their bits.
#[derive(Debug, Default)]
struct Index {
    /// One more than a state's place after the first of its step, or 0.
    slots: Vec<u32>,
    filled: usize,
}

impl Index {
    fn clear(&mut self) {
        self.slots.clear();
        self.slots.resize(256, 0);
        self.filled = 0;
    }

    #[expect(clippy::cast_possible_truncation, reason = "a few upper bits of a hash")]
    const fn slot(&self, state: u64) -> usize {
        let hash = state.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (hash >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    /// Returns the place of a state among `states[first..]`, where it is added if it is new.
    #[inline]
    fn find(&mut self, state: u64, first: usize, states: &mut Vec<u64>) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.slot(state);
        loop {
            match self.slots[slot] {
                0 => break,
                taken if states[first + taken as usize - 1] == state => return first + taken as usize - 1,
                _ => slot = (slot + 1) & mask,
            }
        }
        states.push(state);
        self.filled += 1;
        self.slots[slot] = u32::try_from(self.filled).unwrap_or(0);
        if self.filled * 2 > self.slots.len() {
            self.grow(&states[first..]);
        }
        states.len() - 1
    }

    #[cold]
    fn grow(&mut self, states: &[u64]) {
        let size = self.slots.len() * 4;
        self.slots.clear();
        self.slots.resize(size, 0);
        for (place, &state) in states.iter().enumerate() {
            let mut slot = self.slot(state);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = u32::try_from(place + 1).unwrap_or(0);
        }
    }
}
