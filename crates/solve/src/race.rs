use amazons_rules::{Color, Position};

use crate::{Bounds, Filler, Graph, Region};

/// Maximum number of positions that counting may search for each region.
const NODES: u64 = 200_000;
/// The number of results that it remembers.
const RESULTS: usize = 1 << 14;

/// Returns the winner of a position in which no queens of both colours can move in a shared region, if counting each
/// side's moves proves it. The result depends only on the position.
pub fn counted_winner(position: &Position) -> Option<Color> {
    fn on<const W: usize>(position: &Position) -> Option<Color> {
        let (graph, stones) = Graph::<W>::of_position(position).ok()?;
        let is_own = |region: Region<W>| region.owner().is_some() || region.free.is_empty();
        // Counting is expensive, and most positions are not that far.
        if !graph.regions(stones).all(is_own) {
            return None;
        }
        let (mut filler, mut moves) = (Filler::new(RESULTS), [Bounds::default(); 2]);
        for region in graph.regions(stones) {
            if let Some(owner) = region.owner() {
                moves[owner.index()] += filler.fill(&graph, region.free, region.queens[owner.index()], NODES);
            }
        }
        let side = position.side_to_move();
        let [own, other] = [side, side.opposite()].map(|color| moves[color.index()]);
        if own.lower > other.upper { Some(side) } else { (other.lower >= own.upper).then_some(side.opposite()) }
    }
    match live_vertices(position) {
        0..=64 => on::<1>(position),
        65..=128 => on::<2>(position),
        129..=256 => on::<4>(position),
        _ => on::<16>(position),
    }
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
