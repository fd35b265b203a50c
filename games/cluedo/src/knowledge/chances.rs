//! The chance of everything that a seat does not know, by counting all deals that agree with its facts.
//!
//! Cards are placed one after the other. A state says how many places are free at each seat, how many types have their
//! secret card, and which sets are still to be met; states that agree are one, with the sum of their weights for each
//! case of which types these are. Seats between which the cards that are left make no difference are one from then on.

use thiserror::Error;

use crate::deck::MAX_CARDS;
use crate::knowledge::layers::Layers;
use crate::knowledge::plan::{Plan, fits};
use crate::knowledge::problem::Problem;
use crate::knowledge::shares::Shares;
use crate::knowledge::states::{SECRET, Secrets};

/// Maximum number of states of a count, some 200 MB.
pub const MAX_STATES: usize = 1 << 21;

/// A count that was made: the sum over all deals, and how to walk through them.
#[derive(Clone, Debug)]
pub struct Chances {
    pub problem: Problem,
    pub(crate) plan: Plan,
    pub(crate) layers: Layers,
    /// For each place of each step, the weight of all deals with the step's card there.
    flows: Vec<f64>,
}

/// The chances of each card's places.
#[derive(Clone, Debug)]
pub struct Marginals {
    /// For each holder of the problem, for each card.
    pub hands: Vec<Vec<f64>>,
    /// For each card.
    pub secret: Vec<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Uncounted {
    #[error("no deal agrees with all of them")]
    NoDeal,
    #[error("there are too many deals to count")]
    TooMany,
}

impl Chances {
    pub fn new(problem: Problem) -> Result<Self, Uncounted> {
        Self::within(problem, MAX_STATES)
    }

    /// Counts with at most this many states, of some 100 bytes each.
    pub fn within(problem: Problem, states: usize) -> Result<Self, Uncounted> {
        let (plan, mut layers) = count(&problem, Secrets::Number, states)?;
        let flows = layers.go_back(&plan);
        if layers.total() > 0.0 { Ok(Self { problem, plan, layers, flows }) } else { Err(Uncounted::NoDeal) }
    }

    /// Returns the sum of the weights of all deals: their number if they are weighed alike, exact up to 2^53.
    pub fn total(&self) -> f64 {
        self.layers.total() * self.plan.shares
    }

    /// Returns how many states and transitions the count took.
    pub const fn size(&self) -> (usize, usize) {
        self.layers.size()
    }

    pub fn marginals(&self) -> Marginals {
        let cards = self.problem.deck.len();
        let groups = &self.plan.groups;
        let mut sums = vec![[0.0; MAX_CARDS]; groups.len()];
        let mut shares = Shares::new(&self.plan, &self.layers);
        let mut flows = &self.flows[..];
        for (number, step) in self.plan.steps.iter().enumerate() {
            for (place, into) in step.places.iter().enumerate() {
                if into.slot < SECRET {
                    shares.add(number, step, place, flows[place], &mut sums);
                }
            }
            shares.pass(number, step);
            flows = &flows[step.places.len()..];
        }
        let total = self.layers.total();
        let mut hands = vec![vec![0.0; cards]; self.problem.holders.len()];
        for (group, sums) in groups.iter().zip(&sums) {
            for &member in &group.members {
                let share = self.problem.holders[member].free as f64 / group.free as f64 / total;
                hands[member].iter_mut().zip(sums).for_each(|(chance, sum)| *chance = sum * share);
            }
        }
        Marginals { hands, secret: self.secret() }
    }

    /// Adds the chances of cards without a certain place, times a share: for each seat, and last for the secret.
    pub(crate) fn add_places(&self, share: f64, places: &mut [Vec<f64>]) {
        let Marginals { hands, secret } = self.marginals();
        let rows = self.problem.holders.iter().map(|holder| holder.seat).chain([places.len() - 1]);
        for (row, chances) in rows.zip(hands.iter().chain([&secret])) {
            places[row].iter_mut().zip(chances).for_each(|(sum, chance)| *sum += share * chance);
        }
    }

    /// Returns for each card the chance that it is secret.
    pub fn secret(&self) -> Vec<f64> {
        let mut secret = vec![0.0; self.problem.deck.len()];
        let places =
            self.plan.steps.iter().flat_map(|step| step.places.iter().map(move |place| (step.card, place.slot)));
        for ((card, _), flow) in places.zip(&self.flows).filter(|((_, slot), _)| *slot == SECRET) {
            secret[card] = flow / self.layers.total();
        }
        for card in self.problem.secret.iter().filter_map(|set| set.only()) {
            secret[card] = 1.0;
        }
        secret
    }

    /// Returns the chance of each possible secret, the likeliest first.
    pub fn triples(&self) -> Option<Vec<([usize; 3], f64)>> {
        let (plan, layers) = count(&self.problem, Secrets::Identity, MAX_STATES).ok()?;
        let ends = layers.states(plan.steps.len()).iter().zip(layers.forward(plan.steps.len()));
        let mut triples: Vec<_> = ends.map(|(&end, lanes)| (plan.triple(&self.problem, end), lanes[0])).collect();
        let total: f64 = triples.iter().map(|(_, weight)| weight).sum();
        triples.iter_mut().for_each(|(_, weight)| *weight /= total);
        layers.keep();
        triples.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        Some(triples)
    }
}

impl Drop for Chances {
    fn drop(&mut self) {
        std::mem::take(&mut self.layers).keep();
    }
}

/// Finds all states.
fn count(problem: &Problem, secrets: Secrets, states: usize) -> Result<(Plan, Layers), Uncounted> {
    if !fits(problem) {
        return Err(Uncounted::NoDeal);
    }
    let plan = Plan::new(problem, secrets).ok_or(Uncounted::TooMany)?;
    let layers = Layers::new(&plan, states).ok_or(Uncounted::TooMany)?;
    Ok((plan, layers))
}
