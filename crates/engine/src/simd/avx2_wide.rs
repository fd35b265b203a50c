use std::arch::x86_64::{
    __m256i, _mm256_add_epi8, _mm256_add_epi32, _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256,
    _mm256_loadu_si256, _mm256_min_epu16, _mm256_or_si256, _mm256_permute2x128_si256, _mm256_sad_epu8,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_slli_epi32, _mm256_sllv_epi32,
    _mm256_srli_epi32, _mm256_srlv_epi32, _mm256_storeu_si256, _mm256_testz_si256, _mm256_xor_si256,
};

use amazons_rules::Step;

use super::avx2::{add_counted, byte_counts, counts_of_side, placed, sum_of_lanes};
use super::{Sets, Weight};
use crate::layer::{Counts, EIGHT, Layer, Views};

/// Both sides' sets of a grid of 32 rows, in four registers of eight rows each.
///
/// A value exists only in code that was entered after the CPU had been found to have the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Avx2Wide {
    first: Quarters,
    second: Quarters,
}

/// One side's set.
type Quarters = [__m256i; 4];

/// For each row its number.
const ROWS: &[u32; 32] = &numbers(false);
/// For each row the columns beyond as many as its number.
const REST: &[u32; 32] = &numbers(true);

const fn numbers(back: bool) -> [u32; 32] {
    let mut numbers = [0; 32];
    let mut row = 0;
    while row < 32 {
        numbers[row as usize] = if back { 32 - row } else { row };
        row += 1;
    }
    numbers
}

#[inline(always)]
fn load_quarter(rows: &[u32; 32], quarter: usize) -> __m256i {
    instruction!(_mm256_loadu_si256(rows[8 * quarter..8 * (quarter + 1)].as_ptr().cast::<__m256i>()))
}

#[inline(always)]
fn load(rows: &[u32; 32]) -> Quarters {
    [load_quarter(rows, 0), load_quarter(rows, 1), load_quarter(rows, 2), load_quarter(rows, 3)]
}

#[inline(always)]
fn store(set: Quarters) -> [u32; 32] {
    let mut rows = [0; 32];
    for quarter in 0..4 {
        let place = &mut rows[8 * quarter..8 * (quarter + 1)];
        instruction!(_mm256_storeu_si256(place.as_mut_ptr().cast::<__m256i>(), set[quarter]));
    }
    rows
}

/// Returns the rows that come `N` after those of the first register, where the second register follows it; `N` is below 8.
#[inline(always)]
fn later<const N: usize>(rows: __m256i, next: __m256i) -> __m256i {
    let middle = instruction!(_mm256_permute2x128_si256::<0x21>(rows, next));
    match N {
        1 => instruction!(_mm256_alignr_epi8::<4>(middle, rows)),
        2 => instruction!(_mm256_alignr_epi8::<8>(middle, rows)),
        _ => middle,
    }
}

/// Returns the rows that come `N` before those of the second register, where the first register precedes it; `N` is below 8.
#[inline(always)]
fn earlier<const N: usize>(previous: __m256i, rows: __m256i) -> __m256i {
    let middle = instruction!(_mm256_permute2x128_si256::<0x21>(previous, rows));
    match N {
        1 => instruction!(_mm256_alignr_epi8::<12>(rows, middle)),
        2 => instruction!(_mm256_alignr_epi8::<8>(rows, middle)),
        _ => middle,
    }
}

#[inline(always)]
fn rolled_down<const N: usize>([a, b, c, d]: Quarters) -> Quarters {
    match N {
        8 => [d, a, b, c],
        16 => [c, d, a, b],
        _ => [earlier::<N>(d, a), earlier::<N>(a, b), earlier::<N>(b, c), earlier::<N>(c, d)],
    }
}

#[inline(always)]
fn rolled_up<const N: usize>([a, b, c, d]: Quarters) -> Quarters {
    match N {
        8 => [b, c, d, a],
        16 => [c, d, a, b],
        _ => [later::<N>(a, b), later::<N>(b, c), later::<N>(c, d), later::<N>(d, a)],
    }
}

/// Turns each row left by one number of bits and right by the other, which make a whole turn.
#[inline(always)]
fn turn(set: Quarters, left: &[u32; 32], right: &[u32; 32]) -> Quarters {
    let (left, right) = (load(left), load(right));
    [
        turn_quarter(set[0], left[0], right[0]),
        turn_quarter(set[1], left[1], right[1]),
        turn_quarter(set[2], left[2], right[2]),
        turn_quarter(set[3], left[3], right[3]),
    ]
}

#[inline(always)]
fn turn_quarter(set: __m256i, left: __m256i, right: __m256i) -> __m256i {
    // A shift by all 32 bits leaves none.
    let (left, right) = (instruction!(_mm256_sllv_epi32(set, left)), instruction!(_mm256_srlv_epi32(set, right)));
    instruction!(_mm256_or_si256(left, right))
}

/// Returns the numbers of set bits of the bytes with the same place in their register, at most 32.
#[inline(always)]
fn counts_by_byte([a, b, c, d]: Quarters) -> __m256i {
    let upper = instruction!(_mm256_add_epi8(byte_counts(a), byte_counts(b)));
    let lower = instruction!(_mm256_add_epi8(byte_counts(c), byte_counts(d)));
    instruction!(_mm256_add_epi8(upper, lower))
}

#[inline(always)]
fn tally_side(tally: __m256i, set: Quarters, place: usize) -> __m256i {
    let sums = instruction!(_mm256_sad_epu8(counts_by_byte(set), _mm256_setzero_si256()));
    // They may be 256, and every place has a byte of its own; 255 is beyond what counts.
    let sums = instruction!(_mm256_min_epu16(sums, _mm256_set1_epi16(255)));
    instruction!(_mm256_or_si256(tally, placed(sums, place)))
}

#[inline(always)]
fn zip_side(set: Quarters, other: Quarters, operation: impl Fn(__m256i, __m256i) -> __m256i) -> Quarters {
    let ([a, b, c, d], [e, f, g, h]) = (set, other);
    [operation(a, e), operation(b, f), operation(c, g), operation(d, h)]
}

impl Avx2Wide {
    #[inline(always)]
    fn each(self, operation: impl Fn(__m256i) -> __m256i) -> Self {
        self.sides(
            #[inline(always)]
            |[a, b, c, d]| [operation(a), operation(b), operation(c), operation(d)],
        )
    }

    #[inline(always)]
    fn zip(self, other: Self, operation: impl Fn(__m256i, __m256i) -> __m256i) -> Self {
        Self {
            first: zip_side(self.first, other.first, &operation),
            second: zip_side(self.second, other.second, &operation),
        }
    }

    #[inline(always)]
    fn sides(self, operation: impl Fn(Quarters) -> Quarters) -> Self {
        Self { first: operation(self.first), second: operation(self.second) }
    }
}

impl Sets for Avx2Wide {
    type Layout = [u32; 32];
    type Sum = [__m256i; 2];
    type Tally = [__m256i; 2];

    #[inline(always)]
    fn pair(first: &[u32; 32], second: &[u32; 32]) -> Self {
        Self { first: load(first), second: load(second) }
    }

    #[inline(always)]
    fn unpair(self) -> [[u32; 32]; 2] {
        [store(self.first), store(self.second)]
    }

    register_by_register!(|a, b| {
        and: _mm256_and_si256(a, b),
        or: _mm256_or_si256(a, b),
        xor: _mm256_xor_si256(a, b),
        without: _mm256_andnot_si256(b, a),
        plus: _mm256_add_epi32(a, b),
    });

    #[inline(always)]
    fn swap(self) -> Self {
        Self { first: self.second, second: self.first }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let [a, b, c, d] = self.or(self.swap()).first;
        let (upper, lower) = (instruction!(_mm256_or_si256(a, b)), instruction!(_mm256_or_si256(c, d)));
        let any = instruction!(_mm256_or_si256(upper, lower));
        instruction!(_mm256_testz_si256(any, any)) == 1
    }

    #[inline(always)]
    fn right<const N: u32>(self) -> Self {
        match N {
            1 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi32::<1>(set)),
            ),
            2 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi32::<2>(set)),
            ),
            4 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi32::<4>(set)),
            ),
            8 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi32::<8>(set)),
            ),
            _ => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_slli_epi32::<16>(set)),
            ),
        }
    }

    #[inline(always)]
    fn left<const N: u32>(self) -> Self {
        match N {
            1 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi32::<1>(set)),
            ),
            2 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi32::<2>(set)),
            ),
            4 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi32::<4>(set)),
            ),
            8 => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi32::<8>(set)),
            ),
            _ => self.each(
                #[inline(always)]
                |set| instruction!(_mm256_srli_epi32::<16>(set)),
            ),
        }
    }

    #[inline(always)]
    fn down(self) -> Self {
        let none = instruction!(_mm256_setzero_si256());
        self.sides(
            #[inline(always)]
            |[a, b, c, d]| [earlier::<1>(none, a), earlier::<1>(a, b), earlier::<1>(b, c), earlier::<1>(c, d)],
        )
    }

    #[inline(always)]
    fn up(self) -> Self {
        let none = instruction!(_mm256_setzero_si256());
        self.sides(
            #[inline(always)]
            |[a, b, c, d]| [later::<1>(a, b), later::<1>(b, c), later::<1>(c, d), later::<1>(d, none)],
        )
    }

    #[inline(always)]
    fn roll_down<const N: usize>(self) -> Self {
        self.sides(rolled_down::<N>)
    }

    #[inline(always)]
    fn roll_up<const N: usize>(self) -> Self {
        self.sides(rolled_up::<N>)
    }

    #[inline(always)]
    fn lean_right(self) -> Self {
        self.sides(
            #[inline(always)]
            |set| turn(set, ROWS, REST),
        )
    }

    #[inline(always)]
    fn lean_left(self) -> Self {
        self.sides(
            #[inline(always)]
            |set| turn(set, REST, ROWS),
        )
    }

    #[inline(always)]
    fn zero() -> [__m256i; 2] {
        [instruction!(_mm256_setzero_si256()), instruction!(_mm256_setzero_si256())]
    }

    #[inline(always)]
    fn weigh(sum: [__m256i; 2], set: Self, weight: Weight) -> [__m256i; 2] {
        let weights = instruction!(_mm256_set1_epi32(weight.packed()));
        [
            add_counted(sum[0], counts_by_byte(set.first), weights),
            add_counted(sum[1], counts_by_byte(set.second), weights),
        ]
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
