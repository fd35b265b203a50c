use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};

/// A set of vertices of a [`Graph`](crate::Graph), by their indices: at most 64 for each of the `W` words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bits<const W: usize>([u64; W]);

impl<const W: usize> Bits<W> {
    /// The empty set.
    pub const EMPTY: Self = Self([0; W]);

    /// The number of vertices that fit into the set.
    pub const CAPACITY: usize = W * 64;

    /// Makes a set of its words, the lowest indices first.
    pub const fn from_words(words: [u64; W]) -> Self {
        Self(words)
    }

    /// Returns the words of the set, the lowest indices first.
    pub const fn words(self) -> [u64; W] {
        self.0
    }

    /// Returns the set of one vertex. Panics when the index is at least [`Bits::CAPACITY`].
    #[inline]
    pub const fn single(index: usize) -> Self {
        let mut words = [0; W];
        words[index / 64] = 1 << (index % 64);
        Self(words)
    }

    /// Returns whether the vertex is in the set. Panics when the index is at least [`Bits::CAPACITY`].
    #[inline]
    pub const fn contains(self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    /// Returns whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self == Self::EMPTY
    }

    /// Returns whether two sets share a vertex.
    #[inline]
    pub fn meets(self, other: Self) -> bool {
        !(self & other).is_empty()
    }

    /// Returns the number of vertices.
    #[inline]
    pub fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Returns the lowest index.
    #[inline]
    pub fn lowest(self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    /// Returns all indices below the lowest one of the set; all indices if it is empty.
    #[must_use]
    #[inline]
    pub fn below_lowest(self) -> Self {
        // Counting down borrows through empty words and stops in the word with the lowest bit.
        let mut borrow = true;
        Self(self.0.map(|word| {
            let below = if borrow { word.wrapping_sub(1) & !word } else { 0 };
            borrow &= word == 0;
            below
        }))
    }

    /// Returns all indices above the highest one of the set; all indices if it is empty.
    #[must_use]
    #[inline]
    pub fn above_highest(self) -> Self {
        let mut above = [0; W];
        for (above, &word) in above.iter_mut().zip(&self.0).rev() {
            *above = !u64::MAX.checked_shr(word.leading_zeros()).unwrap_or(0);
            if word != 0 {
                break;
            }
        }
        Self(above)
    }
}

impl<const W: usize> Iterator for Bits<W> {
    type Item = usize;

    /// Takes the lowest index out of the set.
    #[inline]
    fn next(&mut self) -> Option<usize> {
        let index = self.lowest()?;
        let word = &mut self.0[index / 64];
        *word &= *word - 1;
        Some(index)
    }
}

impl<const W: usize> FromIterator<usize> for Bits<W> {
    fn from_iter<I: IntoIterator<Item = usize>>(indices: I) -> Self {
        indices.into_iter().fold(Self::EMPTY, |set, index| set | Self::single(index))
    }
}

impl<const W: usize> Not for Bits<W> {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        Self(self.0.map(|word| !word))
    }
}

macro_rules! word_by_word {
    ($($operator:ident $method:ident $assigning:ident $assign:ident |$left:ident, $right:ident| $word:expr;)*) => {$(
        impl<const W: usize> $operator for Bits<W> {
            type Output = Self;

            #[inline]
            fn $method(mut self, other: Self) -> Self {
                self.$assign(other);
                self
            }
        }

        impl<const W: usize> $assigning for Bits<W> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                for (word, &$right) in self.0.iter_mut().zip(&other.0) {
                    let $left = *word;
                    *word = $word;
                }
            }
        }
    )*};
}

word_by_word! {
    BitAnd bitand BitAndAssign bitand_assign |left, right| left & right;
    BitOr bitor BitOrAssign bitor_assign |left, right| left | right;
    BitXor bitxor BitXorAssign bitxor_assign |left, right| left ^ right;
    Sub sub SubAssign sub_assign |left, right| left & !right;
}
