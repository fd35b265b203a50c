//! Bounds of scores from a plan that the opponent of the side to move can follow to the end.
//!
//! It answers each stone with one above it, and so gets every second cell of each column ("claimeven" in V. Allis, A
//! Knowledge-based Approach of Connect-Four, 1988). A column with an odd number of free cells has no answer to its last
//! stone: such columns are taken in pairs, and a stone in the lowest free cell, the foot, of one is answered at the foot of
//! the other ("baseinverse"). If every line of the side to move then has a cell that it will not get, it cannot win, and
//! no stone forces another answer.

use crate::geometry::Geometry;

/// A position, with what the search knows of it.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The stones of the side to move.
    pub(super) own: u64,
    pub(super) opponent: u64,
    /// All stones.
    pub(super) stones: u64,
    /// Where a stone would come to rest.
    pub(super) playable: u64,
    /// The empty cells that would make a four of the opponent.
    pub(super) threats: u64,
}

/// Bounds from follow-up answers on boards of one size.
#[derive(Clone, Copy)]
pub(super) struct FollowUp<G> {
    geometry: G,
    all: u64,
    /// Every second row, from the highest one. In columns with an even number of free cells, whoever answers above each stone
    /// gets these cells; where the number is odd, the foot is one of them.
    upper_rows: u64,
}

impl<G: Geometry> FollowUp<G> {
    pub(super) fn new(geometry: G) -> Self {
        let height = geometry.size().height();
        let upper_rows = (0..height).rev().step_by(2).fold(0, |bits, row| bits | geometry.bottom() << row);
        Self { geometry, all: geometry.cells(), upper_rows }
    }

    /// Returns an upper bound of the score that is at most `alpha`, if the opponent's answers give one.
    #[inline]
    pub(super) fn bound(&self, view: &View, alpha: i32) -> Option<i32> {
        let odd = view.playable & self.upper_rows;
        let upper = (self.all ^ view.stones) & self.upper_rows & !odd;
        if odd.count_ones().is_multiple_of(2) {
            self.bound_by_last_stone(view, odd, upper, alpha)
        } else {
            self.bound_by_odd_threat(view, odd, upper, alpha)
        }
    }

    /// The number of columns with an odd number of free cells is even: the opponent has an answer to every stone.
    #[inline]
    fn bound_by_last_stone(&self, view: &View, odd: u64, upper: u64, alpha: i32) -> Option<i32> {
        let wins = view.threats & upper;
        let (closed, left) = self.closed(wins);
        let bound =
            if wins != 0 { -left / 2 } else { -i32::from(alpha < 0 && self.geometry.has_four(view.opponent | upper)) };
        let reach = view.own | ((self.all ^ view.stones) & !upper & !closed);
        (bound <= alpha && self.holds(reach, odd)).then_some(bound)
    }

    /// The number of such columns is odd, so that the side to move would have the last stone. But if the opponent can complete
    /// a four in one of them, with an odd number of cells above it (an odd threat), the side to move must in the end play
    /// below it.
    #[inline]
    fn bound_by_odd_threat(&self, view: &View, odd: u64, upper: u64, alpha: i32) -> Option<i32> {
        let wins = view.threats & !self.upper_rows;
        let mut columns = if wins == 0 { 0 } else { odd };
        while columns != 0 {
            let foot = columns & columns.wrapping_neg();
            columns ^= foot;
            let column = self.upwards(foot);
            let win = wins & column;
            if win == 0 {
                continue;
            }
            let end = self.upwards(win & win.wrapping_neg());
            let (closed, left) = self.closed(view.threats & upper & !column);
            // Left at the end: what is above the win, the win, and the cell below it.
            let bound = -(end.count_ones().cast_signed() + 1 + left) / 2;
            if bound > alpha {
                continue;
            }
            let taken = (upper & !column) | (column & !self.upper_rows) | end | closed;
            let reach = view.own | ((self.all ^ view.stones) & !taken);
            if self.holds(reach, odd ^ foot) {
                return Some(bound);
            }
        }
        None
    }

    /// Returns a cell and those above it.
    #[inline]
    fn upwards(&self, cell: u64) -> u64 {
        cell.wrapping_neg() & self.geometry.column(cell.trailing_zeros() / self.geometry.step())
    }

    /// Returns the cells from these wins of the opponent upwards, and their number with those right below the wins: the side
    /// to move fills everything else first, and then loses.
    #[inline]
    fn closed(&self, wins: u64) -> (u64, i32) {
        if wins == 0 {
            return (0, 0);
        }
        let closed = (2..self.geometry.size().height()).fold(wins, |closed, _| closed | (closed << 1 & self.all));
        (closed, (closed | closed >> 1).count_ones().cast_signed())
    }

    /// Returns whether no line is within reach of the side to move, which gets only one of two feet.
    #[inline]
    fn holds(&self, reach: u64, feet: u64) -> bool {
        let is_free = |without: u64| !self.geometry.has_four(reach & !without);
        if !is_free(feet) {
            return false;
        }
        if is_free(0) {
            return true;
        }
        let first = feet & feet.wrapping_neg();
        let others = feet ^ first;
        match feet.count_ones() {
            2 => is_free(first) && is_free(others),
            4 => {
                let mut partners = others;
                while partners != 0 {
                    let partner = partners & partners.wrapping_neg();
                    partners ^= partner;
                    let (third, pair) = (others ^ partner, (others ^ partner) & (others ^ partner).wrapping_neg());
                    let fourth = third ^ pair;
                    let holds = |foot: u64| is_free(foot | pair) && is_free(foot | fourth);
                    if holds(first) && holds(partner) {
                        return true;
                    }
                }
                false
            }
            _ => false,
        }
    }
}
