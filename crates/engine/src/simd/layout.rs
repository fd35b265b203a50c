use super::loops::Base;
use super::narrow::Words;
use super::plain::Plain;
use super::{Family, Layout};

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::{__m256i, __m512i};

#[cfg(target_arch = "x86_64")]
use super::{
    avx512_together::Together,
    loops::{V3, V4},
    narrow_avx::Wide,
    registers::Pair,
    sides::Sides,
};

/// The sets of boards that fit [`NARROW`], kept in the smallest layout.
#[derive(Clone, Copy, Debug)]
pub struct Narrow;

impl Family for Narrow {
    type Layout = [u16; 16];
    type Portable = Words;
    #[cfg(target_arch = "x86_64")]
    type Avx2 = Wide<V3>;
    #[cfg(target_arch = "x86_64")]
    type Avx512 = Wide<V4>;
}

macro_rules! layout {
    ($word:ty, $side:literal, $narrow:ty, $avx2:ty, $avx512:ty) => {
        impl Family for [$word; $side] {
            type Layout = Self;
            type Portable = Plain<$word, $side, Base>;
            #[cfg(target_arch = "x86_64")]
            type Avx2 = $avx2;
            #[cfg(target_arch = "x86_64")]
            type Avx512 = $avx512;
        }

        impl Layout for [$word; $side] {
            type Word = $word;
            type Narrow = $narrow;

            const SIDE: u32 = $side;
            const EMPTY: Self = [0; $side];
            const EDGES: [Self; 4] = {
                let (mut top, mut bottom) = ([0; $side], [0; $side]);
                top[0] = <$word>::MAX;
                bottom[$side - 1] = <$word>::MAX;
                [top, bottom, [1; $side], [1 << ($side - 1); $side]]
            };

            #[inline(always)]
            fn rows(&self) -> &[$word] {
                self
            }

            #[inline(always)]
            fn rows_mut(&mut self) -> &mut [$word] {
                self
            }
        }
    };
}

layout!(u16, 16, Narrow, Sides<Self, __m256i>, Together);
layout!(u32, 32, Self, Sides<Self, Pair<Pair<__m256i>>>, Sides<Self, Pair<__m512i>>);
layout!(u64, 64, Self, Plain<u64, 64, V3>, Plain<u64, 64, V4>);
