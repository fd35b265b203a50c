use crate::classes::{
    COARSE_KING, COARSE_KING_CLASSES, KING, KING_CLASSES, KING_TIE, LIBERTY, MOBILITY, NEIGHBOR_CLASSES, NETWORK_KING,
    NETWORK_KING_TIE, NETWORK_LIBERTY, NETWORK_MOBILITY, QUEEN, QUEEN_CLASSES, QUEEN_TIE, pair,
};
use crate::flood::QueenFill;
use crate::simd::{Sets, Weight};

/// Receives the sets of each class in ascending order: the vertices or queens of either side in it.
pub(crate) trait Sink<S> {
    /// Takes a class in which the two sides differ.
    fn sides(&mut self, class: usize, set: S);
    /// Takes a class in which both sides' sets are the same.
    fn tie(&mut self, class: usize, set: S);
}

/// The free vertices by their distances from both sides' queens.
#[derive(Clone, Copy)]
pub(crate) struct Scan<S> {
    free: S,
    queens: S,
    /// All cells that kings reach; queens reach the same.
    reach: S,
    by_queen: [S; QUEEN_CLASSES],
    by_king: [S; KING_CLASSES],
}

impl<S: Sets> Scan<S> {
    /// Measures all distances. Kings go first: queens may stop once they have reached everything that kings do.
    #[inline(always)]
    pub(crate) fn new(free: S, queens: S) -> Self {
        let none = free.without(free);
        let mut by_king = [none; KING_CLASSES];
        let (mut reach, mut frontier) = (none, queens);
        for class in &mut by_king[..KING_CLASSES - 2] {
            frontier = king_moves(frontier, free).without(reach);
            if frontier.is_empty() {
                break;
            }
            *class = frontier;
            reach = reach.or(frontier);
        }
        let near = reach;
        reach = reached(frontier, reach, free);
        by_king[KING_CLASSES - 2] = reach.without(near);
        by_king[KING_CLASSES - 1] = free.without(reach);

        let fill = QueenFill::new(free);
        let mut by_queen = [none; QUEEN_CLASSES];
        let (mut left, mut frontier) = (reach, queens);
        for class in &mut by_queen[..QUEEN_CLASSES - 2] {
            frontier = fill.fill(frontier).and(left);
            *class = frontier;
            left = left.without(frontier);
            if left.is_empty() {
                break;
            }
        }
        by_queen[QUEEN_CLASSES - 2] = left;
        by_queen[QUEEN_CLASSES - 1] = by_king[KING_CLASSES - 1];
        Self { free, queens, reach, by_queen, by_king }
    }

    /// Returns the sum of 2^-|difference of queen distances| over the vertices that both reach, in 1/16 vertex, and the numbers
    /// of those that only one side reaches.
    #[inline(always)]
    pub(crate) fn openness_and_own(&self) -> (u32, [u32; 2]) {
        const REACHED: usize = QUEEN_CLASSES - 1;
        let none = self.free.without(self.free);
        let mut sum = S::zero();
        for (difference, &weight) in OPENNESS.iter().enumerate() {
            let mut set = none;
            for near in 0..REACHED - difference {
                let far = near + difference;
                set = set.or(self.by_queen[near].and(self.by_queen[far].swap()));
            }
            // A difference is counted on the nearer side only.
            sum = S::weigh(sum, set, weight);
        }
        let own = S::weigh(S::zero(), self.reach.without(self.reach.swap()), Weight::ONE);
        let [[mover, other], own] = S::totals([sum, own]);
        // Ties are counted on both sides: half on each.
        (((mover + other) / 2).cast_unsigned(), own.map(i32::cast_unsigned))
    }

    /// Gives all classes to the sink.
    #[inline(always)]
    pub(crate) fn classes(&self, sink: &mut impl Sink<S>) {
        tabulate(&self.by_queen, QUEEN, QUEEN_TIE, sink);
        tabulate(&self.by_king, KING, KING_TIE, sink);
        self.neighbors([LIBERTY, MOBILITY], sink);
    }

    /// Gives the network's classes to the sink.
    #[inline(always)]
    pub(crate) fn network_classes(&self, sink: &mut impl Sink<S>) {
        tabulate(&self.by_queen, QUEEN, QUEEN_TIE, sink);
        let mut coarse = [self.free.without(self.free); COARSE_KING_CLASSES];
        for (class, &set) in COARSE_KING.into_iter().zip(&self.by_king) {
            coarse[class] = coarse[class].or(set);
        }
        tabulate(&coarse, NETWORK_KING, NETWORK_KING_TIE, sink);
        self.neighbors([NETWORK_LIBERTY, NETWORK_MOBILITY], sink);
    }

    /// Gives queens, and vertices one queen move away, by their free neighbours.
    #[inline(always)]
    fn neighbors(&self, [liberty, mobility]: [usize; 2], sink: &mut impl Sink<S>) {
        let neighbors = Neighbors::new(self.free);
        neighbors.sort(self.queens, liberty, sink);
        neighbors.sort(self.by_queen[0].and(self.reach.swap()), mobility, sink);
    }
}

/// The share of a vertex in the openness, in 1/16, by the difference of the distances; ties are counted twice.
const OPENNESS: [Weight; QUEEN_CLASSES - 1] =
    [Weight::new(16), Weight::new(16), Weight::new(8), Weight::new(4), Weight::new(2)];

/// Returns the free cells next to a cell of the set, or in the set.
#[inline(always)]
pub(crate) fn king_moves<S: Sets>(from: S, free: S) -> S {
    let wide = from.or(from.right::<1>()).or(from.left::<1>());
    wide.or(wide.down()).or(wide.up()).and(free)
}

/// Returns all that kings reach from `frontier`, given that they have reached `reach`.
#[inline(always)]
pub(crate) fn reached<S: Sets>(mut frontier: S, mut reach: S, free: S) -> S {
    while !frontier.is_empty() {
        frontier = king_moves(frontier, free).without(reach);
        reach = reach.or(frontier);
    }
    reach
}

/// Gives the pairs of classes of a partition; vertices that neither side reaches are in no class.
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "plain ranges are unrolled")]
fn tabulate<S: Sets, const N: usize>(mine: &[S; N], pairs: usize, ties: usize, sink: &mut impl Sink<S>) {
    for near in 0..N - 1 {
        for far in near + 1..N {
            sink.sides(pairs + pair(N, near, far), mine[near].and(mine[far].swap()));
        }
    }
    for near in 0..N - 1 {
        sink.tie(ties + near, mine[near].and(mine[near].swap()));
    }
}

/// The number of free neighbours of each cell: one set for each binary digit.
struct Neighbors<S> {
    ones: S,
    twos: S,
    fours: S,
    eights: S,
}

impl<S: Sets> Neighbors<S> {
    #[inline(always)]
    fn new(free: S) -> Self {
        let (left, right) = (free.left::<1>(), free.right::<1>());
        // First the neighbours in the same row, then whole rows of three above and below.
        let (row_ones, row_twos) = (left.xor(right), left.and(right));
        let (three_ones, three_twos) = (row_ones.xor(free), row_twos.or(row_ones.and(free)));
        let (ones, carry) = sum(row_ones, three_ones.up(), three_ones.down());
        let (twos, fours) = sum(row_twos, three_twos.up(), three_twos.down());
        let carry_on = twos.and(carry);
        Self { ones, twos: twos.xor(carry), fours: fours.xor(carry_on), eights: fours.and(carry_on) }
    }

    /// Gives the cells of a set by their number of free neighbours.
    #[inline(always)]
    fn sort(&self, set: S, first_class: usize, sink: &mut impl Sink<S>) {
        let eights = set.and(self.eights);
        let many = set.and(self.fours);
        let few = set.without(self.fours).without(self.eights);
        for (base, part) in [(0, few), (4, many)] {
            let (upper, lower) = (part.and(self.twos), part.without(self.twos));
            sink.sides(first_class + base, lower.without(self.ones));
            sink.sides(first_class + base + 1, lower.and(self.ones));
            sink.sides(first_class + base + 2, upper.without(self.ones));
            sink.sides(first_class + base + 3, upper.and(self.ones));
        }
        sink.sides(first_class + NEIGHBOR_CLASSES - 1, eights);
    }
}

/// Adds three bits: the sum's lower and upper digit.
#[inline(always)]
fn sum<S: Sets>(a: S, b: S, c: S) -> (S, S) {
    let half = a.xor(b);
    (half.xor(c), a.and(b).or(half.and(c)))
}
