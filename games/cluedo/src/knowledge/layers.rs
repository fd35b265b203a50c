//! The states of a count, layer by layer, and the ways between them.
//!
//! The loop body is branch-free: a processor cannot predict which places are free.

use std::cell::Cell;
use std::ops::Range;

use crate::knowledge::index::Index;
use crate::knowledge::lanes::{self, EMPTY, Lanes};
use crate::knowledge::plan::Plan;
use crate::knowledge::states::{NOWHERE, Place, SECRET, Step};

/// All states, with the sums of weights of all ways from the start and to the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    /// Where the states before each step begin, and where the last ones end.
    layers: Vec<usize>,
    states: Vec<u64>,
    forward: Vec<Lanes>,
    backward: Vec<Lanes>,
    /// The lane of the start.
    pub(crate) start: usize,
    /// The ways by each place of each step, by the states from which they lead.
    ways: Vec<Way>,
    /// Weights besides those of places, for the ways of steps that have any.
    factors: Vec<f64>,
    /// Where the ways and factors of each place of each step begin, and where the last ones end.
    columns: Vec<(usize, usize)>,
    /// The states that may take a card at a place, and the resulting states.
    found: Vec<(u32, u64)>,
    index: Index,
}

thread_local! {
    /// The memory of a count that is no longer needed, for the next one: to ask for it anew takes a tenth of the time.
    static SPARE: Cell<Option<Layers>> = const { Cell::new(None) };
}

/// With room for more states, memory is not kept.
const MAX_KEPT: usize = 1 << 14;

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
        let mut layers = SPARE.take().unwrap_or_default();
        layers.layers.clear();
        layers.states.clear();
        layers.forward.clear();
        layers.ways.clear();
        layers.factors.clear();
        layers.columns.clear();
        let (lane, state) = plan.start;
        let mut start = EMPTY;
        start[lane] = 1.0;
        layers.start = lane;
        layers.layers.extend([0, 1]);
        layers.states.push(state);
        layers.forward.push(start);
        layers.columns.push((0, 0));
        for step in &plan.steps {
            layers.extend(step);
            if layers.states.len() > most {
                return None;
            }
        }
        Some(layers)
    }

    /// Keeps the memory for this thread's next count.
    pub(crate) fn keep(self) {
        if self.states.capacity() <= MAX_KEPT {
            // A thread that ends has no next one.
            SPARE.try_with(|spare| spare.set(Some(self))).ok();
        }
    }

    /// Adds the layer after a step.
    fn extend(&mut self, step: &Step) {
        let layer = self.range(self.layers.len() - 2);
        if self.found.len() < layer.len() {
            self.found.resize(2 * layer.len(), (0, 0));
        }
        self.index.begin(layer.len());
        for (number, place) in step.places.iter().enumerate() {
            let states = &self.states[layer.clone()];
            let count = match place.slot {
                NOWHERE => all(states, &mut self.found),
                SECRET => {
                    let count = step.list(place, states, &mut self.found);
                    possible(place, states, &self.forward[layer.clone()], &mut self.found[..count])
                }
                _ => step.list(place, states, &mut self.found),
            };
            let found = &self.found[..count];
            let index = &mut self.index;
            index.make_room(count, &mut self.states, layer.end);
            let next = &mut self.states[layer.end..];
            if step.has_no_card() {
                let factors = &mut self.factors;
                self.ways.extend(found.iter().map(|&(from, state)| {
                    let (state, factor) = step.finish(state);
                    factors.push(factor);
                    Way { from, to: index.find(state, next) }
                }));
            } else {
                let way = |&(from, state)| Way { from, to: index.find(state & !step.due, next) };
                self.ways.extend(found.iter().map(way));
            }
            self.columns.push((self.ways.len(), self.factors.len()));
            self.forward.resize(self.states.len(), EMPTY);
            let (before, sums) = self.forward.split_at_mut(layer.end);
            let ways = ways(&self.columns, &self.ways, &self.factors, step, number);
            carry(&ways, place, &self.states[layer.clone()], &before[layer.start..], sums);
        }
        let end = layer.end + self.index.used();
        self.states.truncate(end);
        self.forward.truncate(end);
        if let Some((kind, left)) = step.last {
            for (lanes, &state) in self.forward[layer.end..].iter_mut().zip(&self.states[layer.end..]) {
                lanes::close(lanes, kind, left.count(state));
            }
        }
        self.layers.push(end);
    }

    /// Follows weights of the states before a step through it: those after it, by one of its places.
    pub(crate) fn carry(&self, number: usize, step: &Step, place: usize, before: &[Lanes], after: &mut [Lanes]) {
        carry(&self.ways(step, place), &step.places[place], self.states(number), before, after);
    }

    /// Sums the ways from each state to the end; returns for each place of each step the weight of all deals with the
    /// step's card there.
    pub(crate) fn go_back(&mut self, plan: &Plan) -> Vec<f64> {
        let mut flows = vec![0.0; plan.places()];
        let mut backward = std::mem::take(&mut self.backward);
        backward.clear();
        backward.resize(self.states.len(), EMPTY);
        // At the end, all types have their card.
        backward[self.range(plan.steps.len())].fill([1.0, 0.0, 0.0, 0.0]);
        for (number, step) in plan.steps.iter().enumerate().rev() {
            let layer = self.range(number);
            let (forward, states) = (&self.forward[layer.clone()], &self.states[layer.clone()]);
            let (before, after) = backward.split_at_mut(layer.end);
            let sums = &mut before[layer.start..];
            for (number, place) in step.places.iter().enumerate() {
                let ways = self.ways(step, number);
                flows[step.first + number] = go_back(&ways, place, states, forward, after, sums);
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
    pub(crate) fn forward(&self, number: usize) -> &[Lanes] {
        &self.forward[self.range(number)]
    }

    /// Returns the sums of weights from the states before a step to the end.
    pub(crate) fn backward(&self, number: usize) -> &[Lanes] {
        &self.backward[self.range(number)]
    }

    /// Returns the ways by which a step's card goes to one of its places.
    pub(crate) fn ways(&self, step: &Step, place: usize) -> Ways<'_> {
        ways(&self.columns, &self.ways, &self.factors, step, place)
    }

    /// Returns the sum of weights of all ways from the start to the end.
    pub(crate) fn total(&self) -> f64 {
        self.backward[0][self.start]
    }

    /// Returns how many states and ways there are.
    pub(crate) const fn size(&self) -> (usize, usize) {
        (self.states.len(), self.ways.len())
    }
}

fn ways<'a>(columns: &[(usize, usize)], ways: &'a [Way], factors: &'a [f64], step: &Step, place: usize) -> Ways<'a> {
    let [(way, factor), (last_way, last_factor)] = [0, 1].map(|more| columns[step.first + place + more]);
    Ways { list: &ways[way..last_way], weight: step.places[place].weight, factors: &factors[factor..last_factor] }
}

/// Follows weights of states through ways by a place.
#[inline]
fn carry(ways: &Ways<'_>, place: &Place, states: &[u64], before: &[Lanes], after: &mut [Lanes]) {
    if place.slot == SECRET {
        ways.for_each(|way, weight| {
            let from = way.from as usize;
            let lanes = lanes::choose(&before[from], place.kind, place.left(states[from]));
            lanes::add(&mut after[way.to as usize], &lanes, weight);
        });
    } else {
        ways.for_each(|way, weight| lanes::add(&mut after[way.to as usize], &before[way.from as usize], weight));
    }
}

/// Follows sums of ways to the end back through ways by a place; returns the weight of all deals with the card there.
#[inline]
fn go_back(
    ways: &Ways<'_>,
    place: &Place,
    states: &[u64],
    forward: &[Lanes],
    after: &[Lanes],
    sums: &mut [Lanes],
) -> f64 {
    let mut all = 0.0;
    match place.slot {
        NOWHERE => ways.for_each(|way, weight| {
            lanes::add(&mut sums[way.from as usize], &after[way.to as usize], weight);
        }),
        SECRET => {
            for way in ways.list {
                let from = way.from as usize;
                let lanes = lanes::go_back(&after[way.to as usize], place.kind, place.left(states[from]));
                lanes::add(&mut sums[from], &lanes, 1.0);
                all += lanes::product(&forward[from], &lanes);
            }
        }
        _ => {
            for way in ways.list {
                let (from, to) = (way.from as usize, way.to as usize);
                lanes::add(&mut sums[from], &after[to], ways.weight);
                all += lanes::product(&forward[from], &after[to]);
            }
        }
    }
    all * ways.weight
}

/// Lists all states; returns how many they are.
fn all(states: &[u64], found: &mut [(u32, u64)]) -> usize {
    found.iter_mut().zip((0..).zip(states)).for_each(|(found, (from, &state))| *found = (from, state));
    states.len()
}

/// Leaves of what was found the states in which the type of a secret card has none; returns how many they are.
fn possible(place: &Place, states: &[u64], forward: &[Lanes], found: &mut [(u32, u64)]) -> usize {
    let mut count = 0;
    for one in 0..found.len() {
        let from = found[one].0 as usize;
        let lanes = lanes::choose(&forward[from], place.kind, place.left(states[from]));
        found[count] = found[one];
        count += usize::from(lanes != EMPTY);
    }
    count
}
