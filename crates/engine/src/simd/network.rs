use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_add_epi32, _mm_loadu_si128, _mm_madd_epi16, _mm_set1_epi32, _mm_setzero_si128,
    _mm_storeu_si128, _mm256_add_epi32, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_storeu_si256, _mm512_add_epi32, _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_set1_epi32,
    _mm512_setzero_si512, _mm512_storeu_si512,
};

use crate::Network;
use crate::layer::{Inputs, Layer, Neurons as Row, TWO, Views, two};

/// A register of the sums of some neurons.
pub trait Neurons: Copy {
    /// No sums yet.
    fn zero() -> Self;
    /// Adds the products of two inputs and the two weights of each neuron.
    fn add_products(self, two: u32, weights: &[[i16; TWO]]) -> Self;
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
            fn add_products(self, two: u32, weights: &[[i16; TWO]]) -> Self {
                assert!(size_of_val(weights) == size_of::<Self>(), "a register is loaded as a whole");
                let $inputs = instruction!($repeat(two.cast_signed()));
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
    |sums, inputs, weights| _mm_add_epi32(sums, _mm_madd_epi16(inputs, weights))
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
#[expect(clippy::needless_range_loop, reason = "plain ranges are unrolled")]
pub(super) fn sums<R: Neurons>(layer: &Layer, inputs: &Inputs) -> Views {
    const {
        assert!(Network::HIDDEN.is_multiple_of(lanes::<R>() * at_once::<R>()));
    }
    let mut sums = [Row([0; Network::HIDDEN]); 2];
    for first in (0..Network::HIDDEN).step_by(lanes::<R>() * at_once::<R>()) {
        let range = |place: usize| first + place * lanes::<R>()..first + (place + 1) * lanes::<R>();
        // Where registers are left, each pair of four neighbours has its own: fewer additions wait for each other.
        let mut registers = [[[R::zero(); MOST]; 2]; 2];
        for (half, weights) in layer.weights.as_chunks::<2>().0.iter().enumerate() {
            for next in 0..2 {
                for view in 0..2 {
                    let two = two(inputs, 2 * half + next, view);
                    for place in 0..at_once::<R>() {
                        let register = &mut registers[if at_once::<R>() < MOST { next } else { 0 }][view][place];
                        *register = register.add_products(two, &weights[next][view].0[range(place)]);
                    }
                }
            }
        }
        for view in 0..2 {
            for place in 0..at_once::<R>() {
                let sum = registers[0][view][place].plus(registers[1][view][place]);
                sum.store(&mut sums[view].0[range(place)]);
            }
        }
    }
    sums
}

/// Registers of each view.
const MOST: usize = 4;

#[inline(always)]
const fn lanes<R>() -> usize {
    size_of::<R>() / size_of::<i32>()
}

#[inline(always)]
const fn at_once<R>() -> usize {
    let all = Network::HIDDEN / lanes::<R>();
    if all < MOST { all } else { MOST }
}
