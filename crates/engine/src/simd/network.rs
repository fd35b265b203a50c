use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_set1_epi32, _mm_setzero_si128,
    _mm_storeu_si128, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512,
};

use crate::Network;
use crate::layer::{FOUR, Inputs, Layer, Neurons as Row, TWO, Views};

/// A register of the sums of some neurons.
pub trait Neurons: Copy {
    /// No sums yet.
    fn zero() -> Self;
    /// Adds the products of two inputs and the two weights of each neuron.
    fn add_products(self, inputs: [i16; TWO], weights: &[[i16; TWO]]) -> Self;
    /// Adds sums.
    fn plus(self, other: Self) -> Self;
    /// Stores the sums.
    fn store(self, sums: &mut [i32]);
}

macro_rules! neurons {
    ($register:ty, $zero:ident, $repeat:ident, $load:ident, $store:ident, $plus:ident, |$sums:ident, $inputs:ident, $weights:ident| $add:expr) => {
        impl Neurons for $register {
            #[inline(always)]
            fn zero() -> Self {
                instruction!($zero())
            }

            #[inline(always)]
            fn add_products(self, inputs: [i16; TWO], weights: &[[i16; TWO]]) -> Self {
                assert!(size_of_val(weights) == size_of::<Self>(), "a register is loaded as a whole");
                let [first, second] = inputs.map(i32::from);
                let $inputs = instruction!($repeat(first & 0xffff | second << 16));
                let ($sums, $weights) = (self, instruction!($load(weights.as_ptr().cast())));
                instruction!($add)
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                instruction!($plus(self, other))
            }

            #[inline(always)]
            fn store(self, sums: &mut [i32]) {
                assert!(size_of_val(sums) == size_of::<Self>(), "a register is stored as a whole");
                instruction!($store(sums.as_mut_ptr().cast(), self));
            }
        }
    };
}

neurons!(
    __m128i,
    _mm_setzero_si128,
    _mm_set1_epi32,
    _mm_loadu_si128,
    _mm_storeu_si128,
    _mm_add_epi32,
    |sums, inputs, weights| { _mm_add_epi32(sums, _mm_madd_epi16(inputs, weights)) }
);
neurons!(
    __m256i,
    _mm256_setzero_si256,
    _mm256_set1_epi32,
    _mm256_loadu_si256,
    _mm256_storeu_si256,
    _mm256_add_epi32,
    |sums, inputs, weights| _mm256_add_epi32(sums, _mm256_madd_epi16(inputs, weights))
);
neurons!(
    __m512i,
    _mm512_setzero_si512,
    _mm512_set1_epi32,
    _mm512_loadu_si512,
    _mm512_storeu_si512,
    _mm512_add_epi32,
    |sums, inputs, weights| _mm512_dpwssd_epi32(sums, inputs, weights)
);

/// As [`Layer::sums`], for so many neurons at a time that all sums stay in registers.
#[inline(always)]
pub(super) fn sums<R: Neurons>(layer: &Layer, inputs: &Inputs) -> Views {
    const {
        assert!(Network::HIDDEN.is_multiple_of(lanes::<R>() * at_once::<R>()) && 2 * at_once::<R>() >= MOST);
    }
    let mut sums = [Row([0; Network::HIDDEN]); 2];
    for first in (0..Network::HIDDEN).step_by(lanes::<R>() * at_once::<R>()) {
        let range = |place: usize| first + place * lanes::<R>()..first + (place + 1) * lanes::<R>();
        let mut registers = [[R::zero(); MOST]; 2];
        for (pair, weights) in layer.weights.iter().enumerate() {
            for view in 0..2 {
                let two = inputs[pair / FOUR][view][pair % FOUR];
                for place in 0..at_once::<R>() {
                    let weights = &weights[view].0[range(place)];
                    // Where registers are left, every other pair has its own: one addition waits for the last.
                    let register = &mut registers[view][place + at_once::<R>() * (pair % (MOST / at_once::<R>()))];
                    *register = register.add_products(two, weights);
                }
            }
        }
        for view in 0..2 {
            for place in 0..at_once::<R>() {
                let mut sum = registers[view][place];
                if 2 * at_once::<R>() == MOST {
                    sum = sum.plus(registers[view][place + MOST / 2]);
                }
                sum.store(&mut sums[view].0[range(place)]);
            }
        }
    }
    sums
}

/// Registers of each view.
const MOST: usize = 4;

const fn lanes<R>() -> usize {
    size_of::<R>() / size_of::<i32>()
}

const fn at_once<R>() -> usize {
    let all = Network::HIDDEN / lanes::<R>();
    if all < MOST { all } else { MOST }
}
