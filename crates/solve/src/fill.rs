use std::ops::AddAssign;

use crate::{Bits, Graph};

/// Bounds on a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// At least this many moves can be made.
    pub lower: u32,
    /// At most this many.
    pub upper: u32,
}

impl Bounds {
    /// Makes bounds that are equal.
    pub const fn exactly(moves: u32) -> Self {
        Self { lower: moves, upper: moves }
    }

    /// Returns the number if the bounds are equal.
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

/// Finds the largest number of moves that a colour can make in regions of its own, and remembers its results.
///
/// A filler serves one graph: its results are invalid on another.
#[derive(Clone, Debug)]
pub struct Filler<const W: usize> {
    /// Results; new ones replace old ones.
    known: Vec<Option<Filling<W>>>,
    /// Positions left to search.
    nodes: u64,
    stopped: bool,
}

/// A colour's own territory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Own<const W: usize> {
    pub(crate) free: Bits<W>,
    pub(crate) queens: Bits<W>,
    /// Queens that keep others out: when one leaves, it must shoot back.
    pub(crate) doors: Bits<W>,
}

#[derive(Clone, Copy, Debug)]
struct Filling<const W: usize> {
    region: Own<W>,
    found: Bounds,
    /// Positions left to search.
    nodes: u64,
}

impl<const W: usize> Filler<W> {
    /// Makes a filler that remembers about `results` results.
    pub fn new(results: usize) -> Self {
        Self { known: vec![None; results.max(1).next_power_of_two()], nodes: 0, stopped: false }
    }

    /// Bounds the number of moves that queens of one colour can make in a territory of their own.
    ///
    /// The bounds are equal unless the search needs more than `nodes` positions. Everything that the queens reach must
    /// be theirs alone.
    pub fn fill(&mut self, graph: &Graph<W>, free: Bits<W>, queens: Bits<W>, nodes: u64) -> Bounds {
        self.fill_behind(graph, Own { free, queens, doors: Bits::EMPTY }, nodes, &mut || true)
    }

    /// Bounds the number of moves as [`Filler::fill`] does, in a region with doors.
    ///
    /// The search also ends when `go_on`, called for each move tried, returns false.
    pub(crate) fn fill_behind(
        &mut self,
        graph: &Graph<W>,
        own: Own<W>,
        nodes: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Bounds {
        (self.nodes, self.stopped) = (nodes, false);
        self.parts(graph, own, go_on)
    }

    /// Adds up regions: a move in one does not affect the others.
    fn parts(&mut self, graph: &Graph<W>, own: Own<W>, go_on: &mut dyn FnMut() -> bool) -> Bounds {
        let Own { free, mut queens, doors } = own;
        let mut sum = Bounds::default();
        let live = free | queens;
        while let Some(queen) = queens.lowest() {
            let part = graph.reach(Bits::single(queen), live);
            let own = Own { free: part & free, queens: part & queens, doors: part & doors };
            sum += self.part(graph, own, go_on);
            queens -= part;
        }
        sum
    }

    fn part(&mut self, graph: &Graph<W>, region: Own<W>, go_on: &mut dyn FnMut() -> bool) -> Bounds {
        let Own { free, queens, doors } = region;
        let upper = free.count();
        let mut best = graph.walk_length(free, queens);
        if best == upper {
            return Bounds::exactly(upper);
        }
        let slot = self.slot(free, queens);
        let known = self.known[slot].filter(|known| known.region == region);
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
            let targets = if doors.contains(from) { Bits::single(from) } else { lifted };
            for to in graph.slides(from, free) {
                let landed = (queens ^ Bits::single(from)) | Bits::single(to);
                let left = lifted ^ Bits::single(to);
                for arrow in graph.slides(to, left) & targets {
                    let left = left ^ Bits::single(arrow);
                    // A vertex out of reach is lost: most moves cannot beat the best.
                    let within = graph.reach(landed, left) & left;
                    if 1 + within.count() > best {
                        self.stopped |= !self.stopped && !go_on();
                        if self.stopped {
                            (self.nodes, ceiling) = (0, upper);
                            break 'moves;
                        }
                        let own = Own { free: within, queens: landed, doors: doors & landed };
                        let rest = self.parts(graph, own, go_on);
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
        let nodes = if self.stopped { 0 } else { nodes };
        self.known[slot] = Some(Filling { region, found, nodes });
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
