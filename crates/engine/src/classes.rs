//! The classes of vertices and queens that the evaluation counts, and their places in tables.
//!
//! Distances fall into classes: 1, 2, 3, ..., the last class for all that is farther, and one for unreachable. A pair of classes
//! is first that of the player to move, then that of the opponent. Weights are antisymmetric under swapping sides, so the
//! pairs (i, j) and (j, i) share a place; vertices at the same distance of both sides are ties.

/// Classes of queen distances: 1, 2, 3, 4, 5 or more, unreachable.
pub const QUEEN_CLASSES: usize = 6;
/// Classes of king distances: 1 to 6, 7 or more, unreachable.
pub const KING_CLASSES: usize = 8;
/// Numbers of free neighbours: 0 to 8.
pub const NEIGHBOR_CLASSES: usize = 9;

/// Where pairs of queen distances begin.
pub(crate) const QUEEN: usize = 0;
/// Where queen distances that are ties begin.
pub(crate) const QUEEN_TIE: usize = QUEEN + pairs(QUEEN_CLASSES);
/// Where pairs of king distances begin.
pub(crate) const KING: usize = QUEEN_TIE + QUEEN_CLASSES - 1;
/// Where king distances that are ties begin.
pub(crate) const KING_TIE: usize = KING + pairs(KING_CLASSES);
/// Where queens by free neighbours begin.
pub(crate) const LIBERTY: usize = KING_TIE + KING_CLASSES - 1;
/// Where vertices one queen move away by free neighbours begin.
pub(crate) const MOBILITY: usize = LIBERTY + NEIGHBOR_CLASSES;
/// The number of all places.
pub(crate) const CLASSES: usize = MOBILITY + NEIGHBOR_CLASSES;

const fn pairs(classes: usize) -> usize {
    classes * (classes - 1) / 2
}

/// Returns the place of the pair (near, far) of so many classes, `near` < `far`.
#[inline(always)]
pub(crate) const fn pair(classes: usize, near: usize, far: usize) -> usize {
    near * (2 * classes - near - 1) / 2 + far - near - 1
}

/// Classes of king distances that the network tells apart: 1, 2, 3 or 4, 5 or more, unreachable.
pub(crate) const COARSE_KING_CLASSES: usize = 5;
/// For each class of king distances the coarse one.
pub(crate) const COARSE_KING: [usize; KING_CLASSES] = [0, 1, 2, 2, 3, 3, 3, 4];

/// Where the network's pairs of king distances begin; queen distances come first, as above.
pub(crate) const NETWORK_KING: usize = KING;
/// Where the network's king distances that are ties begin.
pub(crate) const NETWORK_KING_TIE: usize = NETWORK_KING + pairs(COARSE_KING_CLASSES);
/// Where the network's queens by free neighbours begin.
pub(crate) const NETWORK_LIBERTY: usize = NETWORK_KING_TIE + COARSE_KING_CLASSES - 1;
/// Where the network's vertices one queen move away by free neighbours begin.
pub(crate) const NETWORK_MOBILITY: usize = NETWORK_LIBERTY + NEIGHBOR_CLASSES;
/// The number of counts of each side that the network takes.
pub(crate) const NETWORK_INPUTS: usize = NETWORK_MOBILITY + NEIGHBOR_CLASSES;
