use amazons_rules::Step;

use crate::classes::CLASSES;
use crate::evaluation::{Evaluation, UNIT};
use crate::features::Features;
use crate::layer::Layer;
use crate::network::due_index;
use crate::phase::{PARTS, part};
use crate::simd::Weight;
use crate::{Network, Weights};

/// Weights or a network in the form that an evaluation uses: fixed point, interpolated in advance for every phase.
#[derive(Clone, Debug)]
pub struct EvalTable(Kind);

#[derive(Clone, Debug)]
enum Kind {
    /// Steps due, then arrows due; for each the phases.
    Linear(Vec<Row>),
    Network {
        network: Box<Network>,
        layer: Box<Layer>,
    },
}

/// The numbers that an evaluation uses.
pub(crate) enum Model<'a> {
    /// The weights for the phase.
    Linear(&'a Row),
    /// The network as it is, and laid out.
    Network(&'a Network, &'a Layer),
}

/// The weight of each class, then the constant.
pub(crate) type Row = [Weight; CLASSES + 1];

impl EvalTable {
    /// The score of a log-odds of 1.
    pub const UNIT: f32 = UNIT;

    /// Rounds and interpolates weights.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let dues = [Step::Queen, Step::Arrow].into_iter();
        let rows = dues.flat_map(|due| (0..=PARTS).map(move |part| row(weights, due, part)));
        Self(Kind::Linear(rows.collect()))
    }

    /// Lays a network out for the vector instructions.
    #[must_use]
    pub fn of_network(network: &Network) -> Self {
        Self(Kind::Network { network: Box::new(network.clone()), layer: Box::new(Layer::new(network)) })
    }

    /// Returns the table of the built-in network.
    #[must_use]
    pub fn standard() -> Self {
        Self::of_network(Network::standard())
    }

    /// Returns the numbers to use at an openness, in 1/16 vertex, and a number of free vertices.
    #[inline(always)]
    pub(crate) fn model(&self, due: Step, openness: u32, free: u32) -> Model<'_> {
        match &self.0 {
            Kind::Linear(rows) => {
                let first = due_index(due) * (PARTS as usize + 1);
                Model::Linear(&rows[first + part(openness, free) as usize])
            }
            Kind::Network { network, layer } => Model::Network(network, layer),
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "small numbers, phases from 0; weights are limited"
)]
fn row(weights: &Weights, due: Step, part: u32) -> Row {
    let phase = f64::from(part) / f64::from(PARTS) * (Weights::PHASES - 1) as f64;
    let lower = (phase as usize).min(Weights::PHASES - 2);
    let upper_share = phase - lower as f64;
    std::array::from_fn(|class| {
        let phases = &weights.values[Weights::input(class, due)];
        let (lower, upper) = (f64::from(phases[lower]), f64::from(phases[lower + 1]));
        let weight = lower + (upper - lower) * upper_share;
        Weight::new((weight * f64::from(EvalTable::UNIT)).round() as i16)
    })
}

impl Features {
    /// Applies weights or a network.
    #[must_use]
    pub fn evaluate(&self, table: &EvalTable) -> Evaluation {
        let weights = match table.model(self.due, self.openness, self.free) {
            Model::Linear(weights) => weights,
            Model::Network(network, _) => return network.evaluate(self),
        };
        let products =
            weights.iter().enumerate().map(|(class, weight)| i64::from(weight.get()) * i64::from(self.input(class)));
        // Only boards of more than 10,000 vertices could exceed the range.
        let score = products.sum::<i64>().clamp(-i64::from(i32::MAX), i64::from(i32::MAX));
        let score = i32::try_from(score).expect("clamped");
        Evaluation { score, openness: self.openness, own_only: self.own_only }
    }
}
