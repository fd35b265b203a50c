use super::{Table, Value};
use crate::geometry::Geometry;

/// Positions with fewer plies to go are computed again rather than looked up: that takes no longer than to wait for the
/// memory of a large table, least of all where its pages are small, as those are that ranks share.
const MIN_STORED: u32 = 4;

/// A few hundred microseconds.
const NODES_PER_CHECK: u64 = 4096;

/// A proven win of the side to move; its negative is a loss. Averages are from -1 to 1.
const WIN: f64 = f64::INFINITY;

/// Computes the same values as [`Plain`](super::Plain), faster.
///
/// Wins and blocked wins are seen a move or two before they happen, and positions that are reached by different moves
/// are computed once. A table serves one depth of one search: all its values are of positions with as many plies to go
/// as their number of stones implies.
pub struct Evaluator<'a, G> {
    geometry: G,
    table: &'a Table,
    is_wanted: &'a dyn Fn() -> bool,
    /// Whether it is not; all values are wrong from then on.
    is_stopped: bool,
    /// Positions that were computed, without those at the last two plies.
    pub nodes: u64,
}

impl<'a, G: Geometry> Evaluator<'a, G> {
    pub const fn new(geometry: G, table: &'a Table) -> Self {
        Self { geometry, table, is_wanted: &|| true, is_stopped: false, nodes: 0 }
    }

    /// Ends soon when this returns false.
    pub const fn while_wanted(self, is_wanted: &'a dyn Fn() -> bool) -> Self {
        Self { is_wanted, ..self }
    }

    /// The value of a position that goes on, for the side to move, which owns `own`; `None` if it was no longer wanted.
    pub fn evaluate(&mut self, own: u64, stones: u64, depth: u32) -> Option<Value> {
        let wins = self.geometry.fours(own, stones) & self.geometry.playable(stones);
        if depth > 0 && wins != 0 {
            return Some(Value::Win);
        }
        let value = self.search(own, stones, depth);
        if self.is_stopped {
            return None;
        }
        Some(if value == WIN {
            Value::Win
        } else if value == -WIN {
            Value::Loss
        } else {
            Value::Guess(value)
        })
    }

    /// Returns the value for the side to move, which cannot win at once.
    fn search(&mut self, own: u64, stones: u64, depth: u32) -> f64 {
        let playable = self.geometry.playable(stones);
        if depth < 2 || playable == 0 {
            return 0.0;
        }
        // The continuations that lose at once: all but the one that stops a four, and those right below one.
        let threats = self.geometry.fours(own ^ stones, stones);
        let threatened = threats & playable;
        let mut losing = (threats >> 1) & playable;
        if threatened != 0 {
            losing |= playable & !threatened;
            if threatened & (threatened - 1) != 0 {
                losing = playable;
            }
        }
        let number = playable.count_ones();
        if losing == playable {
            return -WIN;
        }
        if depth == 2 {
            return 0.0 - f64::from(losing.count_ones()) / f64::from(number);
        }
        let key = self.key(own, stones);
        if depth >= MIN_STORED
            && let Some(value) = self.table.get(key)
        {
            return value;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(NODES_PER_CHECK) {
            self.is_stopped |= !(self.is_wanted)();
        }
        if self.is_stopped {
            return 0.0;
        }
        let value = self.average(own, stones, depth, playable, losing);
        if depth >= MIN_STORED && !self.is_stopped {
            self.table.set(key, value);
        }
        value
    }

    /// Returns what stands for a position in the table: together, the boards tell who owns each stone. With the lowest
    /// cells, no key is zero, as empty entries are.
    #[inline]
    fn key(&self, own: u64, stones: u64) -> u64 {
        own + stones + self.geometry.bottom()
    }

    fn average(&mut self, own: u64, stones: u64, depth: u32, playable: u64, losing: u64) -> f64 {
        if depth > MIN_STORED {
            let mut left = playable & !losing;
            while left != 0 {
                let cell = left & left.wrapping_neg();
                left ^= cell;
                self.table.prefetch(self.key(own ^ stones, stones | cell));
            }
        }
        let (mut sum, mut is_lost, mut left) = (0.0, true, playable);
        while left != 0 {
            let cell = left & left.wrapping_neg();
            left ^= cell;
            if losing & cell != 0 {
                sum -= 1.0;
                continue;
            }
            let value = self.search(own ^ stones, stones | cell, depth - 1);
            if value == -WIN {
                return WIN;
            }
            is_lost &= value == WIN;
            sum -= value.clamp(-1.0, 1.0);
        }
        if is_lost { -WIN } else { sum / f64::from(playable.count_ones()) }
    }
}
