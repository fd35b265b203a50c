//! The race of a position: each colour's own moves, counted region by region, whatever else the board has.

use amazons_rules::{Color, Position};
use amazons_solve::{Bits, Bounds, Filler, Graph, Stones};

/// Each colour's remaining own moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Race {
    /// Black's moves in regions with only black queens.
    pub(crate) black: Bounds,
    /// White's moves in regions with only white queens.
    pub(crate) white: Bounds,
    /// The number of free vertices in regions with queens of both colours: 0 when the game is only a race.
    pub(crate) contested: u32,
    /// Whether a region has queens of both colours, with or without free vertices.
    pub(crate) shared: bool,
}

impl Race {
    /// Counts the race of a small board, exactly while regions are small.
    pub(crate) fn of(position: &Position) -> Self {
        let (graph, stones) = Graph::<4>::of_position(position).expect("a small board");
        let mut filler = Filler::new(1 << 14);
        Self::with(&graph, stones, |graph, free, queens| filler.fill(graph, free, queens, 200_000))
    }

    /// Counts the race of stones, with any way to bound the moves in one colour's own region.
    pub(crate) fn with<const W: usize>(
        graph: &Graph<W>,
        stones: Stones<W>,
        mut fill: impl FnMut(&Graph<W>, Bits<W>, Bits<W>) -> Bounds,
    ) -> Self {
        let mut race = Self::default();
        for region in graph.regions(stones) {
            match region.owner() {
                Some(Color::Black) => race.black += fill(graph, region.free, region.queens[0]),
                Some(Color::White) => race.white += fill(graph, region.free, region.queens[1]),
                None => {
                    race.contested += region.free.count();
                    race.shared = true;
                }
            }
        }
        race
    }

    /// Returns the winner with best play, if counting decides: one side's own moves outnumber all that the other could
    /// ever make.
    pub(crate) fn outcome(&self, side_to_move: Color) -> Option<Color> {
        let (own, other) = match side_to_move {
            Color::Black => (self.black, self.white),
            Color::White => (self.white, self.black),
        };
        if own.lower > other.upper + self.contested {
            Some(side_to_move)
        } else if other.lower >= own.upper + self.contested {
            Some(side_to_move.opposite())
        } else {
            None
        }
    }
}
