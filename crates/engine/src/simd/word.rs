use std::fmt::Debug;

/// The bits of one row of a grid; bit c is column c.
pub trait Word: Copy + Eq + Default + Debug + Send + Sync + 'static {
    /// The number of columns.
    const COLUMNS: u32;

    /// Returns the word with one bit set.
    fn bit(column: u32) -> Self;
    /// Returns the bits that are in both.
    fn and(self, other: Self) -> Self;
    /// Returns the bits that are in either.
    fn or(self, other: Self) -> Self;
    /// Returns the bits that are in exactly one.
    fn xor(self, other: Self) -> Self;
    /// Returns the bits that are not set.
    fn not(self) -> Self;
    /// Returns the bits one or more columns further right, that is, higher.
    fn higher(self, columns: u32) -> Self;
    /// Returns the bits one or more columns further left, that is, lower.
    fn lower(self, columns: u32) -> Self;
    /// Returns the bits turned towards the higher columns, those that leave coming back at column 0.
    fn turned(self, columns: u32) -> Self;
    /// Returns the sum of two words as numbers, without its carry.
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
            fn and(self, other: Self) -> Self {
                self & other
            }
            #[inline(always)]
            fn or(self, other: Self) -> Self {
                self | other
            }
            #[inline(always)]
            fn xor(self, other: Self) -> Self {
                self ^ other
            }
            #[inline(always)]
            fn not(self) -> Self {
                !self
            }
            #[inline(always)]
            fn higher(self, columns: u32) -> Self {
                self << columns
            }
            #[inline(always)]
            fn lower(self, columns: u32) -> Self {
                self >> columns
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
