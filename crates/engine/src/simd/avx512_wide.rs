use std::arch::x86_64::{
    __m512i, _mm_cvtsi128_si64, _mm_min_epu8, _mm_set1_epi8, _mm512_add_epi16, _mm512_add_epi32, _mm512_add_epi64,
    _mm512_adds_epu8, _mm512_alignr_epi32, _mm512_and_si512, _mm512_andnot_si512, _mm512_castsi512_si128,
    _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_or_si512, _mm512_popcnt_epi16, _mm512_popcnt_epi64,
    _mm512_reduce_add_epi32, _mm512_rolv_epi32, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_shuffle_epi32,
    _mm512_shuffle_i64x2, _mm512_slli_epi32, _mm512_srli_epi32, _mm512_storeu_si512, _mm512_test_epi64_mask,
    _mm512_xor_si512,
};

use amazons_rules::Step;

use super::avx512::placed;
use super::{Sets, Weight};
use crate::Network;
use crate::layer::{Counts, EIGHT, Layer, Views};

/// Both sides' sets of a grid of 32 rows, in two registers each: the upper 16 rows, the lower 16.
///
/// A value exists only in code that was entered after the CPU had been found to have the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Wide {
    first: Half,
    second: Half,
}

/// One side's set.
type Half = [__m512i; 2];

/// For each row the bits to turn left by.
#[repr(align(64))]
struct Lean([u32; 32]);

impl Lean {
    const RIGHT: &Self = &Self::new(1);
    /// As many turns to the right as there are columns, less one, are a turn to the left.
    const LEFT: &Self = &Self::new(31);

    const fn new(factor: u32) -> Self {
        let mut turns = [0; 32];
        let mut row = 0;
        while row < 32 {
            turns[row as usize] = row * factor % 32;
            row += 1;
        }
        Self(turns)
    }
}

#[inline(always)]
fn load(rows: &[u32; 32]) -> Half {
    let (upper, lower) = rows.split_at(16);
    [instruction!(_mm512_loadu_si512(upper.as_ptr().cast())), instruction!(_mm512_loadu_si512(lower.as_ptr().cast()))]
}

#[inline(always)]
fn store([upper, lower]: Half) -> [u32; 32] {
    let mut rows = [0; 32];
    let (above, below) = rows.split_at_mut(16);
    instruction!(_mm512_storeu_si512(above.as_mut_ptr().cast(), upper));
    instruction!(_mm512_storeu_si512(below.as_mut_ptr().cast(), lower));
    rows
}

/// Returns the rows that come `N` after those of the first register, where the second register follows it.
#[inline(always)]
fn later<const N: usize>(rows: __m512i, next: __m512i) -> __m512i {
    match N {
        1 => instruction!(_mm512_alignr_epi32::<1>(next, rows)),
        2 => instruction!(_mm512_alignr_epi32::<2>(next, rows)),
        4 => instruction!(_mm512_alignr_epi32::<4>(next, rows)),
        8 => instruction!(_mm512_alignr_epi32::<8>(next, rows)),
        _ => next,
    }
}

/// Returns the rows that come `N` before those of the second register, where the first register precedes it.
#[inline(always)]
fn earlier<const N: usize>(previous: __m512i, rows: __m512i) -> __m512i {
    match N {
        1 => instruction!(_mm512_alignr_epi32::<15>(rows, previous)),
        2 => instruction!(_mm512_alignr_epi32::<14>(rows, previous)),
        4 => instruction!(_mm512_alignr_epi32::<12>(rows, previous)),
        8 => instruction!(_mm512_alignr_epi32::<8>(rows, previous)),
        _ => previous,
    }
}

#[inline(always)]
fn turn([upper, lower]: Half, turns: &Lean) -> Half {
    let [above, below] = load(&turns.0);
    [instruction!(_mm512_rolv_epi32(upper, above)), instruction!(_mm512_rolv_epi32(lower, below))]
}

#[inline(always)]
fn add_weighed(sum: __m512i, [upper, lower]: Half, weights: __m512i) -> __m512i {
    let (upper, lower) = (instruction!(_mm512_popcnt_epi16(upper)), instruction!(_mm512_popcnt_epi16(lower)));
    let counts = instruction!(_mm512_add_epi16(upper, lower));
    instruction!(_mm512_dpwssd_epi32(sum, counts, weights))
}

#[inline(always)]
fn tally_side(tally: __m512i, [upper, lower]: Half, place: usize) -> __m512i {
    let (upper, lower) = (instruction!(_mm512_popcnt_epi64(upper)), instruction!(_mm512_popcnt_epi64(lower)));
    // At most 128, so that every place has a byte of its own.
    let counts = instruction!(_mm512_add_epi64(upper, lower));
    instruction!(_mm512_or_si512(tally, placed(counts, place)))
}

/// Sums up the places, none over the limit.
#[inline(always)]
fn counts_of_side(tally: __m512i) -> [u8; EIGHT] {
    let swapped = instruction!(_mm512_shuffle_i64x2::<0b01_00_11_10>(tally, tally));
    let halves = instruction!(_mm512_adds_epu8(tally, swapped));
    let swapped = instruction!(_mm512_shuffle_i64x2::<0b10_11_00_01>(halves, halves));
    let quarters = instruction!(_mm512_adds_epu8(halves, swapped));
    let swapped = instruction!(_mm512_shuffle_epi32::<0b01_00_11_10>(quarters));
    let all = instruction!(_mm512_castsi512_si128(_mm512_adds_epu8(quarters, swapped)));
    let limit = instruction!(_mm_set1_epi8(Network::LARGEST_COUNT.cast_signed()));
    instruction!(_mm_cvtsi128_si64(_mm_min_epu8(all, limit))).to_le_bytes()
}

impl Avx512Wide {
    #[inline(always)]
    fn each(self, operation: impl Fn(__m512i) -> __m512i) -> Self {
        self.halves(
            #[inline(always)]
            |[upper, lower]| [operation(upper), operation(lower)],
        )
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(__m512i, __m512i) -> __m512i) -> Self {
        Self {
            first: [operation(self.first[0], other.first[0]), operation(self.first[1], other.first[1])],
            second: [operation(self.second[0], other.second[0]), operation(self.second[1], other.second[1])],
        }
    }

    #[inline(always)]
    fn halves(self, operation: impl Fn(Half) -> Half) -> Self {
        Self { first: operation(self.first), second: operation(self.second) }
    }
}

impl Sets for Avx512Wide {
    type Layout = [u32; 32];
    type Sum = [__m512i; 2];
    type Tally = [__m512i; 2];

    #[inline(always)]
    fn pair(first: &[u32; 32], second: &[u32; 32]) -> Self {
        Self { first: load(first), second: load(second) }
    }

    #[inline(always)]
    fn unpair(self) -> [[u32; 32]; 2] {
        [store(self.first), store(self.second)]
    }

    register_by_register!(|a, b| {
        and: _mm512_and_si512(a, b),
        or: _mm512_or_si512(a, b),
        xor: _mm512_xor_si512(a, b),
        without: _mm512_andnot_si512(b, a),
        plus: _mm512_add_epi32(a, b),
    });

    #[inline(always)]
    fn swap(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let first = instruction!(_mm512_or_si512(self.first[0], self.first[1]));
        let second = instruction!(_mm512_or_si512(self.second[0], self.second[1]));
        let any = instruction!(_mm512_or_si512(first, second));
        instruction!(_mm512_test_epi64_mask(any, any)) == 0
    }

    #[inline(always)]
    fn right<const N: u32>(self) -> Self {
        self.each(
            #[inline(always)]
            |set| instruction!(_mm512_slli_epi32::<N>(set)),
        )
    }

    #[inline(always)]
    fn left<const N: u32>(self) -> Self {
        self.each(
            #[inline(always)]
            |set| instruction!(_mm512_srli_epi32::<N>(set)),
        )
    }

    #[inline(always)]
    fn down(self) -> Self {
        let none = instruction!(_mm512_setzero_si512());
        self.halves(
            #[inline(always)]
            |[upper, lower]| [earlier::<1>(none, upper), earlier::<1>(upper, lower)],
        )
    }

    #[inline(always)]
    fn up(self) -> Self {
        let none = instruction!(_mm512_setzero_si512());
        self.halves(
            #[inline(always)]
            |[upper, lower]| [later::<1>(upper, lower), later::<1>(lower, none)],
        )
    }

    #[inline(always)]
    fn roll_down<const N: usize>(self) -> Self {
        self.halves(
            #[inline(always)]
            |[upper, lower]| [earlier::<N>(lower, upper), earlier::<N>(upper, lower)],
        )
    }

    #[inline(always)]
    fn roll_up<const N: usize>(self) -> Self {
        self.halves(
            #[inline(always)]
            |[upper, lower]| [later::<N>(upper, lower), later::<N>(lower, upper)],
        )
    }

    #[inline(always)]
    fn lean_right(self) -> Self {
        self.halves(
            #[inline(always)]
            |half| turn(half, Lean::RIGHT),
        )
    }

    #[inline(always)]
    fn lean_left(self) -> Self {
        self.halves(
            #[inline(always)]
            |half| turn(half, Lean::LEFT),
        )
    }

    #[inline(always)]
    fn zero() -> [__m512i; 2] {
        [instruction!(_mm512_setzero_si512()), instruction!(_mm512_setzero_si512())]
    }

    #[inline(always)]
    fn weigh(sum: [__m512i; 2], set: Self, weight: Weight) -> [__m512i; 2] {
        let weights = instruction!(_mm512_set1_epi32(weight.packed()));
        [add_weighed(sum[0], set.first, weights), add_weighed(sum[1], set.second, weights)]
    }

    #[inline(always)]
    fn total(sum: [__m512i; 2]) -> [i32; 2] {
        [instruction!(_mm512_reduce_add_epi32(sum[0])), instruction!(_mm512_reduce_add_epi32(sum[1]))]
    }

    #[inline(always)]
    fn no_tally() -> [__m512i; 2] {
        Self::zero()
    }

    #[inline(always)]
    fn tally(tally: [__m512i; 2], set: Self, place: usize) -> [__m512i; 2] {
        [tally_side(tally[0], set.first, place), tally_side(tally[1], set.second, place)]
    }

    #[inline(always)]
    fn counts(tally: [__m512i; 2]) -> [[u8; EIGHT]; 2] {
        [counts_of_side(tally[0]), counts_of_side(tally[1])]
    }

    #[inline(always)]
    fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
        super::avx512_layer::judge(layer, due, counts, outputs)
    }
}
