use amazons_rules::Step;

use super::registers::Register;
use crate::Network;
use crate::layer::{Counts, Layer, Views, four};

/// As [`Layer::judge`].
#[inline(always)]
pub(super) fn judge<R: Register>(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
    let mut total = R::zero();
    // Two registers of each view at a time: all sums stay in registers.
    for first in (0..parts::<R>()).step_by(2) {
        let biases = &layer.biases(due).0;
        let mut mover = [part::<R, _>(biases, first), part(biases, first + 1)];
        let mut opponent = mover;
        for (group, [own, other]) in layer.weights.iter().enumerate() {
            let [mine, theirs] = &counts[group / 2];
            let (mine, theirs) = (R::four(four(mine, group % 2)), R::four(four(theirs, group % 2)));
            for place in 0..2 {
                let (own, other) = (part::<R, _>(&own.0, first + place), part(&other.0, first + place));
                mover[place] = mover[place].add_products(mine, own).add_products(theirs, other);
                opponent[place] = opponent[place].add_products(theirs, own).add_products(mine, other);
            }
        }
        for place in 0..2 {
            total = add_outputs(total, mover[place], part(&outputs[0].0, first + place));
            total = add_outputs(total, opponent[place], part(&outputs[1].0, first + place));
        }
    }
    total.total_long()
}

/// The number of registers that the neurons fill.
const fn parts<R: Register>() -> usize {
    const { assert!(Network::HIDDEN.is_multiple_of(2 * R::BYTES / 4)) };
    Network::HIDDEN * 4 / R::BYTES
}

/// Loads four bytes for each of the neurons in one register.
#[inline(always)]
fn part<R: Register, T: Copy>(neurons: &[T; Network::HIDDEN], place: usize) -> R {
    const { assert!(size_of::<T>() == 4) };
    let lanes = R::BYTES / 4;
    R::load(&neurons[lanes * place..lanes * (place + 1)])
}

/// Adds to the sums the products of neurons over 0 and their outputs.
#[inline(always)]
fn add_outputs<R: Register>(total: R, neurons: R, outputs: R) -> R {
    let neurons = neurons.rectified();
    let upper = neurons.upper_halves().lower_products(outputs.upper_halves());
    total.add_long(neurons.lower_products(outputs).add_long(upper))
}
