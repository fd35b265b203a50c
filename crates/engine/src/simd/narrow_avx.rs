use std::arch::x86_64::{
    __m128i, __m256i, _mm_cvtepu16_epi64, _mm_cvtsi32_si128, _mm_loadu_si128, _mm_madd_epi16, _mm_or_si128,
    _mm_set1_epi32, _mm_setr_epi8, _mm_setzero_si128, _mm_shuffle_epi8, _mm_slli_epi64, _mm_unpackhi_epi32,
    _mm_unpacklo_epi32, _mm256_add_epi8, _mm256_add_epi64, _mm256_castsi128_si256, _mm256_extract_epi64,
    _mm256_inserti128_si256, _mm256_mul_epi32, _mm256_permute4x64_epi64, _mm256_popcnt_epi64, _mm256_sad_epu8,
    _mm256_set1_epi32, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_sll_epi64,
    _mm256_sllv_epi64, _mm256_srl_epi64, _mm256_srlv_epi64,
};
use std::marker::PhantomData;

use super::loops::{Loops, V3, V4};
use super::narrow::{STRIDE, shift, unfold};
use super::registers::Bits;
use super::{Sets, Weight};
use crate::layer::{EIGHT, Inputs, Layer, Views};

/// Both sides' sets of a narrow board in one register: the words of the first side, then those of the second.
#[derive(Clone, Copy, Debug)]
pub struct Wide<F> {
    words: __m256i,
    level: PhantomData<F>,
}

/// A CPU level with its way to count bits.
pub trait Level: Loops {
    /// Counts the bits of each word.
    fn counts(words: __m256i) -> __m256i;
}

impl Level for V3 {
    #[inline(always)]
    fn counts(words: __m256i) -> __m256i {
        instruction!(_mm256_sad_epu8(words.counts_to_weigh(), _mm256_setzero_si256()))
    }
}

impl Level for V4 {
    #[inline(always)]
    fn counts(words: __m256i) -> __m256i {
        instruction!(_mm256_popcnt_epi64(words))
    }
}

/// Packs rows into two words.
#[inline(always)]
fn fold(rows: &[u16; 16]) -> __m128i {
    let none = instruction!(_mm_setzero_si128());
    let first = instruction!(_mm_loadu_si128(rows.as_ptr().cast::<__m128i>()));
    // Two even rows, two odd ones, two even ones, two odd ones, each pair packed: the first is multiplied by 1.
    let order = instruction!(_mm_setr_epi8(0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15));
    let pairs = instruction!(_mm_shuffle_epi8(first, order));
    let pairs = instruction!(_mm_madd_epi16(pairs, _mm_set1_epi32(1 | 1 << (16 + STRIDE))));
    let last = instruction!(_mm_cvtsi32_si128(i32::from(rows[8]) | i32::from(rows[9]) << 16));
    let [low, middle, high] = [
        instruction!(_mm_unpacklo_epi32(pairs, none)),
        instruction!(_mm_slli_epi64::<24>(_mm_unpackhi_epi32(pairs, none))),
        instruction!(_mm_slli_epi64::<48>(_mm_cvtepu16_epi64(last))),
    ];
    instruction!(_mm_or_si128(_mm_or_si128(low, middle), high))
}

impl<F: Level> Wide<F> {
    #[inline(always)]
    const fn new(words: __m256i) -> Self {
        Self { words, level: PhantomData }
    }

    /// Shifts towards the higher bits, or the lower ones if negative.
    #[inline(always)]
    fn shift(self, columns: i32) -> Self {
        let count = instruction!(_mm_cvtsi32_si128(columns.abs()));
        Self::new(if columns < 0 {
            instruction!(_mm256_srl_epi64(self.words, count))
        } else {
            instruction!(_mm256_sll_epi64(self.words, count))
        })
    }

    /// Exchanges the words of each side.
    #[inline(always)]
    fn exchanged(self) -> __m256i {
        instruction!(_mm256_shuffle_epi32::<0b01_00_11_10>(self.words))
    }
}

/// Shifts for the even rows and for the odd ones.
#[inline(always)]
fn by_word(even: i32, odd: i32) -> __m256i {
    let (even, odd) = (i64::from(even), i64::from(odd));
    instruction!(_mm256_setr_epi64x(even, odd, even, odd))
}

impl<F: Level> Sets for Wide<F> {
    type Layout = [u16; 16];
    type Sum = __m256i;
    type Tally = __m256i;

    const MAX_LINE: u32 = STRIDE - 1;

    #[inline(always)]
    fn pair(first: &[u16; 16], second: &[u16; 16]) -> Self {
        let first = instruction!(_mm256_castsi128_si256(fold(first)));
        Self::new(instruction!(_mm256_inserti128_si256::<1>(first, fold(second))))
    }

    #[inline(always)]
    fn unpair(self) -> [[u16; 16]; 2] {
        let mut words = [0; 4];
        self.words.store(&mut words);
        let [first, first_odd, second, second_odd] = words;
        [unfold([first, first_odd]), unfold([second, second_odd])]
    }

    /// None: the unused bits stop what leaves the board.
    #[inline(always)]
    fn edges() -> [Self; 4] {
        [Self::new(__m256i::zero()); 4]
    }

    inlined! {
        and(self, other) = Self::new(self.words.and(other.words));
        or(self, other) = Self::new(self.words.or(other.words));
        xor(self, other) = Self::new(self.words.xor(other.words));
        without(self, other) = Self::new(self.words.without(other.words));
        plus(self, other) = Self::new(instruction!(_mm256_add_epi64(self.words, other.words)));
        swap(self) = Self::new(instruction!(_mm256_permute4x64_epi64::<0b01_00_11_10>(self.words)));
        right<const N: u32>(self) = self.shift(N.cast_signed());
        left<const N: u32>(self) = self.shift(-N.cast_signed());
        down(self) = self.roll_down::<0, 1>();
        up(self) = self.roll_up::<0, 1>();
        lean_right(self) = self;
        lean_left(self) = self;
    }

    #[inline(always)]
    fn roll_down<const LEAN: i32, const N: usize>(self) -> Self {
        if N > 1 {
            return self.shift(shift(N, LEAN).cast_signed());
        }
        let (even, back) = if LEAN < 0 { (0, LEAN) } else { (LEAN, 0) };
        let shifts = by_word(even + STRIDE.cast_signed(), even);
        Self::new(instruction!(_mm256_sllv_epi64(self.exchanged(), shifts))).shift(back)
    }

    #[inline(always)]
    fn roll_up<const LEAN: i32, const N: usize>(self) -> Self {
        if N > 1 {
            return self.shift(-shift(N, LEAN).cast_signed());
        }
        let (odd, back) = if LEAN < 0 { (0, -LEAN) } else { (LEAN, 0) };
        let shifts = by_word(odd, odd + STRIDE.cast_signed());
        Self::new(instruction!(_mm256_srlv_epi64(self.exchanged(), shifts))).shift(back)
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.words.is_empty()
    }

    #[inline(always)]
    fn zero() -> __m256i {
        Bits::zero()
    }

    #[inline(always)]
    fn weigh(sum: __m256i, set: Self, weight: Weight) -> __m256i {
        let weight = instruction!(_mm256_set1_epi32(weight.get()));
        instruction!(_mm256_add_epi64(sum, _mm256_mul_epi32(F::counts(set.words), weight)))
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "sums are small")]
    fn total(sum: __m256i) -> [i32; 2] {
        let sums = instruction!(_mm256_add_epi64(sum, _mm256_shuffle_epi32::<0b01_00_11_10>(sum)));
        [instruction!(_mm256_extract_epi64::<0>(sums)) as i32, instruction!(_mm256_extract_epi64::<2>(sums)) as i32]
    }

    #[inline(always)]
    fn no_tally() -> __m256i {
        Bits::zero()
    }

    #[inline(always)]
    fn tally(tally: __m256i, set: Self, place: u32) -> __m256i {
        tally.or(Self::new(F::counts(set.words)).shift(8 * place.cast_signed()).words)
    }

    /// A board has fewer cells than [`Network::MAX_COUNT`](crate::Network::MAX_COUNT).
    #[inline(always)]
    fn counts(tally: __m256i) -> [[u8; EIGHT]; 2] {
        let all = instruction!(_mm256_add_epi8(tally, _mm256_shuffle_epi32::<0b01_00_11_10>(tally)));
        [instruction!(_mm256_extract_epi64::<0>(all)), instruction!(_mm256_extract_epi64::<2>(all))]
            .map(i64::to_le_bytes)
    }

    #[inline(always)]
    fn sums(layer: &Layer, inputs: &Inputs) -> Views {
        F::sums(layer, inputs)
    }
}
