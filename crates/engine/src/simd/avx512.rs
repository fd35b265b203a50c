use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi128_si64, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32,
    _mm512_adds_epu8, _mm512_and_si512, _mm512_andnot_si512, _mm512_castsi256_si512, _mm512_castsi512_si128,
    _mm512_castsi512_si256, _mm512_dpwssd_epi32, _mm512_extracti32x4_epi32, _mm512_extracti64x4_epi64,
    _mm512_inserti64x4, _mm512_loadu_si512, _mm512_mask_reduce_add_epi32, _mm512_maskz_permutexvar_epi16,
    _mm512_min_epu8, _mm512_or_si512, _mm512_permutexvar_epi16, _mm512_popcnt_epi16, _mm512_popcnt_epi64,
    _mm512_set1_epi8, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_shldv_epi16, _mm512_shuffle_epi32,
    _mm512_shuffle_i64x2, _mm512_slli_epi16, _mm512_slli_epi64, _mm512_srli_epi16, _mm512_test_epi64_mask,
    _mm512_unpackhi_epi32, _mm512_unpacklo_epi32, _mm512_xor_si512,
};

use amazons_rules::Step;

use super::{Sets, Weight};
use crate::Network;
use crate::layer::{Counts, EIGHT, Layer, Views};

/// Both sides' sets of a grid of 16 rows in one register, the first side in the lower half.
///
/// A value exists only in code that was entered after the CPU had been found to have the instructions.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(__m512i);

/// For each lane of 16 bits the lane, in the same half, that is some rows further.
#[repr(align(64))]
struct Lanes([u16; 32]);

impl Lanes {
    const fn roll(rows: usize) -> Self {
        let mut lanes = [0; 32];
        let mut at = 0;
        while at < 32 {
            #[expect(clippy::cast_possible_truncation, reason = "below 32")]
            let source = (at / 16 * 16 + (at + rows) % 16) as u16;
            lanes[at] = source;
            at += 1;
        }
        Self(lanes)
    }

    /// For each lane the bits to turn left by: its row number, or the rest to a whole turn.
    const fn lean(back: bool) -> Self {
        let mut lanes = [0; 32];
        let mut at = 0;
        while at < 32 {
            #[expect(clippy::cast_possible_truncation, reason = "below 16")]
            let row = (at % 16) as u16;
            lanes[at] = if back { (16 - row) % 16 } else { row };
            at += 1;
        }
        Self(lanes)
    }

    #[inline(always)]
    fn load(&self) -> __m512i {
        instruction!(_mm512_loadu_si512(self.0.as_ptr().cast()))
    }
}

struct Roll<const N: usize>;

impl<const N: usize> Roll<N> {
    /// 64 is a whole number of turns.
    const DOWN: &Lanes = &Lanes::roll(64 - N);
    const UP: &Lanes = &Lanes::roll(N);
}

const LEAN_RIGHT: &Lanes = &Lanes::lean(false);
const LEAN_LEFT: &Lanes = &Lanes::lean(true);

impl Sets for Avx512 {
    type Layout = [u16; 16];
    type Sum = __m512i;
    type Tally = __m512i;

    #[inline(always)]
    fn pair(first: &[u16; 16], second: &[u16; 16]) -> Self {
        let first = instruction!(_mm256_loadu_si256(first.as_ptr().cast::<__m256i>()));
        let second = instruction!(_mm256_loadu_si256(second.as_ptr().cast::<__m256i>()));
        let low = instruction!(_mm512_castsi256_si512(first));
        Self(instruction!(_mm512_inserti64x4::<1>(low, second)))
    }

    #[inline(always)]
    fn unpair(self) -> [[u16; 16]; 2] {
        let (mut first, mut second) = ([0; 16], [0; 16]);
        let low = instruction!(_mm512_castsi512_si256(self.0));
        let high = instruction!(_mm512_extracti64x4_epi64::<1>(self.0));
        instruction!(_mm256_storeu_si256(first.as_mut_ptr().cast::<__m256i>(), low));
        instruction!(_mm256_storeu_si256(second.as_mut_ptr().cast::<__m256i>(), high));
        [first, second]
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Self(instruction!(_mm512_and_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        Self(instruction!(_mm512_or_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        Self(instruction!(_mm512_xor_si512(self.0, other.0)))
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(instruction!(_mm512_andnot_si512(other.0, self.0)))
    }

    #[inline(always)]
    fn swap(self) -> Self {
        Self(instruction!(_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)))
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        instruction!(_mm512_test_epi64_mask(self.0, self.0)) == 0
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(instruction!(_mm512_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn right<const N: u32>(self) -> Self {
        Self(instruction!(_mm512_slli_epi16::<N>(self.0)))
    }

    #[inline(always)]
    fn left<const N: u32>(self) -> Self {
        Self(instruction!(_mm512_srli_epi16::<N>(self.0)))
    }

    #[inline(always)]
    fn down(self) -> Self {
        Self(instruction!(_mm512_maskz_permutexvar_epi16(0xfffe_fffe, Roll::<1>::DOWN.load(), self.0)))
    }

    #[inline(always)]
    fn up(self) -> Self {
        Self(instruction!(_mm512_maskz_permutexvar_epi16(0x7fff_7fff, Roll::<1>::UP.load(), self.0)))
    }

    #[inline(always)]
    fn roll_down<const N: usize>(self) -> Self {
        Self(instruction!(_mm512_permutexvar_epi16(Roll::<N>::DOWN.load(), self.0)))
    }

    #[inline(always)]
    fn roll_up<const N: usize>(self) -> Self {
        Self(instruction!(_mm512_permutexvar_epi16(Roll::<N>::UP.load(), self.0)))
    }

    #[inline(always)]
    fn lean_right(self) -> Self {
        Self(instruction!(_mm512_shldv_epi16(self.0, self.0, LEAN_RIGHT.load())))
    }

    #[inline(always)]
    fn lean_left(self) -> Self {
        Self(instruction!(_mm512_shldv_epi16(self.0, self.0, LEAN_LEFT.load())))
    }

    #[inline(always)]
    fn zero() -> __m512i {
        instruction!(_mm512_setzero_si512())
    }

    #[inline(always)]
    fn weigh(sum: __m512i, set: Self, weight: Weight) -> __m512i {
        let counts = instruction!(_mm512_popcnt_epi16(set.0));
        let weights = instruction!(_mm512_set1_epi32(weight.packed()));
        instruction!(_mm512_dpwssd_epi32(sum, counts, weights))
    }

    #[inline(always)]
    fn total(sum: __m512i) -> [i32; 2] {
        let first = instruction!(_mm512_mask_reduce_add_epi32(0x00ff, sum));
        let second = instruction!(_mm512_mask_reduce_add_epi32(0xff00, sum));
        [first, second]
    }

    #[inline(always)]
    fn totals([one, other]: [__m512i; 2]) -> [[i32; 2]; 2] {
        // The sums stand in turns, those of the first side in the lower half.
        let lower = instruction!(_mm512_unpacklo_epi32(one, other));
        let upper = instruction!(_mm512_unpackhi_epi32(one, other));
        let sums = instruction!(_mm512_add_epi32(lower, upper));
        let sums = instruction!(_mm512_add_epi32(sums, _mm512_shuffle_i64x2::<0b10_11_00_01>(sums, sums)));
        let sums = instruction!(_mm512_add_epi32(sums, _mm512_shuffle_epi32::<0b01_00_11_10>(sums)));
        let [[first, first_other], [second, second_other]] =
            [two_words(first_word(sums)), two_words(second_word(sums))];
        [[first, second], [first_other, second_other]]
    }

    #[inline(always)]
    fn no_tally() -> __m512i {
        Self::zero()
    }

    #[inline(always)]
    fn tally(tally: __m512i, set: Self, place: usize) -> __m512i {
        // At most 64, so that every place has a byte of its own.
        let counts = instruction!(_mm512_popcnt_epi64(set.0));
        instruction!(_mm512_or_si512(tally, placed(counts, place)))
    }

    #[inline(always)]
    fn counts(tally: __m512i) -> [[u8; EIGHT]; 2] {
        // Each side has four of the eight words.
        let pairs = instruction!(_mm512_adds_epu8(tally, _mm512_shuffle_epi32::<0b01_00_11_10>(tally)));
        let all = instruction!(_mm512_adds_epu8(pairs, _mm512_shuffle_i64x2::<0b10_11_00_01>(pairs, pairs)));
        let limit = instruction!(_mm512_set1_epi8(Network::LARGEST_COUNT.cast_signed()));
        let all = instruction!(_mm512_min_epu8(all, limit));
        [first_word(all).to_le_bytes(), second_word(all).to_le_bytes()]
    }

    #[inline(always)]
    fn judge(layer: &Layer, due: Step, counts: &Counts, outputs: &Views) -> i64 {
        super::avx512_layer::judge(layer, due, counts, outputs)
    }
}

/// Moves the lowest byte of each eight to a place among them.
#[inline(always)]
pub(super) fn placed(sums: __m512i, place: usize) -> __m512i {
    match place {
        0 => sums,
        1 => instruction!(_mm512_slli_epi64::<8>(sums)),
        2 => instruction!(_mm512_slli_epi64::<16>(sums)),
        3 => instruction!(_mm512_slli_epi64::<24>(sums)),
        4 => instruction!(_mm512_slli_epi64::<32>(sums)),
        5 => instruction!(_mm512_slli_epi64::<40>(sums)),
        6 => instruction!(_mm512_slli_epi64::<48>(sums)),
        _ => instruction!(_mm512_slli_epi64::<56>(sums)),
    }
}

/// Returns the first word of the lower half.
#[inline(always)]
fn first_word(register: __m512i) -> i64 {
    instruction!(_mm_cvtsi128_si64(_mm512_castsi512_si128(register)))
}

/// Returns the first word of the upper half.
#[inline(always)]
fn second_word(register: __m512i) -> i64 {
    instruction!(_mm_cvtsi128_si64(_mm512_extracti32x4_epi32::<2>(register)))
}

/// Returns the lower 32 bits and the upper ones.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the upper ones follow")]
const fn two_words(word: i64) -> [i32; 2] {
    [word as i32, (word >> 32) as i32]
}
