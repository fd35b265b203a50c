use crate::simd::{Layout, Sets};

/// Precomputed masks of a set of free cells for [`QueenFill::fill`].
///
/// A fill along a line doubles its reach with each step: after the steps for 1, 2 and 4 cells it has gone 7 cells. Each
/// direction and step needs the cells whose last 1, 2 and 4 predecessors are all free. Vertical lines shift by whole
/// rows; so do diagonals once the rows are skewed. Rolling rows wraps cells around; a cut, the free cells minus those
/// that no fill may enter, stops fills there.
#[derive(Clone, Copy)]
pub(crate) struct QueenFill<S> {
    free: S,
    left: [S; STEPS],
    columns: Upright<S>,
    falling: Upright<S>,
    rising: Upright<S>,
}

/// Enough for lines of 64 cells.
const STEPS: usize = 6;

/// The masks of both directions along vertical lines.
#[derive(Clone, Copy)]
struct Upright<S> {
    down: [S; STEPS],
    up: [S; STEPS],
}

/// Calls a method with a power of two that becomes a constant once inlined.
macro_rules! doubled {
    ($set:expr, $method:ident, $step:expr) => {
        match $step {
            0 => $set.$method::<1>(),
            1 => $set.$method::<2>(),
            2 => $set.$method::<4>(),
            3 => $set.$method::<8>(),
            4 => $set.$method::<16>(),
            _ => $set.$method::<32>(),
        }
    };
}

/// Returns the number of steps for lines of that many cells.
pub(crate) const fn steps(longest_line: u32) -> usize {
    (u32::BITS - (longest_line - 1).leading_zeros()) as usize
}

impl<S: Sets> Upright<S> {
    #[inline(always)]
    fn new(down: S, up: S, steps: usize) -> Self {
        let mut masks = Self { down: [down; STEPS], up: [up; STEPS] };
        for step in 1..steps {
            let (down, up) = (masks.down[step - 1], masks.up[step - 1]);
            masks.down[step] = down.and(doubled!(down, roll_down, step - 1));
            masks.up[step] = up.and(doubled!(up, roll_up, step - 1));
        }
        masks
    }

    #[inline(always)]
    fn fill(&self, from: S, steps: usize) -> S {
        let (mut down, mut up) = (from, from);
        for step in 0..steps {
            down = down.or(self.down[step].and(doubled!(down, roll_down, step)));
            up = up.or(self.up[step].and(doubled!(up, roll_up, step)));
        }
        down.or(up)
    }
}

impl<S: Sets> QueenFill<S> {
    /// Prepares fills over free cells; `steps` must cover the longest line of the board.
    #[inline(always)]
    pub(crate) fn new(free: S, steps: usize) -> Self {
        let edges = Edges::new();
        let (below_top, above_bottom) = (free.without(edges.top), free.without(edges.bottom));
        let mut left = [free; STEPS];
        for step in 1..steps {
            left[step] = left[step - 1].and(doubled!(left[step - 1], left, step - 1));
        }
        Self {
            free,
            left,
            columns: Upright::new(below_top, above_bottom, steps),
            // Rows that lean right put cells to the lower left below each other.
            rising: Upright::new(
                below_top.without(edges.last).lean_right(),
                above_bottom.without(edges.first).lean_right(),
                steps,
            ),
            falling: Upright::new(
                below_top.without(edges.first).lean_left(),
                above_bottom.without(edges.last).lean_left(),
                steps,
            ),
        }
    }

    /// Returns the cells that queens on `from` reach in one move, and `from`.
    #[inline(always)]
    pub(crate) fn fill(&self, from: S, steps: usize) -> S {
        // To the right, where carries go: the sum ripples through free cells and stops behind them.
        let entered = from.right::<1>().and(self.free);
        let right = self.free.and(self.free.xor(self.free.plus(entered)).or(entered));
        let mut left = from;
        for step in 0..steps {
            left = left.or(self.left[step].and(doubled!(left, left, step)));
        }
        let columns = self.columns.fill(from, steps);
        let rising = self.rising.fill(from.lean_right(), steps).lean_left();
        let falling = self.falling.fill(from.lean_left(), steps).lean_right();
        right.or(left).or(columns).or(rising.or(falling))
    }
}

/// The border cells of the whole layout.
struct Edges<S> {
    top: S,
    bottom: S,
    first: S,
    last: S,
}

impl<S: Sets> Edges<S> {
    #[inline(always)]
    fn new() -> Self {
        let [top, bottom, first, last] = <S::Layout as Layout>::EDGES;
        Self {
            top: S::pair(&top, &top),
            bottom: S::pair(&bottom, &bottom),
            first: S::pair(&first, &first),
            last: S::pair(&last, &last),
        }
    }
}
