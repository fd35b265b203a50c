//! The classes of vertices and queens that the evaluation counts, and their indices in tables.
//!
//! Distances fall into classes: 1, 2, 3, ..., one for everything farther, and one for unreachable. A pair of classes is
//! that of the player to move, then the opponent's. Weights are antisymmetric under swapping sides, so the pairs (i, j)
//! and (j, i) share an index; vertices equally far from both sides are ties.

/// Classes of queen distances: 1, 2, 3, 4, 5 or more, unreachable.
pub const QUEEN_CLASSES: usize = 6;
/// Classes of king distances: 1 to 6, 7 or more, unreachable.
pub const KING_CLASSES: usize = 8;
/// Numbers of free neighbours: 0 to 8.
pub const NEIGHBOR_CLASSES: usize = 9;

/// The index of the first pair of queen distances.
pub(crate) const QUEEN: usize = 0;
/// The index of the first tie of queen distances.
pub(crate) const QUEEN_TIE: usize = QUEEN + pairs(QUEEN_CLASSES);
/// The index of the first pair of king distances.
pub(crate) const KING: usize = QUEEN_TIE + QUEEN_CLASSES - 1;
/// The index of the first tie of king distances.
pub(crate) const KING_TIE: usize = KING + pairs(KING_CLASSES);
/// The index of the first class of queens by free neighbours.
pub(crate) const LIBERTY: usize = KING_TIE + KING_CLASSES - 1;
/// The index of the first class of vertices one queen move away, by free neighbours.
pub(crate) const MOBILITY: usize = LIBERTY + NEIGHBOR_CLASSES;
/// The number of all classes.
pub(crate) const CLASSES: usize = MOBILITY + NEIGHBOR_CLASSES;

const fn pairs(classes: usize) -> usize {
    classes * (classes - 1) / 2
}

/// Returns the index of the pair (near, far) among `classes`; `near` < `far`.
#[inline(always)]
pub(crate) const fn pair(classes: usize, near: usize, far: usize) -> usize {
    near * (2 * classes - near - 1) / 2 + far - near - 1
}

/// Classes of king distances that the network tells apart: 1, 2, 3 or 4, 5 or more, unreachable.
pub(crate) const COARSE_KING_CLASSES: usize = 5;
/// The coarse class for each class of king distances.
pub(crate) const COARSE_KING: [usize; KING_CLASSES] = [0, 1, 2, 2, 3, 3, 3, 4];

/// The network's first pair of king distances; queen distances come first, as above.
pub(crate) const NETWORK_KING: usize = KING;
/// The network's first tie of king distances.
pub(crate) const NETWORK_KING_TIE: usize = NETWORK_KING + pairs(COARSE_KING_CLASSES);
/// The network's first class of queens by free neighbours.
pub(crate) const NETWORK_LIBERTY: usize = NETWORK_KING_TIE + COARSE_KING_CLASSES - 1;
/// The network's first class of vertices one queen move away, by free neighbours.
pub(crate) const NETWORK_MOBILITY: usize = NETWORK_LIBERTY + NEIGHBOR_CLASSES;
/// The number of the network's counts for each side.
pub(crate) const NETWORK_INPUTS: usize = NETWORK_MOBILITY + NEIGHBOR_CLASSES;
