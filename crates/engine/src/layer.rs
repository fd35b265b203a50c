use amazons_rules::Step;

use crate::Network;
use crate::phase::{PARTS, part};

/// Counts of both sides as the fast paths produce them: eight of the player to move, eight of the opponent, and so on.
pub(crate) type Counts = [[[u8; EIGHT]; 2]; Network::INPUTS.div_ceil(EIGHT)];

/// Counts made together.
pub(crate) const EIGHT: usize = 8;
/// Counts multiplied together.
pub(crate) const FOUR: usize = 4;

/// Packs four of eight counts into one number, the first in its lowest byte. Written otherwise, compilers build it byte
/// by byte.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the upper half is another four")]
pub(crate) const fn four(counts: &[u8; EIGHT], place: usize) -> i32 {
    let eight = u64::from_le_bytes(*counts).cast_signed();
    if place == 0 { eight as i32 } else { (eight >> 32) as i32 }
}

/// One number for each neuron, in whole vectors.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Neurons<T>(pub(crate) [T; Network::HIDDEN]);

/// One number for each neuron, from the mover's view and from the opponent's.
pub(crate) type Views = [Neurons<i32>; 2];

/// A network laid out for vector instructions.
#[derive(Clone, Debug)]
pub struct Layer {
    /// The weights for each group of four counts and each neuron: of the viewing side, of the other side.
    pub(crate) weights: [[Neurons<[i8; FOUR]>; 2]; Network::INPUTS.div_ceil(FOUR)],
    pub(crate) biases: [Neurons<i32>; 2],
    /// For each step from closed to open: the mover's view, the opponent's.
    outputs: Vec<Views>,
}

impl Layer {
    pub(crate) fn new(network: &Network) -> Self {
        let weight =
            |input: usize, side: usize, neuron: usize| network.inputs.get(input).map_or(0, |sides| sides[side][neuron]);
        let four = |group: usize, side: usize, neuron: usize| {
            std::array::from_fn(|place| weight(FOUR * group + place, side, neuron))
        };
        Self {
            weights: std::array::from_fn(|group| {
                std::array::from_fn(|side| Neurons(std::array::from_fn(|neuron| four(group, side, neuron))))
            }),
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

    #[inline(always)]
    pub(crate) const fn biases(&self, due: Step) -> &Neurons<i32> {
        &self.biases[crate::network::due_index(due)]
    }

    /// Returns the sum of all neurons, negative ones as 0, times their outputs.
    #[inline(always)]
    pub(crate) fn judge(&self, due: Step, counts: &Counts, outputs: &Views) -> i64 {
        let hidden = self.hidden(due, counts);
        let mut total = 0;
        for (sums, weights) in hidden.iter().zip(outputs) {
            for (&sum, &weight) in sums.0.iter().zip(&weights.0) {
                total += i64::from(sum.max(0)) * i64::from(weight);
            }
        }
        total
    }

    /// Returns the sums of the neurons.
    #[inline(always)]
    fn hidden(&self, due: Step, counts: &Counts) -> Views {
        let mut sums = [*self.biases(due); 2];
        for (group, [own, other]) in self.weights.iter().enumerate() {
            let [mine, theirs] = &counts[group / 2];
            let first = group % 2 * FOUR;
            for place in 0..FOUR {
                let sides = [i32::from(mine[first + place]), i32::from(theirs[first + place])];
                for neuron in 0..Network::HIDDEN {
                    let (own, other) = (i32::from(own.0[neuron][place]), i32::from(other.0[neuron][place]));
                    sums[0].0[neuron] += own * sides[0] + other * sides[1];
                    sums[1].0[neuron] += own * sides[1] + other * sides[0];
                }
            }
        }
        sums
    }
}
