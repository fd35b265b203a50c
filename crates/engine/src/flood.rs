use crate::simd::Sets;

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
    columns: Upright<S, 0>,
    falling: Upright<S, 1>,
    rising: Upright<S, -1>,
}

/// Enough for lines of 64 cells.
const STEPS: usize = 6;

/// The masks of both directions along vertical lines, or along diagonals that the rows' skew made vertical: `LEAN` is the
/// number of columns that such a line gains with each row.
#[derive(Clone, Copy)]
struct Upright<S, const LEAN: i32> {
    down: [S; STEPS],
    up: [S; STEPS],
}

/// Calls a method with a power of two that becomes a constant once inlined.
macro_rules! doubled {
    ($set:expr, $method:ident $(, $lean:ident)?; $step:expr $(, $mask:expr)?) => {
        match $step {
            0 => $set.$method::<$($lean,)? 1>($($mask)?),
            1 => $set.$method::<$($lean,)? 2>($($mask)?),
            2 => $set.$method::<$($lean,)? 4>($($mask)?),
            3 => $set.$method::<$($lean,)? 8>($($mask)?),
            4 => $set.$method::<$($lean,)? 16>($($mask)?),
            _ => $set.$method::<$($lean,)? 32>($($mask)?),
        }
    };
}

/// Returns the number of steps for lines of that many cells.
const fn steps<S: Sets>() -> usize {
    (u32::BITS - (S::MAX_LINE - 1).leading_zeros()) as usize
}

impl<S: Sets, const LEAN: i32> Upright<S, LEAN> {
    #[inline(always)]
    fn new(down: S, up: S) -> Self {
        let mut masks = Self { down: [down; STEPS], up: [up; STEPS] };
        for step in 1..steps::<S>() {
            let (down, up) = (masks.down[step - 1], masks.up[step - 1]);
            masks.down[step] = down.and(doubled!(down, roll_down, LEAN; step - 1));
            masks.up[step] = up.and(doubled!(up, roll_up, LEAN; step - 1));
        }
        masks
    }

    #[inline(always)]
    fn fill(&self, from: S) -> S {
        let (mut down, mut up) = (from, from);
        for step in 0..steps::<S>() {
            down = doubled!(down, spread_down, LEAN; step, self.down[step]);
            up = doubled!(up, spread_up, LEAN; step, self.up[step]);
        }
        down.or(up)
    }
}

impl<S: Sets> QueenFill<S> {
    /// Prepares fills over free cells.
    #[inline(always)]
    pub(crate) fn new(free: S) -> Self {
        let [top, bottom, first, last] = S::edges();
        let (below_top, above_bottom) = (free.without(top), free.without(bottom));
        let mut left = [free; STEPS];
        for step in 1..steps::<S>() {
            left[step] = left[step - 1].and(doubled!(left[step - 1], left; step - 1));
        }
        Self {
            free,
            left,
            columns: Upright::new(below_top, above_bottom),
            // Rows that lean right put cells to the lower left below each other.
            rising: Upright::new(below_top.without(last).lean_right(), above_bottom.without(first).lean_right()),
            falling: Upright::new(below_top.without(first).lean_left(), above_bottom.without(last).lean_left()),
        }
    }

    /// Returns the cells that queens on `from` reach in one move, and `from`.
    #[inline(always)]
    pub(crate) fn fill(&self, from: S) -> S {
        // To the right, where carries go: the sum ripples through free cells and stops behind them.
        let entered = from.right::<1>().and(self.free);
        let right = self.free.and(self.free.xor(self.free.plus(entered)).or(entered));
        let mut left = from;
        for step in 0..steps::<S>() {
            left = left.or(self.left[step].and(doubled!(left, left; step)));
        }
        let columns = self.columns.fill(from);
        let rising = self.rising.fill(from.lean_right()).lean_left();
        let falling = self.falling.fill(from.lean_left()).lean_right();
        right.or(left).or(columns).or(rising.or(falling))
    }
}
