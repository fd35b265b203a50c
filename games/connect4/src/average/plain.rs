use crate::geometry::Geometry;

/// Less than a millisecond.
const CALLS_PER_CHECK: u64 = 1 << 16;

/// The rule as it is written, one call for each position, to compare with and to count calls.
pub struct Plain<'a, G> {
    geometry: G,
    is_wanted: &'a dyn Fn() -> bool,
    /// Whether it is not; all values are wrong from then on.
    is_stopped: bool,
    /// The executions of the rule so far.
    pub calls: u64,
}

impl<'a, G: Geometry> Plain<'a, G> {
    pub const fn new(geometry: G) -> Self {
        Self { geometry, is_wanted: &|| true, is_stopped: false, calls: 0 }
    }

    /// Ends soon when this returns false.
    pub const fn while_wanted(self, is_wanted: &'a dyn Fn() -> bool) -> Self {
        Self { is_wanted, ..self }
    }

    /// Returns the value of a position for the side that searches; `mover` has just moved, and is that side
    /// (`is_searcher`) or the other one. `None` if it was no longer wanted.
    pub fn evaluate(&mut self, mover: u64, stones: u64, depth: u32, is_searcher: bool) -> Option<f64> {
        let value = self.value(mover, stones, depth, if is_searcher { 1.0 } else { -1.0 });
        (!self.is_stopped).then_some(value)
    }

    /// Applies the rule; `won` is what a win of the side that has just moved is worth.
    fn value(&mut self, mover: u64, stones: u64, depth: u32, won: f64) -> f64 {
        self.calls += 1;
        if self.calls.is_multiple_of(CALLS_PER_CHECK) {
            self.is_stopped |= !(self.is_wanted)();
        }
        if self.geometry.has_four(mover) {
            return won;
        }
        let mut left = self.geometry.playable(stones);
        if left == 0 || depth == 0 || self.is_stopped {
            return 0.0;
        }
        let (mut sum, mut number, mut wins, mut losses) = (0.0, 0_u32, 0, 0);
        while left != 0 {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            let value = self.value(mover ^ stones | cell, stones | cell, depth - 1, -won);
            // The best that the side to move can reach.
            if value == -won {
                return value;
            }
            wins += u32::from(value == 1.0);
            losses += u32::from(value == -1.0);
            sum += value;
            number += 1;
        }
        match number {
            _ if wins == number => 1.0,
            _ if losses == number => -1.0,
            _ => sum / f64::from(number),
        }
    }
}
