use std::hash::BuildHasher as _;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::ruled::Ruled;
use crate::Graph;

/// Maximum number of vertices for two bits of each, and ten more, to fit into a number.
const PACKED: usize = 59;

/// The sets that share positions out among them: one that grows needs room for its old entries, too.
const SETS: usize = 64;

/// The positions that a walk has visited: hundreds of millions, so that bytes count.
#[derive(Debug)]
pub(super) enum Seen<const W: usize> {
    /// A number for each.
    Packed(Vec<FxHashSet<u128>>),
    /// Whole positions of larger boards.
    Whole(FxHashSet<Ruled<W>>),
}

impl<const W: usize> Seen<W> {
    pub(super) fn new(graph: &Graph<W>) -> Self {
        match graph.len() {
            0..=PACKED => Self::Packed(vec![FxHashSet::default(); SETS]),
            _ => Self::Whole(FxHashSet::default()),
        }
    }

    /// Adds a position; returns whether it is new.
    pub(super) fn insert(&mut self, at: &Ruled<W>) -> bool {
        match self {
            Self::Packed(sets) => {
                let packed = pack(at);
                // The sets use the other bits of the same hash.
                let set = FxBuildHasher.hash_one(packed) >> 40;
                sets[set as usize % SETS].insert(packed)
            }
            Self::Whole(set) => set.insert(*at),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Packed(sets) => sets.iter().map(FxHashSet::len).sum(),
            Self::Whole(set) => set.len(),
        }
    }
}

/// Returns a number that no other position on the same [`PACKED`] vertices has.
fn pack<const W: usize>(at: &Ruled<W>) -> u128 {
    // Free vertices are in both sets, the queens of each colour in one.
    let [black, white] = at.stones.queens.map(|queens| u128::from((at.stones.free | queens).words()[0]));
    // Nobody has more moves to spare than there are vertices.
    let spare = u128::from(at.spare.cast_unsigned() & 0xff);
    black | white << PACKED | spare << (2 * PACKED) | (at.mover.index() as u128) << (2 * PACKED + 8)
}
