use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Shl, Shr};

/// The bits of one row of a grid; bit c is column c, so a shift to the left moves to higher columns.
pub trait Word:
    Copy
    + Eq
    + Default
    + Debug
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The number of columns.
    const COLUMNS: u32;

    /// Returns the word with one bit set.
    fn bit(column: u32) -> Self;
    /// Returns the bits rotated towards the higher columns.
    fn turned(self, columns: u32) -> Self;
    /// Returns the sum of two words as numbers, dropping the carry.
    fn plus(self, other: Self) -> Self;
    /// Returns the number of set bits.
    fn count(self) -> u32;
    /// Returns the lowest set bit's column and the word without it.
    fn pop(self) -> Option<(u32, Self)>;
}

macro_rules! word {
    ($($word:ty),*) => {$(
        impl Word for $word {
            const COLUMNS: u32 = <$word>::BITS;

            #[inline(always)]
            fn bit(column: u32) -> Self {
                1 << column
            }
            #[inline(always)]
            fn turned(self, columns: u32) -> Self {
                self.rotate_left(columns)
            }
            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn count(self) -> u32 {
                self.count_ones()
            }
            #[inline(always)]
            fn pop(self) -> Option<(u32, Self)> {
                (self != 0).then(|| (self.trailing_zeros(), self & (self - 1)))
            }
        }
    )*};
}

word!(u16, u32, u64);
