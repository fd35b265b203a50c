use std::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_add_epi64, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16,
    _mm256_max_epi32, _mm256_mul_epi32, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_srli_epi64,
    _mm256_storeu_si256,
};

use amazons_rules::Step;

use crate::Network;
use crate::layer::{self, Counts, EIGHT, Layer, Views};

/// The neurons in one register.
const PART: usize = 8;

/// Does what [`Layer::judge`] does.
#[inline(always)]
pub(super) fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
    let mut total = instruction!(_mm256_setzero_si256());
    // Two registers of each view at a time: all sums stay in registers.
    for first in (0..Network::HIDDEN / PART).step_by(2) {
        let biases = &layer.biases(due).0;
        let mut mover = [part(biases, first), part(biases, first + 1)];
        let mut opponent = mover;
        for (group, [own, other]) in layer.weights.iter().enumerate() {
            let [mine, theirs] = &counts[group / 2];
            let (mine, theirs) = (four(mine, group % 2), four(theirs, group % 2));
            for place in 0..2 {
                let (own, other) = (part(&own.0, first + place), part(&other.0, first + place));
                mover[place] = add_products(add_products(mover[place], mine, own), theirs, other);
                opponent[place] = add_products(add_products(opponent[place], theirs, own), mine, other);
            }
        }
        for place in 0..2 {
            total = add_outputs(total, mover[place], part(&outputs[0].0, first + place));
            total = add_outputs(total, opponent[place], part(&outputs[1].0, first + place));
        }
    }
    let mut lanes = [0; 4];
    instruction!(_mm256_storeu_si256(lanes.as_mut_ptr().cast::<__m256i>(), total));
    lanes.iter().sum()
}

/// Loads four bytes for each of eight neurons.
#[inline(always)]
fn part<T: Copy>(neurons: &[T; Network::HIDDEN], place: usize) -> __m256i {
    const { assert!(size_of::<T>() == 4 && Network::HIDDEN.is_multiple_of(2 * PART)) };
    instruction!(_mm256_loadu_si256(neurons[PART * place..PART * (place + 1)].as_ptr().cast::<__m256i>()))
}

/// Repeats four of eight counts for each neuron.
#[inline(always)]
fn four(counts: &[u8; EIGHT], place: usize) -> __m256i {
    instruction!(_mm256_set1_epi32(layer::four(counts, place)))
}

/// Adds the products of four counts and four weights to each sum; counts up to 127 cannot saturate.
#[inline(always)]
fn add_products(sum: __m256i, counts: __m256i, weights: __m256i) -> __m256i {
    let pairs = instruction!(_mm256_maddubs_epi16(counts, weights));
    let fours = instruction!(_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    instruction!(_mm256_add_epi32(sum, fours))
}

/// Adds to the sums the products of neurons over 0 and their outputs.
#[inline(always)]
fn add_outputs(total: __m256i, neurons: __m256i, outputs: __m256i) -> __m256i {
    let neurons = instruction!(_mm256_max_epi32(neurons, _mm256_setzero_si256()));
    // A multiplication takes the lower half of each 64 bits.
    let lower = instruction!(_mm256_mul_epi32(neurons, outputs));
    let (neurons, outputs) =
        (instruction!(_mm256_srli_epi64::<32>(neurons)), instruction!(_mm256_srli_epi64::<32>(outputs)));
    let upper = instruction!(_mm256_mul_epi32(neurons, outputs));
    let both = instruction!(_mm256_add_epi64(lower, upper));
    instruction!(_mm256_add_epi64(total, both))
}
