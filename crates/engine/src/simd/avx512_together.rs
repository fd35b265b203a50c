use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi128_si64, _mm256_loadu_si256, _mm256_storeu_si256, _mm512_add_epi16, _mm512_add_epi32,
    _mm512_adds_epu8, _mm512_castsi256_si512, _mm512_castsi512_si128, _mm512_castsi512_si256,
    _mm512_extracti32x4_epi32, _mm512_extracti64x4_epi64, _mm512_inserti64x4, _mm512_mask_reduce_add_epi32,
    _mm512_maskz_permutexvar_epi16, _mm512_min_epu8, _mm512_permutexvar_epi16, _mm512_set1_epi8, _mm512_shldv_epi16,
    _mm512_shuffle_epi32, _mm512_shuffle_i64x2, _mm512_slli_epi16, _mm512_srli_epi16, _mm512_unpackhi_epi32,
    _mm512_unpacklo_epi32,
};

use super::registers::{Bits, Register};
use super::{Sets, Weight, network};
use crate::Network;
use crate::layer::{EIGHT, Inputs, Layer, Views};

/// Both sides' sets of a grid of 16 rows in one register, the first side in the lower half.
///
/// Values exist only in code entered after these instructions were detected.
#[derive(Clone, Copy, Debug)]
pub struct Together(__m512i);

/// A number for each lane of 16 bits.
#[repr(align(64))]
struct Lanes([u16; 32]);

impl Lanes {
    /// The lanes of the same half, `rows` rows further on.
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

    /// The bits to rotate left by: a multiple of the row's number.
    const fn lean(factor: usize) -> Self {
        let mut lanes = [0; 32];
        let mut at = 0;
        while at < 32 {
            #[expect(clippy::cast_possible_truncation, reason = "below 16")]
            let turns = (at * factor % 16) as u16;
            lanes[at] = turns;
            at += 1;
        }
        Self(lanes)
    }

    #[inline(always)]
    fn load(&self) -> __m512i {
        __m512i::load(&self.0)
    }
}

struct Roll<const N: usize>;

impl<const N: usize> Roll<N> {
    /// Rotating by 64 changes nothing.
    const DOWN: &Lanes = &Lanes::roll(64 - N);
    const UP: &Lanes = &Lanes::roll(N);
}

const LEAN_RIGHT: &Lanes = &Lanes::lean(1);
/// Rotating right by one less than the number of columns rotates left by one.
const LEAN_LEFT: &Lanes = &Lanes::lean(15);

impl Sets for Together {
    type Layout = [u16; 16];
    type Sum = __m512i;
    type Tally = __m512i;

    inlined! {
        and(self, other) = Self(self.0.and(other.0));
        or(self, other) = Self(self.0.or(other.0));
        xor(self, other) = Self(self.0.xor(other.0));
        without(self, other) = Self(self.0.without(other.0));
        plus(self, other) = Self(instruction!(_mm512_add_epi16(self.0, other.0)));
        swap(self) = Self(instruction!(_mm512_shuffle_i64x2::<0b01_00_11_10>(self.0, self.0)));
        right<const N: u32>(self) = Self(instruction!(_mm512_slli_epi16::<N>(self.0)));
        left<const N: u32>(self) = Self(instruction!(_mm512_srli_epi16::<N>(self.0)));
        down(self) =
            Self(instruction!(_mm512_maskz_permutexvar_epi16(0xfffe_fffe, Roll::<1>::DOWN.load(), self.0)));
        up(self) = Self(instruction!(_mm512_maskz_permutexvar_epi16(0x7fff_7fff, Roll::<1>::UP.load(), self.0)));
        roll_down<const LEAN: i32, const N: usize>(self) =
            Self(instruction!(_mm512_permutexvar_epi16(Roll::<N>::DOWN.load(), self.0)));
        roll_up<const LEAN: i32, const N: usize>(self) = Self(instruction!(_mm512_permutexvar_epi16(Roll::<N>::UP.load(), self.0)));
        lean_right(self) = Self(instruction!(_mm512_shldv_epi16(self.0, self.0, LEAN_RIGHT.load())));
        lean_left(self) = Self(instruction!(_mm512_shldv_epi16(self.0, self.0, LEAN_LEFT.load())));
    }

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
    fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    fn zero() -> __m512i {
        Bits::zero()
    }

    #[inline(always)]
    fn weigh(sum: __m512i, set: Self, weight: Weight) -> __m512i {
        sum.weigh(set.0.counts_to_weigh(), weight)
    }

    #[inline(always)]
    fn total(sum: __m512i) -> [i32; 2] {
        let first = instruction!(_mm512_mask_reduce_add_epi32(0x00ff, sum));
        let second = instruction!(_mm512_mask_reduce_add_epi32(0xff00, sum));
        [first, second]
    }

    #[inline(always)]
    fn totals([one, other]: [__m512i; 2]) -> [[i32; 2]; 2] {
        // The sums alternate, those of the first side in the lower half.
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
    fn tally(tally: __m512i, set: Self, place: u32) -> __m512i {
        tally.tally(set.0.counts_to_tally(), place, 64)
    }

    #[inline(always)]
    fn counts(tally: __m512i) -> [[u8; EIGHT]; 2] {
        // Each side has four of the eight words.
        let pairs = instruction!(_mm512_adds_epu8(tally, _mm512_shuffle_epi32::<0b01_00_11_10>(tally)));
        let all = instruction!(_mm512_adds_epu8(pairs, _mm512_shuffle_i64x2::<0b10_11_00_01>(pairs, pairs)));
        let limit = instruction!(_mm512_set1_epi8(Network::MAX_COUNT.cast_signed()));
        let all = instruction!(_mm512_min_epu8(all, limit));
        [first_word(all).to_le_bytes(), second_word(all).to_le_bytes()]
    }

    #[inline(always)]
    fn sums(layer: &Layer, inputs: &Inputs) -> Views {
        network::sums::<__m512i>(layer, inputs)
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
