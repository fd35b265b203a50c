use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_min_epu8, _mm_set1_epi8, _mm512_add_epi16, _mm512_add_epi32,
    _mm512_adds_epu8, _mm512_alignr_epi32, _mm512_and_si512, _mm512_andnot_si512, _mm512_castsi512_si128,
    _mm512_dpwssd_epi32, _mm512_loadu_si512, _mm512_or_si512, _mm512_popcnt_epi16, _mm512_popcnt_epi64,
    _mm512_reduce_add_epi32, _mm512_rolv_epi32, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_shuffle_epi32,
    _mm512_shuffle_i64x2, _mm512_sll_epi32, _mm512_sll_epi64, _mm512_srl_epi32, _mm512_storeu_si512,
    _mm512_test_epi64_mask, _mm512_xor_si512,
};

use super::Weight;
use super::registers::{Bits, Lanes, Register, turns};
use crate::Network;
use crate::layer::EIGHT;

impl Bits for __m512i {
    type Register = Self;
    const BYTES: usize = 64;

    inlined! {
        and(self, other) = instruction!(_mm512_and_si512(self, other));
        or(self, other) = instruction!(_mm512_or_si512(self, other));
        xor(self, other) = instruction!(_mm512_xor_si512(self, other));
        without(self, other) = instruction!(_mm512_andnot_si512(other, self));
        zero() = instruction!(_mm512_setzero_si512());
        counts_to_weigh(self) = instruction!(_mm512_popcnt_epi16(self));
        counts_to_tally(self) = instruction!(_mm512_popcnt_epi64(self));
    }

    #[inline(always)]
    fn load<T: Copy>(memory: &[T]) -> Self {
        assert!(size_of_val(memory) == Self::BYTES, "a register is loaded as a whole");
        instruction!(_mm512_loadu_si512(memory.as_ptr().cast::<Self>()))
    }

    #[inline(always)]
    fn store<T: Copy>(self, memory: &mut [T]) {
        assert!(size_of_val(memory) == Self::BYTES, "a register is stored as a whole");
        instruction!(_mm512_storeu_si512(memory.as_mut_ptr().cast::<Self>(), self));
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        instruction!(_mm512_test_epi64_mask(self, self)) == 0
    }

    #[inline(always)]
    fn later(self, next: Self, bytes: usize) -> Self {
        match bytes {
            4 => instruction!(_mm512_alignr_epi32::<1>(next, self)),
            8 => instruction!(_mm512_alignr_epi32::<2>(next, self)),
            16 => instruction!(_mm512_alignr_epi32::<4>(next, self)),
            32 => instruction!(_mm512_alignr_epi32::<8>(next, self)),
            _ => next,
        }
    }

    #[inline(always)]
    fn earlier(self, previous: Self, bytes: usize) -> Self {
        match bytes {
            4 => instruction!(_mm512_alignr_epi32::<15>(self, previous)),
            8 => instruction!(_mm512_alignr_epi32::<14>(self, previous)),
            16 => instruction!(_mm512_alignr_epi32::<12>(self, previous)),
            32 => instruction!(_mm512_alignr_epi32::<8>(self, previous)),
            _ => previous,
        }
    }
}

impl Lanes<u32> for __m512i {
    const LEANS: [&'static [u32]; 2] = [&turns::<32>(1), &turns::<32>(31)];

    inlined! {
        plus(self, other) = instruction!(_mm512_add_epi32(self, other));
    }

    #[inline(always)]
    fn right(self, columns: u32) -> Self {
        instruction!(_mm512_sll_epi32(self, _mm_cvtsi32_si128(columns.cast_signed())))
    }

    #[inline(always)]
    fn left(self, columns: u32) -> Self {
        instruction!(_mm512_srl_epi32(self, _mm_cvtsi32_si128(columns.cast_signed())))
    }

    #[inline(always)]
    fn turn(self, turns: &[u32]) -> Self {
        instruction!(_mm512_rolv_epi32(self, Self::load(turns)))
    }
}

impl Register for __m512i {
    inlined! {
        add_counts(self, other) = instruction!(_mm512_add_epi16(self, other));
    }

    #[inline(always)]
    fn weigh(self, counts: Self, weight: Weight) -> Self {
        instruction!(_mm512_dpwssd_epi32(self, counts, _mm512_set1_epi32(weight.packed())))
    }

    #[inline(always)]
    fn total(self) -> i32 {
        instruction!(_mm512_reduce_add_epi32(self))
    }

    #[inline(always)]
    fn tally(self, counts: Self, place: u32, most: usize) -> Self {
        assert!(most < 256, "every place has a byte of its own");
        self.or(instruction!(_mm512_sll_epi64(counts, _mm_cvtsi32_si128(8 * place.cast_signed()))))
    }

    #[inline(always)]
    fn counts(self) -> [u8; EIGHT] {
        let halves = instruction!(_mm512_adds_epu8(self, _mm512_shuffle_i64x2::<0b01_00_11_10>(self, self)));
        let quarters = instruction!(_mm512_adds_epu8(halves, _mm512_shuffle_i64x2::<0b10_11_00_01>(halves, halves)));
        let all = instruction!(_mm512_adds_epu8(quarters, _mm512_shuffle_epi32::<0b01_00_11_10>(quarters)));
        let limit = instruction!(_mm_set1_epi8(Network::MAX_COUNT.cast_signed()));
        instruction!(_mm_cvtsi128_si64(_mm_min_epu8(_mm512_castsi512_si128(all), limit))).to_le_bytes()
    }
}
