//! Boards as bits: a column is a run of bits, its lowest cell first, and the bit above its highest cell stays empty.

use std::fmt::Debug;

use crate::Size;

/// A board's size, known to the compiler or not, and what follows from it.
///
/// The functions that most time is spent in are compiled once for the usual board and once for all others.
pub trait Geometry: Copy + Debug + Send + Sync {
    fn size(self) -> Size;

    /// Returns the distance in bits from a cell to its right neighbour.
    #[inline]
    fn step(self) -> u32 {
        self.size().height() + 1
    }

    /// Returns the lowest cell of each column.
    fn bottom(self) -> u64;

    #[inline]
    fn cells(self) -> u64 {
        self.bottom() * ((1 << self.size().height()) - 1)
    }

    #[inline]
    fn column(self, column: u32) -> u64 {
        ((1 << self.size().height()) - 1) << (column * self.step())
    }

    /// Returns the cells where a stone would come to rest.
    #[inline]
    fn playable(self, stones: u64) -> u64 {
        (stones + self.bottom()) & self.cells()
    }

    /// Returns the empty cells that would make a four of these stones.
    #[inline]
    fn fours(self, own: u64, stones: u64) -> u64 {
        let step = self.step();
        let mut cells = (own << 1) & (own << 2) & (own << 3);
        for by in [step, step - 1, step + 1] {
            let (left, right) = (own >> by, own << by);
            let (left2, right2) = (own >> (2 * by), own << (2 * by));
            // The cell after three stones and the one before them; the gap after two stones and the one before two.
            cells |= right & right2 & (left | own << (3 * by));
            cells |= left & left2 & (right | own >> (3 * by));
        }
        cells & self.cells() & !stones
    }

    #[inline]
    fn has_four(self, own: u64) -> bool {
        let step = self.step();
        [1, step, step - 1, step + 1].into_iter().any(|by| {
            let pairs = own & (own >> by);
            pairs & (pairs >> (2 * by)) != 0
        })
    }

    /// Mirrors a board from left to right.
    fn mirrored(self, bits: u64) -> u64 {
        let width = self.size().width();
        let whole = (1_u64 << self.step()) - 1;
        (0..width).fold(0, |mirrored, column| {
            mirrored | (bits >> (column * self.step()) & whole) << ((width - 1 - column) * self.step())
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct AnySize {
    size: Size,
    bottom: u64,
}

impl AnySize {
    pub fn new(size: Size) -> Self {
        let step = size.height() + 1;
        Self { size, bottom: (0..size.width()).fold(0, |bits, column| bits | 1 << (column * step)) }
    }
}

impl Geometry for AnySize {
    #[inline]
    fn size(self) -> Size {
        self.size
    }

    #[inline]
    fn bottom(self) -> u64 {
        self.bottom
    }
}

/// The usual board of 7 x 6.
#[derive(Clone, Copy, Debug)]
pub struct Standard;

impl Geometry for Standard {
    #[inline]
    fn size(self) -> Size {
        Size::STANDARD
    }

    #[inline]
    fn bottom(self) -> u64 {
        0x0000_0408_1020_4081
    }
}
