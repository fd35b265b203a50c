use amazons_rules::{Color, Position};

use crate::{Bounds, Filler, Graph, Stones, TooManyVertices};

/// Maximum number of positions that a call of [`race`] may search for each region.
const NODES: u64 = 200_000;
/// The number of results that a call of [`race`] remembers.
const RESULTS: usize = 1 << 14;

/// Each colour's remaining own moves, once no region is shared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Race {
    /// Black's moves in regions with only black queens.
    pub black: Bounds,
    /// White's moves in regions with only white queens.
    pub white: Bounds,
    /// The number of free vertices in regions with queens of both colours: 0 when the game is only a race.
    pub contested: u32,
    /// Whether a region has queens of both colours, with or without free vertices.
    pub shared: bool,
}

impl Race {
    /// Returns the winner with best play, if counting decides.
    ///
    /// Without shared regions, counting decides the game: the side to move loses unless it has more moves than the
    /// opponent. With shared regions, counting decides if one side's own moves outnumber all that the other could ever
    /// make.
    pub fn outcome(&self, side_to_move: Color) -> Option<Color> {
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

/// Bounds each colour's remaining own moves, exactly while regions are small. Fails when more than 1024 vertices have
/// no arrow.
pub fn race(position: &Position) -> Result<Race, TooManyVertices> {
    fn on<const W: usize>(position: &Position) -> Result<Race, TooManyVertices> {
        let (graph, stones) = Graph::<W>::of_position(position)?;
        let mut filler = Filler::new(RESULTS);
        Ok(graph.race(stones, |graph, free, queens| filler.fill(graph, free, queens, NODES)))
    }
    match live_vertices(position) {
        0..=64 => on::<1>(position),
        65..=128 => on::<2>(position),
        129..=256 => on::<4>(position),
        _ => on::<16>(position),
    }
}

/// Returns the winner of a position in which no queens of both colours can move in a shared region, if counting each
/// side's moves proves it. The result depends only on the position.
pub fn counted_winner(position: &Position) -> Option<Color> {
    fn is_split<const W: usize>(position: &Position) -> bool {
        let split = Graph::<W>::of_position(position).map(|(graph, stones)| {
            graph.regions(stones).all(|region| region.owner().is_some() || region.free.is_empty())
        });
        split.unwrap_or(false)
    }
    let is_split = match live_vertices(position) {
        0..=64 => is_split::<1>(position),
        65..=128 => is_split::<2>(position),
        129..=256 => is_split::<4>(position),
        _ => is_split::<16>(position),
    };
    // Counting is expensive, and most positions are not that far.
    if is_split { race(position).ok()?.outcome(position.side_to_move()) } else { None }
}

/// Calls a function that is generic in the width of its sets with the smallest one that holds a position of at most 256
/// live vertices.
macro_rules! with_width {
    ($function:ident($position:expr $(, $argument:expr)*)) => {
        match $crate::race::live_vertices($position) {
            0..=64 => $function::<1>($position $(, $argument)*),
            65..=128 => $function::<2>($position $(, $argument)*),
            _ => $function::<4>($position $(, $argument)*),
        }
    };
}
pub(crate) use with_width;

/// Counts the vertices without an arrow.
pub(crate) fn live_vertices(position: &Position) -> usize {
    let free = position.free_vertices();
    free + Color::ALL.into_iter().map(|color| position.queens(color).len()).sum::<usize>()
}

impl<const W: usize> Graph<W> {
    /// Counts the race of stones, with any way to bound the moves in one colour's own region.
    pub fn race(
        &self,
        stones: Stones<W>,
        mut fill: impl FnMut(&Self, crate::Bits<W>, crate::Bits<W>) -> Bounds,
    ) -> Race {
        let mut race = Race::default();
        for region in self.regions(stones) {
            match region.owner() {
                Some(Color::Black) => race.black += fill(self, region.free, region.queens[0]),
                Some(Color::White) => race.white += fill(self, region.free, region.queens[1]),
                None => {
                    race.contested += region.free.count();
                    race.shared = true;
                }
            }
        }
        race
    }
}
