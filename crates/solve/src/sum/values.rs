use amazons_rules::Board;
use rustc_hash::FxHashMap;

use super::games::{Game, Games, ZERO};
use super::search::{Sum, SumSearch};
use super::shapes::{Grid, Shape};
use super::walls::ONE;
use crate::fill::Own;
use crate::state::{FILL_NODES, State};
use crate::{Bits, Filler, Graph, Region, Stones};

/// A region with more free vertices is not valued.
const MAX_FREE: u32 = 10;
/// Moves and comparisons that the values of a position's regions may take.
const MAX_STEPS: u32 = 1 << 19;
/// Such steps that are earned by each position with several regions, so that search and values share the time.
const EARNED: u64 = 2;
/// The number of regions from which on values may be found before they are earned.
const MANY: usize = 3;
/// Bytes of memory for each result, about.
const RESULT_BYTES: usize = 256;

/// The values of regions, and who wins sums of them.
#[derive(Clone, Debug)]
pub(crate) struct Sums<const W: usize> {
    grid: Grid,
    min_free: u32,
    games: Games,
    search: SumSearch,
    /// Values for the side whose queens come first.
    regions: FxHashMap<Region<W>, Game>,
    shapes: FxHashMap<Shape, Game>,
    /// Results to be kept at most.
    capacity: usize,
    /// Steps that may still be taken: before they are earned, and others.
    advance: u64,
    earned: u64,
}

impl<const W: usize> Sums<W> {
    /// Prepares for a board, with about as much memory; smaller sums than of `min_free` free vertices are not valued.
    pub(crate) fn new(board: &Board, graph: &Graph<W>, bytes: usize, min_free: u32) -> Self {
        Self {
            min_free,
            grid: Grid::new(board, graph),
            games: Games::new(),
            search: SumSearch::default(),
            regions: FxHashMap::default(),
            shapes: FxHashMap::default(),
            capacity: bytes / RESULT_BYTES,
            advance: u64::from(MAX_STEPS),
            earned: 0,
        }
    }

    /// Returns the regions of a settled state that cancel each other or are worth a whole number, which is added to
    /// the spare moves; and whether the side to move wins, if the values of all other regions are known.
    pub(crate) fn simplify(
        &mut self,
        graph: &Graph<W>,
        filler: &mut Filler<W>,
        state: &mut State<W>,
    ) -> (Bits<W>, Option<bool>) {
        let mut gone = Bits::EMPTY;
        let may_cancel = state.own.count() == state.other.count();
        if state.free.count() < self.min_free && !may_cancel {
            return (gone, None);
        }
        let stones = Stones { free: state.free, queens: [state.own, state.other] };
        let mut regions: Vec<Region<W>> = graph.regions(stones).collect();
        self.cancel(&mut regions, &mut gone);
        let free = || regions.iter().map(|region| region.free.count());
        if free().sum::<u32>() < self.min_free || free().any(|free| free > MAX_FREE) {
            return (gone, None);
        }
        self.make_room();
        self.earned += EARNED;
        let advance = if regions.len() < MANY { 0 } else { self.advance };
        let steps = u32::try_from(self.earned + advance).unwrap_or(MAX_STEPS).min(MAX_STEPS);
        self.games.steps = steps;
        let wins = self.winner(graph, filler, state, &regions, &mut gone);
        let taken = u64::from(steps - self.games.steps);
        self.advance -= taken.saturating_sub(self.earned);
        self.earned = self.earned.saturating_sub(taken);
        (gone, wins)
    }

    fn winner(
        &mut self,
        graph: &Graph<W>,
        filler: &mut Filler<W>,
        state: &mut State<W>,
        regions: &[Region<W>],
        gone: &mut Bits<W>,
    ) -> Option<bool> {
        let mut sum = Some(Sum::default());
        for &region in regions {
            let value = self.value(graph, filler, region);
            match value.map(|value| (value, self.games.number(value))) {
                Some((_, Some(number))) if number % ONE == 0 => {
                    state.spare += i32::try_from(number / ONE).ok()?;
                    *gone |= all(region);
                }
                Some((value, _)) => sum = sum.and_then(|sum| sum.plus(&mut self.games, value)),
                None => sum = None,
            }
        }
        self.search.left_wins(&mut self.games, &sum?.plus_whole(state.spare), true)
    }

    /// Drops pairs of a region and its negative.
    fn cancel(&mut self, regions: &mut Vec<Region<W>>, gone: &mut Bits<W>) {
        let mut index = 0;
        while index < regions.len() {
            let region = regions[index];
            let counts = |region: Region<W>| [region.free, region.queens[0], region.queens[1]].map(Bits::count);
            let [free, left, right] = counts(region);
            let twin = (index + 1..regions.len()).find(|&other| {
                counts(regions[other]) == [free, right, left]
                    && self.grid.shape(regions[other], false) == self.grid.shape(region, true)
            });
            if let Some(twin) = twin {
                *gone |= all(regions.swap_remove(twin)) | all(regions.swap_remove(index));
            } else {
                index += 1;
            }
        }
    }

    fn make_room(&mut self) {
        if self.games.len() + self.search.len() + self.regions.len() + self.shapes.len() > self.capacity {
            self.games = Games::new();
            self.search = SumSearch::default();
            self.regions.clear();
            self.shapes.clear();
        }
    }

    /// Returns the value of a region; `None` if it is too large.
    fn value(&mut self, graph: &Graph<W>, filler: &mut Filler<W>, region: Region<W>) -> Option<Game> {
        if let Some(&known) = self.regions.get(&region) {
            return Some(known);
        }
        self.games.step()?;
        let shape = self.grid.shape(region, false);
        let value = match self.shapes.get(&shape) {
            Some(&known) => known,
            None => {
                let value = self.value_of_moves(graph, filler, region)?;
                self.shapes.insert(shape, value);
                value
            }
        };
        self.regions.insert(region, value);
        Some(value)
    }

    fn value_of_moves(&mut self, graph: &Graph<W>, filler: &mut Filler<W>, region: Region<W>) -> Option<Game> {
        let mut options = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            for from in region.queens[side] {
                let lifted = region.free | Bits::single(from);
                for to in graph.slides(from, region.free) {
                    for arrow in graph.slides(to, lifted ^ Bits::single(to)) {
                        self.games.step()?;
                        let mut queens = region.queens;
                        queens[side] ^= Bits::single(from) | Bits::single(to);
                        let free = lifted ^ Bits::single(to) ^ Bits::single(arrow);
                        let option = self.value_of_parts(graph, filler, Stones { free, queens })?;
                        options[side].push(option);
                    }
                }
            }
        }
        self.games.of_options(options)
    }

    /// Adds the values of the regions into which a move may have split one.
    fn value_of_parts(&mut self, graph: &Graph<W>, filler: &mut Filler<W>, stones: Stones<W>) -> Option<Game> {
        let mut sum = ZERO;
        for part in graph.regions(stones) {
            let value = match part.queens.map(Bits::is_empty) {
                [false, false] => self.value(graph, filler, part)?,
                [is_right, _] => {
                    let queens = part.queens[usize::from(is_right)];
                    let own = Own { free: part.free, queens, doors: Bits::EMPTY };
                    let moves = i64::from(filler.fill_behind(graph, own, FILL_NODES, &mut || true).exact()?);
                    self.games.of_number(if is_right { -moves } else { moves } * ONE)?
                }
            };
            sum = self.games.add(sum, value)?;
        }
        Some(sum)
    }
}

fn all<const W: usize>(region: Region<W>) -> Bits<W> {
    region.free | region.queens[0] | region.queens[1]
}
