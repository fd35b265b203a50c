use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32, _mm256_adds_epu8, _mm256_alignr_epi8,
    _mm256_and_si256, _mm256_andnot_si256, _mm256_extract_epi64, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_min_epu8, _mm256_mulhi_epu16, _mm256_mullo_epi16, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32, _mm256_slli_epi16, _mm256_slli_epi64,
    _mm256_srli_epi16, _mm256_storeu_si256, _mm256_testz_si256, _mm256_xor_si256,
};

use amazons_rules::Step;

use super::{Sets, Weight};
use crate::Network;
use crate::layer::{Counts, EIGHT, Layer, Views};

/// Both sides' sets of a grid of 16 rows in a register each.
///
/// A value exists only in code that was entered after the CPU had been found to have the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Avx2 {
    first: __m256i,
    second: __m256i,
}

/// For each row 2 to the power of the bits to turn left by: a product's two halves are then the turned row.
const fn factors(back: bool) -> [u16; 16] {
    let mut factors = [0; 16];
    let mut row = 0;
    while row < 16 {
        factors[row] = 1 << if back { (16 - row) % 16 } else { row };
        row += 1;
    }
    factors
}

const LEAN_RIGHT: &[u16; 16] = &factors(false);
const LEAN_LEFT: &[u16; 16] = &factors(true);
/// The number of bits in each number below 16, for both halves of a register.
const COUNTS: &[u8; 32] =
    &[0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];

#[inline(always)]
fn load(rows: &[u16; 16]) -> __m256i {
    instruction!(_mm256_loadu_si256(rows.as_ptr().cast::<__m256i>()))
}

#[inline(always)]
fn store(register: __m256i) -> [u16; 16] {
    let mut rows = [0; 16];
    instruction!(_mm256_storeu_si256(rows.as_mut_ptr().cast::<__m256i>(), register));
    rows
}

/// Shifts by `N` rows up; `beyond` holds for each half the one that follows it.
#[inline(always)]
fn rows_up<const N: usize>(set: __m256i, beyond: __m256i) -> __m256i {
    match N {
        1 => instruction!(_mm256_alignr_epi8::<2>(beyond, set)),
        2 => instruction!(_mm256_alignr_epi8::<4>(beyond, set)),
        4 => instruction!(_mm256_alignr_epi8::<8>(beyond, set)),
        _ => beyond,
    }
}

/// Shifts by `N` rows down; `before` holds for each half the one that precedes it.
#[inline(always)]
fn rows_down<const N: usize>(set: __m256i, before: __m256i) -> __m256i {
    match N {
        1 => instruction!(_mm256_alignr_epi8::<14>(set, before)),
        2 => instruction!(_mm256_alignr_epi8::<12>(set, before)),
        4 => instruction!(_mm256_alignr_epi8::<8>(set, before)),
        _ => before,
    }
}

#[inline(always)]
fn halves_swapped(set: __m256i) -> __m256i {
    instruction!(_mm256_permute2x128_si256::<0x01>(set, set))
}

#[inline(always)]
fn turn(set: __m256i, factors: &[u16; 16]) -> __m256i {
    let factors = load(factors);
    let low = instruction!(_mm256_mullo_epi16(set, factors));
    let high = instruction!(_mm256_mulhi_epu16(set, factors));
    instruction!(_mm256_or_si256(low, high))
}

/// Returns each byte's number of set bits.
#[inline(always)]
pub(super) fn byte_counts(set: __m256i) -> __m256i {
    let table = instruction!(_mm256_loadu_si256(COUNTS.as_ptr().cast::<__m256i>()));
    let nibble = instruction!(_mm256_set1_epi8(0x0f));
    let low = instruction!(_mm256_and_si256(set, nibble));
    let high = instruction!(_mm256_srli_epi16::<4>(set));
    let high = instruction!(_mm256_and_si256(high, nibble));
    let low = instruction!(_mm256_shuffle_epi8(table, low));
    let high = instruction!(_mm256_shuffle_epi8(table, high));
    instruction!(_mm256_add_epi8(low, high))
}

/// Adds to the sums the numbers of set bits of the bytes times the weights.
#[inline(always)]
pub(super) fn add_counted(sum: __m256i, counts: __m256i, weights: __m256i) -> __m256i {
    let ones = instruction!(_mm256_set1_epi8(1));
    let counts = instruction!(_mm256_maddubs_epi16(counts, ones));
    let products = instruction!(_mm256_madd_epi16(counts, weights));
    instruction!(_mm256_add_epi32(sum, products))
}

#[inline(always)]
pub(super) fn sum_of_lanes(sum: __m256i) -> i32 {
    let mut lanes = [0; 8];
    instruction!(_mm256_storeu_si256(lanes.as_mut_ptr().cast::<__m256i>(), sum));
    lanes.iter().sum()
}

impl Avx2 {
    #[inline(always)]
    fn each(self, operation: impl Fn(__m256i) -> __m256i) -> Self {
        Self { first: operation(self.first), second: operation(self.second) }
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(__m256i, __m256i) -> __m256i) -> Self {
        Self { first: operation(self.first, other.first), second: operation(self.second, other.second) }
    }
}

impl Sets for Avx2 {
    type Layout = [u16; 16];
    type Sum = [__m256i; 2];
    type Tally = [__m256i; 2];

    #[inline(always)]
    fn pair(first: &[u16; 16], second: &[u16; 16]) -> Self {
        Self { first: load(first), second: load(second) }
    }

    #[inline(always)]
    fn unpair(self) -> [[u16; 16]; 2] {
        [store(self.first), store(self.second)]
    }

    register_by_register!(|a, b| {
        and: _mm256_and_si256(a, b),
        or: _mm256_or_si256(a, b),
        xor: _mm256_xor_si256(a, b),
        without: _mm256_andnot_si256(b, a),
        plus: _mm256_add_epi16(a, b),
    });

    #[inline(always)]
    fn swap(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let any = instruction!(_mm256_or_si256(self.first, self.second));
        instruction!(_mm256_testz_si256(any, any)) == 1
    }

    #[inline(always)]
    fn right<const N: u32>(self) -> Self {
        match N {
            1 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi16::<1>(set)),
            ),
            2 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi16::<2>(set)),
            ),
            4 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi16::<4>(set)),
            ),
            _ => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi16::<8>(set)),
            ),
        }
    }

    #[inline(always)]
    fn left<const N: u32>(self) -> Self {
        match N {
            1 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi16::<1>(set)),
            ),
            2 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi16::<2>(set)),
            ),
            4 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi16::<4>(set)),
            ),
            _ => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi16::<8>(set)),
            ),
        }
    }

    #[inline(always)]
    fn down(self) -> Self {
        self.each(
            #[inline(always)]
            |set| rows_down::<1>(set, instruction!(_mm256_permute2x128_si256::<0x08>(set, set))),
        )
    }

    #[inline(always)]
    fn up(self) -> Self {
        self.each(
            #[inline(always)]
            |set| rows_up::<1>(set, instruction!(_mm256_permute2x128_si256::<0x81>(set, set))),
        )
    }

    #[inline(always)]
    fn roll_down<const N: usize>(self) -> Self {
        self.each(
            #[inline(always)]
            |set| rows_down::<N>(set, halves_swapped(set)),
        )
    }

    #[inline(always)]
    fn roll_up<const N: usize>(self) -> Self {
        self.each(
            #[inline(always)]
            |set| rows_up::<N>(set, halves_swapped(set)),
        )
    }

    #[inline(always)]
    fn lean_right(self) -> Self {
        self.each(
            #[inline(always)]
            |set| turn(set, LEAN_RIGHT),
        )
    }

    #[inline(always)]
    fn lean_left(self) -> Self {
        self.each(
            #[inline(always)]
            |set| turn(set, LEAN_LEFT),
        )
    }

    #[inline(always)]
    fn zero() -> [__m256i; 2] {
        [instruction!(_mm256_setzero_si256()), instruction!(_mm256_setzero_si256())]
    }

    #[inline(always)]
    fn weigh(sum: [__m256i; 2], set: Self, weight: Weight) -> [__m256i; 2] {
        let weights = instruction!(_mm256_set1_epi32(weight.packed()));
        [add_counted(sum[0], byte_counts(set.first), weights), add_counted(sum[1], byte_counts(set.second), weights)]
    }

    #[inline(always)]
    fn total(sum: [__m256i; 2]) -> [i32; 2] {
        [sum_of_lanes(sum[0]), sum_of_lanes(sum[1])]
    }

    #[inline(always)]
    fn no_tally() -> [__m256i; 2] {
        Self::zero()
    }

    #[inline(always)]
    fn tally(tally: [__m256i; 2], set: Self, place: usize) -> [__m256i; 2] {
        [tally_side(tally[0], set.first, place), tally_side(tally[1], set.second, place)]
    }

    #[inline(always)]
    fn counts(tally: [__m256i; 2]) -> [[u8; EIGHT]; 2] {
        [counts_of_side(tally[0]), counts_of_side(tally[1])]
    }

    #[inline(always)]
    fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
        super::avx2_layer::judge(layer, due, counts, outputs)
    }
}

/// Sums up the places, none over the limit.
#[inline(always)]
pub(super) fn counts_of_side(tally: __m256i) -> [u8; EIGHT] {
    let swapped = instruction!(_mm256_permute4x64_epi64::<0b01_00_11_10>(tally));
    let halves = instruction!(_mm256_adds_epu8(tally, swapped));
    let swapped = instruction!(_mm256_shuffle_epi32::<0b01_00_11_10>(halves));
    let all = instruction!(_mm256_adds_epu8(halves, swapped));
    let limit = instruction!(_mm256_set1_epi8(Network::LARGEST_COUNT.cast_signed()));
    let all = instruction!(_mm256_min_epu8(all, limit));
    instruction!(_mm256_extract_epi64::<0>(all)).to_le_bytes()
}

#[inline(always)]
fn tally_side(tally: __m256i, set: __m256i, place: usize) -> __m256i {
    let counts = byte_counts(set);
    // At most 64 in each eight bytes, so that every place has a byte of its own.
    let sums = instruction!(_mm256_sad_epu8(counts, _mm256_setzero_si256()));
    instruction!(_mm256_or_si256(tally, placed(sums, place)))
}

/// Moves the lowest byte of each eight to a place among them.
#[inline(always)]
pub(super) fn placed(sums: __m256i, place: usize) -> __m256i {
    match place {
        0 => sums,
        1 => instruction!(_mm256_slli_epi64::<8>(sums)),
        2 => instruction!(_mm256_slli_epi64::<16>(sums)),
        3 => instruction!(_mm256_slli_epi64::<24>(sums)),
        4 => instruction!(_mm256_slli_epi64::<32>(sums)),
        5 => instruction!(_mm256_slli_epi64::<40>(sums)),
        6 => instruction!(_mm256_slli_epi64::<48>(sums)),
        _ => instruction!(_mm256_slli_epi64::<56>(sums)),
    }
}
