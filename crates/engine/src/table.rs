use amazons_rules::Step;

use crate::Weights;
use crate::classes::CLASSES;
use crate::simd::Weight;

/// The weights as an evaluation uses them: fixed point, and interpolated for every phase in advance.
#[derive(Clone, Debug)]
pub struct Table {
    /// Steps due, then arrows due; for each the phases.
    rows: Vec<Row>,
}

/// The weight of each class, then the constant.
pub(crate) type Row = [Weight; CLASSES + 1];

/// How many parts the way from closed to open has.
const PARTS: u32 = 64;

impl Table {
    /// The score that stands for a log-odds of 1.
    pub const UNIT: f32 = 4096.0;

    /// Rounds and interpolates.
    #[must_use]
    pub fn new(weights: &Weights) -> Self {
        let dues = [Step::Queen, Step::Arrow].into_iter();
        let rows = dues.flat_map(|due| (0..=PARTS).map(move |part| row(weights, due, part)));
        Self { rows: rows.collect() }
    }

    /// Returns the weights for an openness, in 1/16 vertex, at a number of free vertices.
    #[inline(always)]
    pub(crate) fn row(&self, due: Step, openness: u32, free: u32) -> &Row {
        let part = (openness * (PARTS / 16)).checked_div(free).unwrap_or(0);
        let first = match due {
            Step::Queen => 0,
            Step::Arrow => PARTS + 1,
        };
        &self.rows[(first + part) as usize]
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
        Weight::new((weight * f64::from(Table::UNIT)).round() as i16)
    })
}
