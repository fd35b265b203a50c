use amazons_rules::Color;

use crate::fill::Own;
use crate::{Bits, Bounds, Filler, Graph, Stones};

/// Bounds on the moves that each colour has left, including regions that both can enter.
///
/// A colour that only moves where the other cannot come is sure of its lower number of moves; the other then never gets
/// more than its upper number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MoveBounds {
    /// The bounds of each colour, by [`Color::index`].
    pub moves: [Bounds; 2],
}

impl MoveBounds {
    /// Returns by how many moves a colour is sure to outlast the other; below 0 if it is not sure to.
    pub fn margin(&self, color: Color, side_to_move: Color) -> i32 {
        let sure = self.moves[color.index()].lower.cast_signed();
        let most = self.moves[color.opposite().index()].upper.cast_signed();
        // The side to move needs one more.
        sure - most - i32::from(color == side_to_move)
    }

    /// Returns the sure winner, if any.
    pub fn winner(&self, side_to_move: Color) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.margin(color, side_to_move) >= 0)
    }
}

/// The territory of a colour's queens.
#[derive(Clone, Copy, Debug)]
struct Ground<const W: usize> {
    /// Everything that they reach.
    open: Own<W>,
    /// The part that the other side's queens cannot reach unless let in.
    safe: Own<W>,
}

impl<const W: usize> Graph<W> {
    /// Counts each colour's moves without a search.
    pub fn move_bounds(&self, stones: Stones<W>) -> MoveBounds {
        self.quick_bounds(self.grounds(stones))
    }

    /// Counts each colour's moves; numbers that may decide the winner are refined by a search of at most `nodes`
    /// positions each. It ends early when `go_on`, called for each move tried, returns false.
    pub fn sharp_bounds(
        &self,
        stones: Stones<W>,
        side_to_move: Color,
        filler: &mut Filler<W>,
        nodes: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> MoveBounds {
        let grounds = self.grounds(stones);
        let mut bounds = self.quick_bounds(grounds);
        for winner in [side_to_move, side_to_move.opposite()] {
            if bounds.winner(side_to_move).is_some() {
                break;
            }
            let (safe, open) = (grounds[winner.index()].safe, grounds[winner.opposite().index()].open);
            // A filling longer than our territory cannot be compensated.
            let most = safe.free.count() + u32::from(winner != side_to_move);
            if most <= self.walk_length(open.free, open.queens) {
                continue;
            }
            let theirs = filler.fill_behind(self, open, nodes, go_on);
            bounds.moves[winner.opposite().index()].upper = theirs.upper;
            if most > theirs.lower {
                bounds.moves[winner.index()].lower = filler.fill_behind(self, safe, nodes, go_on).lower;
            }
        }
        bounds
    }

    /// Counts each colour's moves; every number may take a search as in [`Graph::sharp_bounds`].
    pub fn full_bounds(
        &self,
        stones: Stones<W>,
        filler: &mut Filler<W>,
        nodes: u64,
        go_on: &mut dyn FnMut() -> bool,
    ) -> MoveBounds {
        let moves = self.grounds(stones).map(|Ground { open, safe }| Bounds {
            lower: filler.fill_behind(self, safe, nodes, go_on).lower,
            upper: filler.fill_behind(self, open, nodes, go_on).upper,
        });
        MoveBounds { moves }
    }

    fn grounds(&self, stones: Stones<W>) -> [Ground<W>; 2] {
        let reaches = stones.queens.map(|queens| self.reach_and_touch(queens, stones.free));
        [0, 1].map(|color| {
            let (free, queens) = (reaches[color].0 & stones.free, stones.queens[color]);
            let (others, near_others) = reaches[1 - color];
            Ground {
                open: Own { free, queens, doors: Bits::EMPTY },
                safe: Own { free: free - others, queens, doors: queens & near_others },
            }
        })
    }

    /// The walks of [`Graph::fill_bounds`] shoot back to their origin, so they shut each door behind them.
    fn quick_bounds(&self, grounds: [Ground<W>; 2]) -> MoveBounds {
        let moves = grounds.map(|Ground { open, safe }| Bounds {
            lower: self.walk_length(safe.free, safe.queens),
            upper: open.free.count(),
        });
        MoveBounds { moves }
    }
}
