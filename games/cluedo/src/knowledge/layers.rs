//! The states of a count, layer by layer, and the ways between them.
//!
//! What is done for each state has no branch that depends on it: a processor cannot guess which places are free.

use std::ops::Range;

use crate::knowledge::index::Index;
use crate::knowledge::plan::Plan;
use crate::knowledge::states::Step;

/// All states, with the sums of weights of all ways from the start and to the end.
#[derive(Clone, Debug)]
pub(crate) struct Layers {
    layers: Vec<Layer>,
    states: Vec<u64>,
    forward: Vec<f64>,
    backward: Vec<f64>,
    /// For each step and place, for each state: which one of the next layer follows.
    ways: Vec<u32>,
    /// The same for weights besides those of places, of steps that have any.
    factors: Vec<f64>,
    /// How many ways there are, those to dead ends left out.
    count: usize,
}

/// The states before a step. The first one is the dead end: where a way leads that is none.
#[derive(Clone, Copy, Debug)]
struct Layer {
    /// Where its states begin and end, and where the ways from them and the factors of these begin.
    first: usize,
    end: usize,
    ways: usize,
    factors: usize,
}

/// The state of a dead end: without a free place.
const DEAD: u64 = 0;

/// The ways by which a card goes to one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways<'a> {
    /// For each state of a layer, which one of the next layer follows.
    pub(crate) to: &'a [u32],
    weight: f64,
    /// Further weights, or none.
    factors: &'a [f64],
}

impl Ways<'_> {
    /// Returns the weight of the way from a state.
    #[inline]
    pub(crate) fn weight(&self, from: usize) -> f64 {
        self.factors.get(from).map_or(self.weight, |factor| factor * self.weight)
    }
}

impl Layers {
    /// Finds all states by which a plan leads; `None` if they are more than `most`.
    pub(crate) fn new(plan: &Plan, most: usize) -> Option<Self> {
        let room = plan.states.clamp(32, 1 << 16);
        let mut layers = Self {
            layers: Vec::with_capacity(plan.len() + 1),
            states: Vec::with_capacity(room),
            forward: Vec::with_capacity(room),
            backward: Vec::new(),
            ways: Vec::with_capacity(5 * room),
            factors: Vec::new(),
            count: 0,
        };
        layers.layers.push(Layer { first: 0, end: 2, ways: 0, factors: 0 });
        layers.states.extend([DEAD, plan.start]);
        layers.forward.extend([0.0, 1.0]);
        let mut index = Index::default();
        let mut found = Vec::new();
        for step in plan.steps() {
            layers.extend(&step, &mut index, &mut found);
            if layers.states.len() > most {
                return None;
            }
        }
        Some(layers)
    }

    /// Adds the layer after a step.
    fn extend(&mut self, step: &Step<'_>, index: &mut Index, found: &mut Vec<(u32, u64)>) {
        let Layer { first, end, mut ways, mut factors } = self.layers[self.layers.len() - 1];
        let size = end - first;
        if found.len() < size {
            found.resize(2 * size, (0, 0));
        }
        index.begin(size);
        self.ways.resize(ways + step.places.len() * size, 0);
        if !step.only_places() {
            self.factors.resize(factors + step.places.len() * size, 0.0);
        }
        for place in step.places {
            let count = step.list(place, &self.states[first..end], found);
            index.make_room(count, &mut self.states, end);
            self.forward.resize(self.states.len(), 0.0);
            let (before, sums) = self.forward.split_at_mut(end);
            let before = &before[first..];
            let next = &mut self.states[end..];
            let to = &mut self.ways[ways..ways + size];
            if step.only_places() {
                for &(from, state) in &found[..count] {
                    let from = from as usize;
                    let way = index.find(state & !step.due, next);
                    to[from] = way;
                    sums[way as usize] += before[from] * place.weight;
                }
            } else {
                let weights = &mut self.factors[factors..factors + size];
                for &(from, state) in &found[..count] {
                    let from = from as usize;
                    let (state, factor) = step.finish(state);
                    let way = index.find(state, next);
                    to[from] = way;
                    weights[from] = factor;
                    sums[way as usize] += before[from] * place.weight * factor;
                }
                factors += size;
            }
            ways += size;
            self.count += count;
        }
        let layer = Layer { first: end, end: end + index.used(), ways, factors };
        self.states.resize(layer.end, DEAD);
        self.forward.resize(layer.end, 0.0);
        self.states[layer.first] = DEAD;
        self.layers.push(layer);
    }

    /// Sums the ways from each state to the end; returns for each place of each step the weight of all deals with the
    /// step's card there.
    pub(crate) fn go_back(&mut self, plan: &Plan) -> Vec<f64> {
        let mut flows = vec![0.0; plan.places()];
        let mut number_of_places = flows.len();
        let last = self.range(plan.len());
        let mut backward = vec![0.0; last.end];
        // All but the dead end.
        backward[last.start + 1..].fill(1.0);
        for (number, step) in plan.steps().enumerate().rev() {
            let layer = self.range(number);
            let (before, after) = backward.split_at_mut(layer.end);
            let sums = &mut before[layer.start..];
            number_of_places -= step.places.len();
            for (place, flow) in flows[number_of_places..][..step.places.len()].iter_mut().enumerate() {
                *flow = go_back(&self.ways(number, &step, place), &self.forward[layer.clone()], after, sums);
            }
        }
        self.backward = backward;
        flows
    }

    /// Returns where the states before a step are.
    fn range(&self, number: usize) -> Range<usize> {
        self.layers[number].first..self.layers[number].end
    }

    /// Returns the states before a step.
    pub(crate) fn states(&self, number: usize) -> &[u64] {
        &self.states[self.range(number)]
    }

    /// Returns the sums of weights from the start to the states before a step.
    pub(crate) fn forward(&self, number: usize) -> &[f64] {
        &self.forward[self.range(number)]
    }

    /// Returns the sums of weights from the states before a step to the end.
    pub(crate) fn backward(&self, number: usize) -> &[f64] {
        &self.backward[self.range(number)]
    }

    /// Returns the ways by which a step's card goes to one of its places.
    pub(crate) fn ways(&self, number: usize, step: &Step<'_>, place: usize) -> Ways<'_> {
        let Layer { first, end, ways, factors } = self.layers[number];
        let size = end - first;
        let column = |first: usize| first + place * size..first + (place + 1) * size;
        let factors = if step.only_places() { &[] } else { &self.factors[column(factors)] };
        Ways { to: &self.ways[column(ways)], weight: step.places[place].weight, factors }
    }

    /// Returns the sum of weights of all ways from the start to the end.
    pub(crate) fn total(&self) -> f64 {
        self.backward[1]
    }

    /// Returns how many states and ways there are.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.states.len() - self.layers.len(), self.count)
    }
}

/// Adds to the sums of each state what the ways lead to; returns the weight of all that take them.
#[inline]
fn go_back(ways: &Ways<'_>, forward: &[f64], after: &[f64], sums: &mut [f64]) -> f64 {
    let mut all = 0.0;
    for (from, ((sum, &to), &forward)) in sums.iter_mut().zip(ways.to).zip(forward).enumerate() {
        let flow = after[to as usize] * ways.weight(from);
        *sum += flow;
        all += forward * flow;
    }
    all
}
