use amazons_rules::Color;

use crate::half_move::Cell;

/// A part of a state's key.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    Queen(Color, Cell),
    Arrow(Cell),
    /// An arrow is due from this cell.
    Shooter(Cell),
    WhiteToMove,
}

impl Part {
    /// Returns 64 random-looking bits: the finalizer of SplitMix64 applied to the part's number.
    #[inline]
    pub(crate) const fn key(self) -> u64 {
        let number = match self {
            Self::Queen(color, cell) => (cell as u64) << 3 | color.index() as u64,
            Self::Arrow(cell) => (cell as u64) << 3 | 2,
            Self::Shooter(cell) => (cell as u64) << 3 | 3,
            Self::WhiteToMove => 4,
        };
        let mut bits = (number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }
}
