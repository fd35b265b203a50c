use std::arch::x86_64::{
    __m512i, _mm512_add_epi64, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_max_epi32, _mm512_mul_epi32,
    _mm512_reduce_add_epi64, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_srli_epi64,
};

use amazons_rules::Step;

use crate::Network;
use crate::layer::{self, Counts, EIGHT, Layer, Views};

/// The neurons in two registers.
const HALF: usize = Network::HIDDEN / 2;

/// Does what [`Layer::judge`] does.
#[inline(always)]
pub(super) fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
    let biases = &layer.biases(due).0;
    let mut mover = [half(biases, 0), half(biases, 1)];
    let mut opponent = mover;
    for (group, [own, other]) in layer.weights.iter().enumerate() {
        let [mine, theirs] = &counts[group / 2];
        let (mine, theirs) = (four(mine, group % 2), four(theirs, group % 2));
        for place in 0..2 {
            let (own, other) = (half(&own.0, place), half(&other.0, place));
            mover[place] = instruction!(_mm512_dpbusd_epi32(mover[place], mine, own));
            opponent[place] = instruction!(_mm512_dpbusd_epi32(opponent[place], theirs, own));
            mover[place] = instruction!(_mm512_dpbusd_epi32(mover[place], theirs, other));
            opponent[place] = instruction!(_mm512_dpbusd_epi32(opponent[place], mine, other));
        }
    }
    let mut total = instruction!(_mm512_setzero_si512());
    for place in 0..2 {
        total = add_outputs(total, mover[place], half(&outputs[0].0, place));
        total = add_outputs(total, opponent[place], half(&outputs[1].0, place));
    }
    instruction!(_mm512_reduce_add_epi64(total))
}

/// Loads four bytes for each of 16 neurons.
#[inline(always)]
fn half<T: Copy>(neurons: &[T; Network::HIDDEN], place: usize) -> __m512i {
    const { assert!(size_of::<T>() == 4 && HALF == 16) };
    instruction!(_mm512_loadu_si512(neurons[HALF * place..HALF * (place + 1)].as_ptr().cast()))
}

/// Repeats four of eight counts for each neuron.
#[inline(always)]
fn four(counts: &[u8; EIGHT], place: usize) -> __m512i {
    instruction!(_mm512_set1_epi32(layer::four(counts, place)))
}

/// Adds to the sums the products of neurons over 0 and their outputs.
#[inline(always)]
fn add_outputs(total: __m512i, neurons: __m512i, outputs: __m512i) -> __m512i {
    let neurons = instruction!(_mm512_max_epi32(neurons, _mm512_setzero_si512()));
    // A multiplication takes the lower half of each 64 bits.
    let lower = instruction!(_mm512_mul_epi32(neurons, outputs));
    let (neurons, outputs) =
        (instruction!(_mm512_srli_epi64::<32>(neurons)), instruction!(_mm512_srli_epi64::<32>(outputs)));
    let upper = instruction!(_mm512_mul_epi32(neurons, outputs));
    let both = instruction!(_mm512_add_epi64(lower, upper));
    instruction!(_mm512_add_epi64(total, both))
}
