use std::fmt::Debug;

use super::Weight;
use super::network::Neurons;
use crate::layer::EIGHT;

/// A vector register, or two values of such a type that form one of twice the size.
///
/// Values exist only in code entered after these instructions were detected.
pub trait Bits: Copy + Debug {
    /// The register that sums counts.
    type Register: Register;
    /// The size in bytes.
    const BYTES: usize;

    /// Returns no bit at all.
    fn zero() -> Self;
    /// Loads plain numbers that fill it.
    fn load<T: Copy>(memory: &[T]) -> Self;
    /// Stores it in place of plain numbers.
    fn store<T: Copy>(self, memory: &mut [T]);
    /// Returns the bits in both.
    fn and(self, other: Self) -> Self;
    /// Returns the bits in either.
    fn or(self, other: Self) -> Self;
    /// Returns the bits in exactly one.
    fn xor(self, other: Self) -> Self;
    /// Returns the bits that are not in the other.
    fn without(self, other: Self) -> Self;
    /// Returns whether no bit is set.
    fn is_empty(self) -> bool;
    /// Returns `self` shifted by `bytes`, a power of two, towards `next`, which follows it.
    fn later(self, next: Self, bytes: usize) -> Self;
    /// Returns `self` shifted by `bytes`, a power of two, towards `previous`, which precedes it.
    fn earlier(self, previous: Self, bytes: usize) -> Self;
    /// Counts bits for [`Register::weigh`].
    fn counts_to_weigh(self) -> Self::Register;
    /// Counts bits for [`Register::tally`].
    fn counts_to_tally(self) -> Self::Register;
}

/// Operations on the rows of a set; each row is a `W`.
pub trait Lanes<W: 'static>: Bits {
    /// The arguments of [`Lanes::turn`] that rotate each row right or left by its number.
    const LEANS: [&'static [W]; 2];

    /// Adds rows as numbers, dropping the last carry.
    fn plus(self, other: Self) -> Self;
    /// Shifts by columns towards the higher ones.
    fn right(self, columns: u32) -> Self;
    /// Shifts by columns towards the lower ones.
    fn left(self, columns: u32) -> Self;
    /// Rotates each row by its entry of [`Lanes::LEANS`].
    fn turn(self, turns: &[W]) -> Self;
}

/// Sums of counts, or of a network's neurons, in one register.
pub trait Register: Bits<Register = Self> + Neurons {
    /// Adds two counts of different bits.
    fn add_counts(self, other: Self) -> Self;
    /// Adds counts times a weight to sums.
    fn weigh(self, counts: Self, weight: Weight) -> Self;
    /// Returns the total of sums.
    fn total(self) -> i32;
    /// Adds the bit counts of a set to the empty place `place` of eight; `most` is the largest count in 64 bits.
    fn tally(self, counts: Self, place: u32, most: usize) -> Self;
    /// Returns the counts of a tally, capped at [`Network::MAX_COUNT`].
    /// [`Network::MAX_COUNT`]: crate::Network::MAX_COUNT
    fn counts(self) -> [u8; EIGHT];
}

/// Two values as one of twice the size.
#[derive(Clone, Copy, Debug)]
pub struct Pair<A>(pub(super) A, pub(super) A);

impl<A: Bits> Bits for Pair<A> {
    type Register = A::Register;
    const BYTES: usize = 2 * A::BYTES;

    inlined! {
        zero() = Self(A::zero(), A::zero());
        and(self, other) = Self(self.0.and(other.0), self.1.and(other.1));
        or(self, other) = Self(self.0.or(other.0), self.1.or(other.1));
        xor(self, other) = Self(self.0.xor(other.0), self.1.xor(other.1));
        without(self, other) = Self(self.0.without(other.0), self.1.without(other.1));
    }

    #[inline(always)]
    fn load<T: Copy>(memory: &[T]) -> Self {
        let (first, second) = memory.split_at(memory.len() / 2);
        Self(A::load(first), A::load(second))
    }

    #[inline(always)]
    fn store<T: Copy>(self, memory: &mut [T]) {
        let (first, second) = memory.split_at_mut(memory.len() / 2);
        self.0.store(first);
        self.1.store(second);
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0.or(self.1).is_empty()
    }

    #[inline(always)]
    fn later(self, next: Self, bytes: usize) -> Self {
        if bytes == Self::BYTES { next } else { Self(self.0.later(self.1, bytes), self.1.later(next.0, bytes)) }
    }

    #[inline(always)]
    fn earlier(self, previous: Self, bytes: usize) -> Self {
        if bytes == Self::BYTES {
            previous
        } else {
            Self(self.0.earlier(previous.1, bytes), self.1.earlier(self.0, bytes))
        }
    }

    #[inline(always)]
    fn counts_to_weigh(self) -> A::Register {
        self.0.counts_to_weigh().add_counts(self.1.counts_to_weigh())
    }

    #[inline(always)]
    fn counts_to_tally(self) -> A::Register {
        self.0.counts_to_tally().add_counts(self.1.counts_to_tally())
    }
}

impl<W: 'static, A: Lanes<W>> Lanes<W> for Pair<A> {
    const LEANS: [&'static [W]; 2] = A::LEANS;

    inlined! {
        plus(self, other) = Self(self.0.plus(other.0), self.1.plus(other.1));
    }

    #[inline(always)]
    fn right(self, columns: u32) -> Self {
        Self(self.0.right(columns), self.1.right(columns))
    }

    #[inline(always)]
    fn left(self, columns: u32) -> Self {
        Self(self.0.left(columns), self.1.left(columns))
    }

    #[inline(always)]
    fn turn(self, turns: &[W]) -> Self {
        let (first, second) = turns.split_at(turns.len() / 2);
        Self(self.0.turn(first), self.1.turn(second))
    }
}

/// For each row the bits to rotate left by: a multiple of its number. One less than a full turn rotates right.
#[expect(clippy::cast_possible_truncation, reason = "boards are small")]
pub(super) const fn turns<const ROWS: usize>(factor: usize) -> [u32; ROWS] {
    let mut turns = [0; ROWS];
    let mut row = 0;
    while row < ROWS {
        turns[row] = (row * factor % ROWS) as u32;
        row += 1;
    }
    turns
}
