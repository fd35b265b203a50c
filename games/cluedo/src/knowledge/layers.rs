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
    /// Where the states before each step begin, and where the last ones end.
    layers: Vec<usize>,
    states: Vec<u64>,
    forward: Vec<f64>,
    backward: Vec<f64>,
    /// The ways by each place of each step, by the states from which they lead.
    ways: Vec<Way>,
    /// Weights besides those of places, for the ways of steps that have any.
    factors: Vec<f64>,
    /// Where the ways and factors of each place of each step begin, and where the last ones end.
    columns: Vec<(usize, usize)>,
}

/// A state of a layer, and the one of the next layer that follows from it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// The ways by which a card goes to one place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways<'a> {
    pub(crate) list: &'a [Way],
    weight: f64,
    /// Further weights, or none.
    factors: &'a [f64],
}

impl Ways<'_> {
    /// Returns the weight of a way of the list.
    #[inline]
    pub(crate) fn weight(&self, way: usize) -> f64 {
        self.factors.get(way).map_or(self.weight, |factor| factor * self.weight)
    }

    /// Calls `each` with all ways and their weights.
    #[inline]
    pub(crate) fn for_each(&self, mut each: impl FnMut(Way, f64)) {
        if self.factors.is_empty() {
            self.list.iter().for_each(|&way| each(way, self.weight));
        } else {
            self.list.iter().zip(self.factors).for_each(|(&way, factor)| each(way, factor * self.weight));
        }
    }
}

impl Layers {
    /// Finds all states by which a plan leads; `None` if they are more than `most`.
    pub(crate) fn new(plan: &Plan, most: usize) -> Option<Self> {
        let room = plan.states.clamp(32, 1 << 16);
        let mut layers = Self {
            layers: Vec::with_capacity(plan.len() + 2),
            states: Vec::with_capacity(room),
            forward: Vec::with_capacity(room),
            backward: Vec::new(),
            ways: Vec::with_capacity(3 * room),
            factors: Vec::new(),
            columns: Vec::with_capacity(plan.places() + 1),
        };
        layers.layers.extend([0, 1]);
        layers.states.push(plan.start);
        layers.forward.push(1.0);
        layers.columns.push((0, 0));
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
        let layer = self.range(self.layers.len() - 2);
        if found.len() < layer.len() {
            found.resize(2 * layer.len(), (0, 0));
        }
        index.begin(layer.len());
        for place in step.places {
            let count = step.list(place, &self.states[layer.clone()], found);
            let found = &found[..count];
            index.make_room(count, &mut self.states, layer.end);
            self.forward.resize(self.states.len(), 0.0);
            let (before, sums) = self.forward.split_at_mut(layer.end);
            let before = &before[layer.start..];
            let next = &mut self.states[layer.end..];
            if step.only_places() {
                self.ways.extend(found.iter().map(|&(from, state)| {
                    let to = index.find(state & !step.due, next);
                    sums[to as usize] += before[from as usize] * place.weight;
                    Way { from, to }
                }));
            } else {
                let factors = &mut self.factors;
                self.ways.extend(found.iter().map(|&(from, state)| {
                    let (state, factor) = step.finish(state);
                    let to = index.find(state, next);
                    sums[to as usize] += before[from as usize] * (place.weight * factor);
                    factors.push(factor);
                    Way { from, to }
                }));
            }
            self.columns.push((self.ways.len(), self.factors.len()));
        }
        let end = layer.end + index.used();
        self.states.truncate(end);
        self.forward.truncate(end);
        self.layers.push(end);
    }

    /// Sums the ways from each state to the end; returns for each place of each step the weight of all deals with the
    /// step's card there.
    pub(crate) fn go_back(&mut self, plan: &Plan) -> Vec<f64> {
        let mut flows = vec![0.0; plan.places()];
        let mut backward = vec![0.0; self.states.len()];
        backward[self.range(plan.len())].fill(1.0);
        for (number, step) in plan.steps().enumerate().rev() {
            let layer = self.range(number);
            let forward = &self.forward[layer.clone()];
            let (before, after) = backward.split_at_mut(layer.end);
            let sums = &mut before[layer.start..];
            for place in 0..step.places.len() {
                let mut all = 0.0;
                self.ways(&step, place).for_each(|way, weight| {
                    let flow = after[way.to as usize] * weight;
                    sums[way.from as usize] += flow;
                    all += forward[way.from as usize] * flow;
                });
                flows[step.first + place] = all;
            }
        }
        self.backward = backward;
        flows
    }

    /// Returns where the states before a step are.
    fn range(&self, number: usize) -> Range<usize> {
        self.layers[number]..self.layers[number + 1]
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
    pub(crate) fn ways(&self, step: &Step<'_>, place: usize) -> Ways<'_> {
        let [(way, factor), (last_way, last_factor)] = [0, 1].map(|more| self.columns[step.first + place + more]);
        let factors = &self.factors[factor..last_factor];
        Ways { list: &self.ways[way..last_way], weight: step.places[place].weight, factors }
    }

    /// Returns the sum of weights of all ways from the start to the end.
    pub(crate) fn total(&self) -> f64 {
        self.backward[0]
    }

    /// Returns how many states and ways there are.
    pub(crate) const fn size(&self) -> (usize, usize) {
        (self.states.len(), self.ways.len())
    }
}
