use amazons_rules::Color;

use crate::{Bits, Bounds, Graph, Stones};

/// A connected part of the board between arrows: free vertices, and queens next to them or to each other.
///
/// Moves in one region do not affect another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Region<const W: usize> {
    /// The free vertices.
    pub free: Bits<W>,
    /// The vertices of each colour's queens, by [`Color::index`].
    pub queens: [Bits<W>; 2],
}

impl<const W: usize> Region<W> {
    /// Returns the colour that has all queens of the region.
    pub fn owner(&self) -> Option<Color> {
        match self.queens.map(Bits::is_empty) {
            [false, true] => Some(Color::Black),
            [true, false] => Some(Color::White),
            _ => None,
        }
    }
}

impl<const W: usize> Graph<W> {
    /// Splits stones into regions; free vertices that no queen can ever reach are not in any.
    pub fn regions(&self, stones: Stones<W>) -> impl Iterator<Item = Region<W>> + '_ {
        let [black, white] = stones.queens;
        let live = stones.free | black | white;
        let mut queens = black | white;
        std::iter::from_fn(move || {
            let all = self.reach(Bits::single(queens.lowest()?), live);
            queens -= all;
            Some(Region { free: all & stones.free, queens: [all & black, all & white] })
        })
    }

    /// Bounds the moves of queens of one colour in a region of their own, without a search.
    ///
    /// Every move takes a vertex for its arrow, so there are at most as many moves as free vertices in reach. The lower
    /// bound is the length of a walk: each queen in turn steps to the neighbour with the fewest exits and shoots back
    /// to its origin, until it is shut in.
    pub fn fill_bounds(&self, free: Bits<W>, queens: Bits<W>) -> Bounds {
        let within = self.reach(queens, free) & free;
        Bounds { lower: self.walk_length(within, queens), upper: within.count() }
    }

    /// Returns the length of the walk of [`Graph::fill_bounds`].
    pub(crate) fn walk_length(&self, mut free: Bits<W>, queens: Bits<W>) -> u32 {
        let mut moves = 0;
        for queen in queens {
            let mut ways = self.near(queen) & free;
            loop {
                let (mut next, mut fewest) = (None, 0);
                for step in ways {
                    // A dead end counts as the largest number, so it is entered only as a last resort.
                    let onward = (self.near(step) & free).count().wrapping_sub(1);
                    if next.is_none() || onward < fewest {
                        (next, fewest) = (Some(step), onward);
                    }
                }
                let Some(next) = next else { break };
                free -= Bits::single(next);
                moves += 1;
                ways = self.near(next) & free;
            }
        }
        moves
    }
}
