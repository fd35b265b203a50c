use amazons_rules::Board;

use crate::fill::Own;
use crate::symmetry::{SYMMETRIES, symmetries};
use crate::{Bits, Filler, Graph};

/// Maximum number of positions for a filler before a region of one colour is played move by move instead.
pub(crate) const FILL_NODES: u64 = 2_000;

/// The part of a position that still matters, for the side to move.
///
/// Regions of one colour are worth only the number of moves that can be made there (they are integers in combinatorial
/// game theory), so they are removed from the board and added to `spare`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State<const W: usize> {
    pub(crate) free: Bits<W>,
    pub(crate) own: Bits<W>,
    pub(crate) other: Bits<W>,
    /// The side to move's moves off the board, less the other side's.
    pub(crate) spare: i32,
    /// The stones under each symmetry: [`Codes`].
    images: [[u64; SYMMETRIES]; 2],
}

/// An odd number whose bits look random: products with it are spread.
pub(crate) const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Identifies a state, the same for all its mirror images.
///
/// With at most 64 vertices only identical states share a key; with more, two random-looking 64-bit sums must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key(pub(crate) [u64; 2]);

impl Key {
    #[inline]
    pub(crate) fn hash(self) -> u64 {
        let hash = (self.0[0].wrapping_mul(SPREAD).rotate_left(29) ^ self.0[1]).wrapping_mul(SPREAD);
        hash ^ hash >> 31
    }
}

/// A vertex's contributions to a key: to the first half for a queen of the side to move, to the second for the other
/// side's, to both for an arrow.
#[derive(Clone, Debug)]
pub(crate) struct Codes {
    codes: Vec<[u64; SYMMETRIES]>,
    symmetries: usize,
}

impl Codes {
    pub(crate) fn new<const W: usize>(board: &Board, graph: &Graph<W>) -> Self {
        let permutations = symmetries(board, graph);
        let code = |index: usize| if Bits::<W>::CAPACITY <= 64 { 1 << index } else { scramble(index as u64) };
        let codes = |index: usize| {
            std::array::from_fn(|symmetry| permutations.get(symmetry).map_or(0, |images| code(images[index])))
        };
        Self { codes: (0..graph.len()).map(codes).collect(), symmetries: permutations.len() }
    }
}

impl<const W: usize> State<W> {
    /// Makes a state of the free vertices and the queens; all other vertices have arrows.
    pub(crate) fn new(codes: &Codes, free: Bits<W>, own: Bits<W>, other: Bits<W>) -> Self {
        let all: Bits<W> = (0..codes.codes.len()).collect();
        let mut state = Self { free: all - own - other, own, other, spare: 0, images: [[0; SYMMETRIES]; 2] };
        for (half, queens) in [own, other].into_iter().enumerate() {
            queens.for_each(|queen| toggle(&mut state.images[half], &codes.codes[queen]));
        }
        state.remove(codes, state.free - free);
        state
    }

    pub(crate) fn key(&self, codes: &Codes) -> Key {
        let [own, other] = &self.images;
        let images = own.iter().zip(other).take(codes.symmetries);
        Key(images.map(|(&own, &other)| [own, other]).min().unwrap_or_default())
    }

    /// Plays a move on the board and changes sides.
    #[inline]
    pub(crate) fn play(&self, codes: &Codes, from: usize, to: usize, arrow: usize) -> Self {
        let mut next = *self;
        let step = Bits::single(from) | Bits::single(to);
        next.own ^= step;
        next.free = (next.free ^ step) ^ Bits::single(arrow);
        let [own, other] = &mut next.images;
        toggle(own, &codes.codes[from]);
        toggle(own, &codes.codes[to]);
        toggle(own, &codes.codes[arrow]);
        toggle(other, &codes.codes[arrow]);
        next.change_sides();
        next
    }

    /// Plays a spare move; there must be one.
    pub(crate) fn play_spare(&self) -> Self {
        let mut next = *self;
        next.spare -= 1;
        next.change_sides();
        next
    }

    fn change_sides(&mut self) {
        std::mem::swap(&mut self.own, &mut self.other);
        self.images.swap(0, 1);
        self.spare = -self.spare;
    }

    /// Removes from the board everything that is decided or unreachable.
    ///
    /// Territories are counted while `go_on`, called for each move tried, returns true. Returns the number of regions
    /// that are left.
    pub(crate) fn settle(
        &mut self,
        graph: &Graph<W>,
        codes: &Codes,
        filler: &mut Filler<W>,
        go_on: &mut dyn FnMut() -> bool,
    ) -> usize {
        let live = self.free | self.own | self.other;
        let mut queens = self.own | self.other;
        let (mut shared, mut regions) = (Bits::EMPTY, 0);
        while let Some(queen) = queens.lowest() {
            let region = graph.reach(Bits::single(queen), live);
            queens -= region;
            let (owner, sign) = match (region.meets(self.own), region.meets(self.other)) {
                (true, false) => (self.own, 1),
                (false, true) => (self.other, -1),
                _ => {
                    shared |= region;
                    regions += 1;
                    continue;
                }
            };
            let own = Own { free: region & self.free, queens: region & owner, doors: Bits::EMPTY };
            match filler.fill_behind(graph, own, FILL_NODES, go_on).exact() {
                Some(moves) => self.spare += sign * moves.cast_signed(),
                None => {
                    shared |= region;
                    regions += 1;
                }
            }
        }
        self.remove(codes, live - shared);
        regions
    }

    /// Turns vertices into arrows.
    pub(crate) fn remove(&mut self, codes: &Codes, gone: Bits<W>) {
        for index in gone {
            let [own, other] = &mut self.images;
            if !self.own.contains(index) {
                toggle(own, &codes.codes[index]);
            }
            if !self.other.contains(index) {
                toggle(other, &codes.codes[index]);
            }
        }
        self.free -= gone;
        self.own -= gone;
        self.other -= gone;
    }

    /// Returns whether the side to move wins, if counting decides.
    ///
    /// A side that only moves where the other cannot come, and shoots back to each queen's origin, is sure of that many
    /// moves; the other side has at most one for each vertex in its reach.
    pub(crate) fn judge(&self, graph: &Graph<W>) -> Option<bool> {
        let is_sure = |safe: Bits<W>, queens: Bits<W>, moves: i32| {
            safe.count().cast_signed() >= moves && graph.walk_length(safe, queens).cast_signed() >= moves
        };
        let [own_room, other_room] = [self.own, self.other].map(|queens| graph.reach(queens, self.free) & self.free);
        if is_sure(self.free - other_room, self.own, other_room.count().cast_signed() + 1 - self.spare) {
            return Some(true);
        }
        is_sure(self.free - own_room, self.other, own_room.count().cast_signed() + self.spare).then_some(false)
    }
}

fn toggle(images: &mut [u64; SYMMETRIES], codes: &[u64; SYMMETRIES]) {
    for (image, code) in images.iter_mut().zip(codes) {
        *image ^= code;
    }
}

/// The finalizer of `SplitMix64` (Steele, Lea, Flood 2014): neighbouring numbers become unrelated.
pub(crate) const fn scramble(index: u64) -> u64 {
    let mut x = index.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
