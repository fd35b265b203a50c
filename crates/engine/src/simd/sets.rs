use super::Word;
use crate::layer::{EIGHT, Inputs, Layer, Views};

/// The rows of a grid from the top, one word each.
///
/// The three layouts are `[u16; 16]`, `[u32; 32]` and `[u64; 64]`.
pub trait Layout: Family<Layout = Self> + Copy + Eq + std::fmt::Debug + Send + Sync + 'static {
    /// A row.
    type Word: Word;
    /// The sets of boards that fit `NARROW`; the usual ones for the larger layouts.
    type Narrow: Family<Layout = Self>;

    /// The number of rows and of columns.
    const SIDE: u32;
    /// No cells.
    const EMPTY: Self;
    /// The border cells: top row, bottom row, first column, last column.
    const EDGES: [Self; 4];

    /// Returns the rows.
    fn rows(&self) -> &[Self::Word];
    /// Returns the rows, mutably.
    fn rows_mut(&mut self) -> &mut [Self::Word];
}

/// The types of both sides' sets by instruction set.
pub trait Family {
    /// The rows.
    type Layout: Layout;
    /// Both sides' sets for every CPU.
    type Portable: Sets<Layout = Self::Layout>;
    /// Both sides' sets for AVX2.
    #[cfg(target_arch = "x86_64")]
    type Avx2: Sets<Layout = Self::Layout>;
    /// Both sides' sets for AVX-512.
    #[cfg(target_arch = "x86_64")]
    type Avx512: Sets<Layout = Self::Layout>;
}

/// Two sets of cells, one per side, processed together; the player to move comes first.
///
/// Rows and columns are those of the whole layout. A shift drops the cells that leave it; a roll brings them back at
/// the other end.
pub trait Sets: Copy {
    /// The rows.
    type Layout: Layout;
    /// Partial sums of each side.
    type Sum: Copy;
    /// Partial counts of the cells of eight sets.
    type Tally: Copy;

    /// No line of a board has more cells.
    const MAX_LINE: u32 = Self::Layout::SIDE;

    /// Takes the rows of the two sets.
    fn pair(first: &Self::Layout, second: &Self::Layout) -> Self;
    /// Returns the rows of the two sets.
    fn unpair(self) -> [Self::Layout; 2];
    /// Returns the border cells: top row, bottom row, first column, last column; nothing for a form that shifts out what
    /// leaves the board.
    #[inline(always)]
    fn edges() -> [Self; 4] {
        let [top, bottom, first, last] = &Self::Layout::EDGES;
        [Self::pair(top, top), Self::pair(bottom, bottom), Self::pair(first, first), Self::pair(last, last)]
    }
    /// Returns the cells in both.
    fn and(self, other: Self) -> Self;
    /// Returns the cells in either.
    fn or(self, other: Self) -> Self;
    /// Returns the cells in exactly one.
    fn xor(self, other: Self) -> Self;
    /// Returns the cells that are not in the other.
    fn without(self, other: Self) -> Self;
    /// Returns the cells of the set of the other side.
    fn swap(self) -> Self;
    /// Returns whether neither side has a cell.
    fn is_empty(self) -> bool;
    /// Adds row by row as numbers, dropping the last carry.
    fn plus(self, other: Self) -> Self;
    /// Shifts by columns towards the higher ones.
    fn right<const N: u32>(self) -> Self;
    /// Shifts by columns towards the lower ones.
    fn left<const N: u32>(self) -> Self;
    /// Shifts by one row towards the higher ones.
    fn down(self) -> Self;
    /// Shifts by one row towards the lower ones.
    fn up(self) -> Self;
    /// Rolls by `N` rows, a power of two, towards the higher ones; where rows do not lean, by `LEAN` columns a row as well.
    fn roll_down<const LEAN: i32, const N: usize>(self) -> Self;
    /// Rolls by `N` rows, a power of two, towards the lower ones: back where [`Sets::roll_down`] came from.
    fn roll_up<const LEAN: i32, const N: usize>(self) -> Self;
    /// Adds the cells of the mask that a roll down leads to.
    #[inline(always)]
    fn spread_down<const LEAN: i32, const N: usize>(self, mask: Self) -> Self {
        self.or(mask.and(self.roll_down::<LEAN, N>()))
    }
    /// Adds the cells of the mask that a roll up leads to.
    #[inline(always)]
    fn spread_up<const LEAN: i32, const N: usize>(self, mask: Self) -> Self {
        self.or(mask.and(self.roll_up::<LEAN, N>()))
    }
    /// Rolls each row right by its number, which makes the diagonals to the lower left vertical. Where `roll_down` takes
    /// `LEAN` into account, the rows stay.
    fn lean_right(self) -> Self;
    /// Rolls each row left by its number: undoes [`Sets::lean_right`], or makes the other diagonals vertical.
    fn lean_left(self) -> Self;
    /// Returns empty sums.
    fn zero() -> Self::Sum;
    /// Adds to each side's sum its number of cells times the weight.
    fn weigh(sum: Self::Sum, set: Self, weight: Weight) -> Self::Sum;
    /// Returns the sums.
    fn total(sum: Self::Sum) -> [i32; 2];
    /// Returns the totals of two sums.
    #[inline(always)]
    fn totals([one, other]: [Self::Sum; 2]) -> [[i32; 2]; 2] {
        [Self::total(one), Self::total(other)]
    }
    /// Returns the numbers of cells of eight empty sets.
    fn no_tally() -> Self::Tally;
    /// Stores the number of cells of a set at the empty place `place` of the eight.
    fn tally(tally: Self::Tally, set: Self, place: u32) -> Self::Tally;
    /// Returns the numbers of the first side and those of the second, capped at [`Network::MAX_COUNT`].
    /// [`Network::MAX_COUNT`]: crate::Network::MAX_COUNT
    fn counts(tally: Self::Tally) -> [[u8; EIGHT]; 2];
    /// As [`Layer::sums`].
    fn sums(layer: &Layer, inputs: &Inputs) -> Views;
}

/// A 16-bit weight, twice in one word for the vector instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Weight(u32);

impl Weight {
    /// The weight for plain counting.
    pub const ONE: Self = Self::new(1);

    /// Packs a weight.
    #[must_use]
    pub const fn new(weight: i16) -> Self {
        Self(weight.cast_unsigned() as u32 * 0x1_0001)
    }

    /// Returns the number.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> i32 {
        self.0.cast_signed() >> 16
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(super) const fn packed(self) -> i32 {
        self.0.cast_signed()
    }
}
