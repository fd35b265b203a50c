use amazons_rules::Step;

use crate::Network;
use crate::phase::{PARTS, part};

/// Counts of both sides as the fast paths produce them: eight of the player to move, eight of the opponent, and so on.
pub(crate) type Counts = [[[u8; EIGHT]; 2]; Network::INPUTS.div_ceil(EIGHT)];

/// Counts made together.
pub(crate) const EIGHT: usize = 8;
/// Inputs multiplied together.
pub(crate) const TWO: usize = 2;
/// Pairs of inputs: the first and third of four counts, then the second and fourth.
pub(crate) const PAIRS: usize = TWO * Network::INPUTS.div_ceil(4);

/// For each eight counts: the sums of both sides' counts, then the differences, the mover's less the opponent's, of 16
/// bits each: of the first, third, fifth and seventh count, then of the others.
pub(crate) type Inputs = [[[u64; 2]; 2]; Network::INPUTS.div_ceil(EIGHT)];

/// Adds and subtracts both sides' counts.
#[inline(always)]
pub(crate) fn inputs(counts: &Counts) -> Inputs {
    const LOWER_BYTES: u64 = 0x00ff_00ff_00ff_00ff;
    const SIGNS: u64 = 0x8000_8000_8000_8000;
    let mut inputs = [[[0; 2]; 2]; _];
    for ([sums, differences], &[mine, theirs]) in inputs.iter_mut().zip(counts) {
        let (mine, theirs) = (u64::from_le_bytes(mine), u64::from_le_bytes(theirs));
        for odd in 0..2 {
            let (mine, theirs) = (mine >> (8 * odd) & LOWER_BYTES, theirs >> (8 * odd) & LOWER_BYTES);
            sums[odd] = mine + theirs;
            // The sign bits take up what is borrowed.
            differences[odd] = ((mine | SIGNS) - theirs) ^ SIGNS;
        }
    }
    inputs
}

/// Returns the two inputs of a pair, the first in the lower 16 bits: of the sums (0) or of the differences (1).
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the other half is another pair")]
pub(crate) const fn two(inputs: &Inputs, pair: usize, view: usize) -> u32 {
    (inputs[pair / 4][view][pair % 2] >> (pair % 4 / 2 * 32)) as u32
}

/// One number for each neuron, in whole vectors.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Neurons<T>(pub(crate) [T; Network::HIDDEN]);

/// Two numbers for each neuron: from the mover's view and from the opponent's, or of a sum and of a difference.
pub(crate) type Views = [Neurons<i32>; 2];

/// A network laid out for vector instructions.
///
/// A view's sum is own * mine + other * theirs, and the opponent's own * theirs + other * mine. Half the sum and half the
/// difference of (own + other) * (mine + theirs) and (own - other) * (mine - theirs) are the same two numbers with half
/// the multiplications.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The weights for each pair of inputs and each neuron: of the sums, of the differences.
    pub(crate) weights: [[Neurons<[i16; TWO]>; 2]; PAIRS],
    biases: [Neurons<i32>; 2],
    /// For each step from closed to open: the mover's view, the opponent's.
    outputs: Vec<Views>,
}

impl Layer {
    pub(crate) fn new(network: &Network) -> Self {
        let weight = |input: usize, view: usize, neuron: usize| {
            let [own, other] =
                network.inputs.get(input).map_or([0; 2], |sides| sides.map(|row| i16::from(row[neuron])));
            if view == 0 { own + other } else { own - other }
        };
        let row = |pair: usize, view: usize| {
            Neurons(std::array::from_fn(|neuron| {
                std::array::from_fn(|place| weight(pair / 2 * 4 + pair % 2 + 2 * place, view, neuron))
            }))
        };
        Self {
            weights: std::array::from_fn(|pair| std::array::from_fn(|view| row(pair, view))),
            biases: network.biases.map(Neurons),
            outputs: (0..=PARTS)
                .map(|part| network.interpolated(part).map(|row| Neurons(row.map(i32::from))))
                .collect(),
        }
    }

    /// Returns the output's weights for an openness, in 1/16 vertex, at a number of free vertices.
    #[inline(always)]
    pub(crate) fn outputs(&self, openness: u32, free: u32) -> &Views {
        &self.outputs[part(openness, free) as usize]
    }

    /// Returns the products of all inputs and weights, added up for each neuron: of the sums, of the differences.
    #[inline(always)]
    #[cfg_attr(target_arch = "x86_64", expect(dead_code, reason = "every CPU has vector instructions for it"))]
    pub(crate) fn sums(&self, inputs: &Inputs) -> Views {
        let mut sums = [Neurons([0; Network::HIDDEN]); 2];
        for (pair, weights) in self.weights.iter().enumerate() {
            for (view, (sums, weights)) in sums.iter_mut().zip(weights).enumerate() {
                let two = two(inputs, pair, view).cast_signed();
                let (first, second) = (two << 16 >> 16, two >> 16);
                for (sum, weights) in sums.0.iter_mut().zip(&weights.0) {
                    *sum += i32::from(weights[0]) * first + i32::from(weights[1]) * second;
                }
            }
        }
        sums
    }

    /// Returns the sum of all neurons, negative ones as 0, times their outputs.
    ///
    /// Floating-point numbers are multiplied faster than long integers, and are exact here: 64 products of 31 and 16 bits.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "a whole number of at most 53 bits")]
    pub(crate) fn judge(&self, due: Step, [sums, differences]: &Views, outputs: &Views) -> i64 {
        let biases = &self.biases[crate::network::due_index(due)];
        let mut totals = [0.0; EIGHT];
        for first in (0..Network::HIDDEN).step_by(EIGHT) {
            for (place, total) in totals.iter_mut().enumerate() {
                let neuron = first + place;
                let (bias, sum, difference) = (biases.0[neuron], sums.0[neuron], differences.0[neuron]);
                let mover = bias + ((sum + difference) >> 1);
                let opponent = bias + ((sum - difference) >> 1);
                *total += f64::from(mover.max(0)) * f64::from(outputs[0].0[neuron])
                    + f64::from(opponent.max(0)) * f64::from(outputs[1].0[neuron]);
            }
        }
        totals.iter().sum::<f64>() as i64
    }
}
