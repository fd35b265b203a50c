use super::loops::{Base, Loops};
use super::{Sets, Weight};
use crate::layer::{EIGHT, Inputs, Layer, Views};

/// The largest board whose sets fit two words each: rows and columns.
///
/// A set is two words, the even rows in the first and the odd ones in the second, from the lowest bits. The rows of a
/// word follow each other at [`STRIDE`] bits: the bit that no column uses stops whatever leaves a row at its end. So a
/// step to the next row exchanges the words and shifts one of them, and a step of 2, 4 or 8 rows is one shift, for
/// diagonals as well: no rows are skewed.
pub(crate) const NARROW: [u32; 2] = [10, STRIDE - 1];

/// The bits of a row, with the unused one.
pub(super) const STRIDE: u32 = 12;
/// The rows of a word.
const PAIRS: usize = NARROW[0] as usize / 2;

/// The bits that a step of `rows`, 2 or more, shifts by along lines that gain `lean` columns with each row.
#[inline(always)]
pub(super) const fn shift(rows: usize, lean: i32) -> u32 {
    STRIDE.wrapping_add_signed(2 * lean) << (rows.trailing_zeros() - 1)
}

/// Packs rows into two words.
#[inline(always)]
fn fold(rows: &[u16; 16]) -> [u64; 2] {
    let (pairs, _) = rows.as_chunks();
    let mut words = [0; 2];
    for (place, &[even, odd]) in (0..).step_by(STRIDE as usize).zip(&pairs[..PAIRS]) {
        words[0] |= u64::from(even) << place;
        words[1] |= u64::from(odd) << place;
    }
    words
}

/// Returns the rows of two words.
#[inline(always)]
pub(super) fn unfold([even, odd]: [u64; 2]) -> [u16; 16] {
    #[expect(clippy::cast_possible_truncation, reason = "masked")]
    let row = |word: u64, place: u32| (word >> place) as u16 & ((1 << STRIDE) - 1);
    let mut rows = [0; 16];
    let (pairs, _) = rows.as_chunks_mut();
    for (place, pair) in (0..).step_by(STRIDE as usize).zip(&mut pairs[..PAIRS]) {
        *pair = [row(even, place), row(odd, place)];
    }
    rows
}

/// Both sides' sets as plain words.
#[derive(Clone, Copy, Debug)]
pub struct Words([[u64; 2]; 2]);

impl Words {
    #[inline(always)]
    fn each(self, work: impl Fn(u64) -> u64) -> Self {
        let [[a, b], [c, d]] = self.0;
        Self([[work(a), work(b)], [work(c), work(d)]])
    }

    #[inline(always)]
    fn zip(self, other: Self, work: impl Fn(u64, u64) -> u64) -> Self {
        let ([[a, b], [c, d]], [[e, f], [g, h]]) = (self.0, other.0);
        Self([[work(a, e), work(b, f)], [work(c, g), work(d, h)]])
    }

    /// Exchanges the words of each side after work on the even rows and on the odd ones.
    #[inline(always)]
    fn exchange(self, even: impl Fn(u64) -> u64, odd: impl Fn(u64) -> u64) -> Self {
        let [[a, b], [c, d]] = self.0;
        Self([[odd(b), even(a)], [odd(d), even(c)]])
    }

    #[inline(always)]
    fn counts(self) -> [u32; 2] {
        let [[a, b], [c, d]] = self.0;
        [a.count_ones() + b.count_ones(), c.count_ones() + d.count_ones()]
    }
}

/// Shifts towards the higher columns, or the lower ones if negative.
#[inline(always)]
const fn sideways(word: u64, columns: i32) -> u64 {
    if columns < 0 { word >> columns.unsigned_abs() } else { word << columns }
}

impl Sets for Words {
    type Layout = [u16; 16];
    type Sum = [i32; 2];
    type Tally = [u64; 2];

    const MAX_LINE: u32 = STRIDE - 1;

    #[inline(always)]
    fn pair(first: &[u16; 16], second: &[u16; 16]) -> Self {
        Self([fold(first), fold(second)])
    }

    #[inline(always)]
    fn unpair(self) -> [[u16; 16]; 2] {
        let [first, second] = self.0;
        [unfold(first), unfold(second)]
    }

    /// None: the unused bits stop what leaves the board.
    #[inline(always)]
    fn edges() -> [Self; 4] {
        [Self([[0; 2]; 2]); 4]
    }

    inlined! {
        and(self, other) = self.zip(other, |word, other| word & other);
        or(self, other) = self.zip(other, |word, other| word | other);
        xor(self, other) = self.zip(other, |word, other| word ^ other);
        without(self, other) = self.zip(other, |word, other| word & !other);
        plus(self, other) = self.zip(other, u64::wrapping_add);
        swap(self) = Self([self.0[1], self.0[0]]);
        right<const N: u32>(self) = self.each(|word| word << N);
        left<const N: u32>(self) = self.each(|word| word >> N);
        down(self) = self.roll_down::<0, 1>();
        up(self) = self.roll_up::<0, 1>();
        lean_right(self) = self;
        lean_left(self) = self;
    }

    #[inline(always)]
    fn roll_down<const LEAN: i32, const N: usize>(self) -> Self {
        if N == 1 {
            self.exchange(|even| sideways(even, LEAN), |odd| odd << STRIDE.wrapping_add_signed(LEAN))
        } else {
            self.each(|word| word << shift(N, LEAN))
        }
    }

    #[inline(always)]
    fn roll_up<const LEAN: i32, const N: usize>(self) -> Self {
        if N == 1 {
            self.exchange(|even| even >> STRIDE.wrapping_add_signed(LEAN), |odd| sideways(odd, -LEAN))
        } else {
            self.each(|word| word >> shift(N, LEAN))
        }
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        let [[a, b], [c, d]] = self.0;
        a | b | c | d == 0
    }

    #[inline(always)]
    fn zero() -> [i32; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn weigh([first, second]: [i32; 2], set: Self, weight: Weight) -> [i32; 2] {
        let [one, other] = set.counts();
        [first + one.cast_signed() * weight.get(), second + other.cast_signed() * weight.get()]
    }

    #[inline(always)]
    fn total(sum: [i32; 2]) -> [i32; 2] {
        sum
    }

    #[inline(always)]
    fn no_tally() -> [u64; 2] {
        [0; 2]
    }

    #[inline(always)]
    fn tally([first, second]: [u64; 2], set: Self, place: u32) -> [u64; 2] {
        let [one, other] = set.counts();
        [first | u64::from(one) << (8 * place), second | u64::from(other) << (8 * place)]
    }

    /// A board has fewer cells than [`Network::MAX_COUNT`](crate::Network::MAX_COUNT).
    #[inline(always)]
    fn counts([first, second]: [u64; 2]) -> [[u8; EIGHT]; 2] {
        [first.to_le_bytes(), second.to_le_bytes()]
    }

    #[inline(always)]
    fn sums(layer: &Layer, inputs: &Inputs) -> Views {
        Base::sums(layer, inputs)
    }
}
