use std::ops::AddAssign;

use crate::{Bits, Graph};

/// What is known of a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// So many moves can be made.
    pub lower: u32,
    /// No more can be made.
    pub upper: u32,
}

impl Bounds {
    /// Makes bounds that meet.
    #[must_use]
    pub const fn exactly(moves: u32) -> Self {
        Self { lower: moves, upper: moves }
    }

    /// Returns the number when the bounds meet.
    #[must_use]
    pub const fn exact(self) -> Option<u32> {
        if self.lower == self.upper { Some(self.lower) } else { None }
    }
}

impl AddAssign for Bounds {
    fn add_assign(&mut self, other: Self) {
        self.lower += other.lower;
        self.upper += other.upper;
    }
}

/// Finds the largest number of moves that a colour can make in regions of its own, and remembers what it found.
///
/// A filler serves one graph: what it remembers means nothing on another.
#[derive(Clone, Debug)]
pub struct Filler<const W: usize> {
    /// Results; a new one replaces the one that was there.
    known: Vec<Option<Filling<W>>>,
    nodes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Filling<const W: usize> {
    free: Bits<W>,
    queens: Bits<W>,
    found: Bounds,
    /// How many positions could be looked at to find it.
    nodes: u64,
}

impl<const W: usize> Filler<W> {
    /// Makes a filler that remembers about so many results.
    #[must_use]
    pub fn new(results: usize) -> Self {
        Self { known: vec![None; results.max(1).next_power_of_two()], nodes: 0 }
    }

    /// Bounds the number of moves that queens of one colour can make where nobody else comes.
    ///
    /// The bounds meet unless the search needs more than `nodes` positions. All that the queens reach must be theirs alone.
    pub fn fill(&mut self, graph: &Graph<W>, free: Bits<W>, queens: Bits<W>, nodes: u64) -> Bounds {
        self.nodes = nodes;
        self.parts(graph, free, queens)
    }

    /// Adds up regions: a move in one changes no other.
    fn parts(&mut self, graph: &Graph<W>, free: Bits<W>, mut queens: Bits<W>) -> Bounds {
        let mut sum = Bounds::default();
        let live = free | queens;
        while let Some(queen) = queens.lowest() {
            let part = graph.reach(Bits::single(queen), live);
            sum += self.part(graph, part & free, part & queens);
            queens -= part;
        }
        sum
    }

    fn part(&mut self, graph: &Graph<W>, free: Bits<W>, queens: Bits<W>) -> Bounds {
        let upper = free.count();
        let mut best = graph.plod(free, queens);
        if best == upper {
            return Bounds::exactly(upper);
        }
        let slot = self.slot(free, queens);
        let known = self.known[slot].filter(|known| known.free == free && known.queens == queens);
        if let Some(known) = known.filter(|known| known.found.exact().is_some() || known.nodes >= self.nodes) {
            return known.found;
        }
        if self.nodes == 0 {
            return Bounds { lower: best, upper };
        }
        let nodes = self.nodes;
        self.nodes -= 1;
        let mut ceiling = best;
        'moves: for from in queens {
            let lifted = free | Bits::single(from);
            for to in graph.slides(from, free) {
                let landed = (queens ^ Bits::single(from)) | Bits::single(to);
                let left = lifted ^ Bits::single(to);
                for arrow in graph.slides(to, left) {
                    let left = left ^ Bits::single(arrow);
                    // What nobody reaches any more is lost: most moves cannot be better than the best.
                    let within = graph.reach(landed, left) & left;
                    if 1 + within.count() > best {
                        let rest = self.parts(graph, within, landed);
                        best = best.max(1 + rest.lower);
                        ceiling = ceiling.max(1 + rest.upper);
                        if best == upper {
                            break 'moves;
                        }
                    }
                }
            }
        }
        let found = Bounds { lower: best, upper: ceiling.max(best) };
        self.known[slot] = Some(Filling { free, queens, found, nodes });
        found
    }

    fn slot(&self, free: Bits<W>, queens: Bits<W>) -> usize {
        // An odd multiplier near 2^64 divided by the golden ratio spreads neighbouring sets.
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let words = free.words().into_iter().chain(queens.words());
        let hash = words.fold(0_u64, |hash, word| (hash.rotate_left(26) ^ word).wrapping_mul(SPREAD));
        usize::try_from(hash >> 32).unwrap_or_default() & (self.known.len() - 1)
    }
}
