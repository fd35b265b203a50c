use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32, _mm256_adds_epu8,
    _mm256_alignr_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_extract_epi64, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_min_epu8, _mm256_min_epu16, _mm256_mulhi_epu16, _mm256_mullo_epi16,
    _mm256_or_si256, _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_sad_epu8, _mm256_set1_epi8,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_shuffle_epi32,
    _mm256_sll_epi16, _mm256_sll_epi32, _mm256_sll_epi64, _mm256_sllv_epi32, _mm256_srl_epi16, _mm256_srl_epi32,
    _mm256_srli_epi16, _mm256_srlv_epi32, _mm256_storeu_si256, _mm256_sub_epi32, _mm256_testz_si256, _mm256_xor_si256,
};

use super::Weight;
use super::registers::{Bits, Lanes, Register, turns};
use crate::Network;
use crate::layer::EIGHT;

/// For each row, 2 to the power of the bits to rotate left by: the halves of the product form the rotated row.
const fn factors(factor: usize) -> [u16; 16] {
    let mut factors = [1; 16];
    let mut row = 0;
    while row < 16 {
        factors[row] <<= turns::<16>(factor)[row];
        row += 1;
    }
    factors
}

impl Bits for __m256i {
    type Register = Self;
    const BYTES: usize = 32;

    inlined! {
        and(self, other) = instruction!(_mm256_and_si256(self, other));
        or(self, other) = instruction!(_mm256_or_si256(self, other));
        xor(self, other) = instruction!(_mm256_xor_si256(self, other));
        without(self, other) = instruction!(_mm256_andnot_si256(other, self));
        zero() = instruction!(_mm256_setzero_si256());
    }

    #[inline(always)]
    fn load<T: Copy>(memory: &[T]) -> Self {
        assert!(size_of_val(memory) == Self::BYTES, "a register is loaded as a whole");
        instruction!(_mm256_loadu_si256(memory.as_ptr().cast::<Self>()))
    }

    #[inline(always)]
    fn store<T: Copy>(self, memory: &mut [T]) {
        assert!(size_of_val(memory) == Self::BYTES, "a register is stored as a whole");
        instruction!(_mm256_storeu_si256(memory.as_mut_ptr().cast::<Self>(), self));
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        instruction!(_mm256_testz_si256(self, self)) == 1
    }

    #[inline(always)]
    fn later(self, next: Self, bytes: usize) -> Self {
        let middle = instruction!(_mm256_permute2x128_si256::<0x21>(self, next));
        match bytes {
            2 => instruction!(_mm256_alignr_epi8::<2>(middle, self)),
            4 => instruction!(_mm256_alignr_epi8::<4>(middle, self)),
            8 => instruction!(_mm256_alignr_epi8::<8>(middle, self)),
            16 => middle,
            _ => next,
        }
    }

    #[inline(always)]
    fn earlier(self, previous: Self, bytes: usize) -> Self {
        let middle = instruction!(_mm256_permute2x128_si256::<0x21>(previous, self));
        match bytes {
            2 => instruction!(_mm256_alignr_epi8::<14>(self, middle)),
            4 => instruction!(_mm256_alignr_epi8::<12>(self, middle)),
            8 => instruction!(_mm256_alignr_epi8::<8>(self, middle)),
            16 => middle,
            _ => previous,
        }
    }

    /// Counts the bits of each byte.
    #[inline(always)]
    fn counts_to_weigh(self) -> Self {
        /// The number of bits in each number below 16, for both halves of a register.
        const COUNTS: &[u8; 32] =
            &[0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4];
        let table = Self::load(COUNTS);
        let nibble = instruction!(_mm256_set1_epi8(0x0f));
        let high = instruction!(_mm256_srli_epi16::<4>(self)).and(nibble);
        let low = instruction!(_mm256_shuffle_epi8(table, self.and(nibble)));
        low.add_counts(instruction!(_mm256_shuffle_epi8(table, high)))
    }

    #[inline(always)]
    fn counts_to_tally(self) -> Self {
        self.counts_to_weigh()
    }
}

impl Lanes<u16> for __m256i {
    const LEANS: [&'static [u16]; 2] = [&factors(1), &factors(15)];

    inlined! {
        plus(self, other) = instruction!(_mm256_add_epi16(self, other));
    }

    #[inline(always)]
    fn right(self, columns: u32) -> Self {
        instruction!(_mm256_sll_epi16(self, _mm_cvtsi32_si128(columns.cast_signed())))
    }

    #[inline(always)]
    fn left(self, columns: u32) -> Self {
        instruction!(_mm256_srl_epi16(self, _mm_cvtsi32_si128(columns.cast_signed())))
    }

    #[inline(always)]
    fn turn(self, factors: &[u16]) -> Self {
        let factors = Self::load(factors);
        let low = instruction!(_mm256_mullo_epi16(self, factors));
        low.or(instruction!(_mm256_mulhi_epu16(self, factors)))
    }
}

impl Lanes<u32> for __m256i {
    const LEANS: [&'static [u32]; 2] = [&turns::<32>(1), &turns::<32>(31)];

    inlined! {
        plus(self, other) = instruction!(_mm256_add_epi32(self, other));
    }

    #[inline(always)]
    fn right(self, columns: u32) -> Self {
        instruction!(_mm256_sll_epi32(self, _mm_cvtsi32_si128(columns.cast_signed())))
    }

    #[inline(always)]
    fn left(self, columns: u32) -> Self {
        instruction!(_mm256_srl_epi32(self, _mm_cvtsi32_si128(columns.cast_signed())))
    }

    #[inline(always)]
    fn turn(self, turns: &[u32]) -> Self {
        let left = Self::load(turns);
        // A shift by all 32 bits clears the row.
        let right = instruction!(_mm256_sub_epi32(_mm256_set1_epi32(32), left));
        instruction!(_mm256_sllv_epi32(self, left)).or(instruction!(_mm256_srlv_epi32(self, right)))
    }
}

impl Register for __m256i {
    inlined! {
        add_counts(self, other) = instruction!(_mm256_add_epi8(self, other));
    }

    #[inline(always)]
    fn weigh(self, counts: Self, weight: Weight) -> Self {
        let counts = instruction!(_mm256_maddubs_epi16(counts, _mm256_set1_epi8(1)));
        let products = instruction!(_mm256_madd_epi16(counts, _mm256_set1_epi32(weight.packed())));
        instruction!(_mm256_add_epi32(self, products))
    }

    #[inline(always)]
    fn total(self) -> i32 {
        let mut lanes = [0; 8];
        self.store(&mut lanes);
        lanes.iter().sum()
    }

    #[inline(always)]
    fn tally(self, counts: Self, place: u32, most: usize) -> Self {
        let mut sums = instruction!(_mm256_sad_epu8(counts, _mm256_setzero_si256()));
        // Every place has one byte; counts above 255 are capped.
        if most > 255 {
            sums = instruction!(_mm256_min_epu16(sums, _mm256_set1_epi16(255)));
        }
        self.or(instruction!(_mm256_sll_epi64(sums, _mm_cvtsi32_si128(8 * place.cast_signed()))))
    }

    #[inline(always)]
    fn counts(self) -> [u8; EIGHT] {
        let halves = instruction!(_mm256_adds_epu8(self, _mm256_permute4x64_epi64::<0b01_00_11_10>(self)));
        let all = instruction!(_mm256_adds_epu8(halves, _mm256_shuffle_epi32::<0b01_00_11_10>(halves)));
        let limit = instruction!(_mm256_set1_epi8(Network::MAX_COUNT.cast_signed()));
        instruction!(_mm256_extract_epi64::<0>(_mm256_min_epu8(all, limit))).to_le_bytes()
    }
}
