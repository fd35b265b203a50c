use std::collections::HashMap;

use amazons_rules::Board;

use super::games::{Game, Games, ZERO};
use super::search::{Sum, SumSearch};
use super::shapes::{Grid, Shape};
use super::walls::ONE;
use crate::fill::Own;
use crate::state::{FILL_NODES, State};
use crate::{Bits, Filler, Graph, Region};

/// A region with more free vertices is not valued.
const MAX_FREE: u32 = 10;
/// Comparisons for the value of a region and for the winner of a sum.
const MAX_STEPS: u32 = 400_000;

/// The values of regions, and who wins sums of them.
#[derive(Clone, Debug)]
pub(crate) struct Sums<const W: usize> {
    grid: Grid,
    games: Games,
    search: SumSearch,
    /// Values for the side whose queens come first; `None` for those that are too large.
    regions: HashMap<Region<W>, Option<Game>>,
    shapes: HashMap<Shape, Option<Game>>,
    most: usize,
}

impl<const W: usize> Sums<W> {
    /// Prepares for a board; about `most` results are kept.
    pub(crate) fn new(board: &Board, graph: &Graph<W>, most: usize) -> Self {
        let (grid, games) = (Grid::new(board, graph), Games::new());
        Self { grid, games, search: SumSearch::default(), regions: HashMap::new(), shapes: HashMap::new(), most }
    }

    /// Takes regions that cancel each other, and those whose values are whole numbers, off a settled state; returns
    /// whether the side to move wins, if the values of all regions are known.
    pub(crate) fn simplify(
        &mut self,
        graph: &Graph<W>,
        filler: &mut Filler<W>,
        state: &mut State<W>,
    ) -> (Bits<W>, Option<bool>) {
        let stones = crate::Stones { free: state.free, queens: [state.own, state.other] };
        let mut regions: Vec<Region<W>> = graph.regions(stones).collect();
        if regions.len() < 2 {
            return (Bits::EMPTY, None);
        }
        self.make_room();
        let mut gone = Bits::EMPTY;
        self.cancel(&mut regions, &mut gone);
        let mut sum = Sum::default();
        let mut are_all_known = true;
        for &region in &regions {
            self.games.steps = MAX_STEPS;
            let value = self.value(graph, filler, region);
            match value.map(|value| (value, self.games.number(value))) {
                Some((_, Some(number))) if number % ONE == 0 => {
                    state.spare += i32::try_from(number / ONE).unwrap_or_default();
                    gone |= all(region);
                }
                Some((value, _)) => are_all_known &= sum.add(&mut self.games, value).is_some(),
                None => are_all_known = false,
            }
        }
        if !are_all_known || regions.is_empty() {
            return (gone, None);
        }
        sum.add_whole(state.spare);
        self.games.steps = MAX_STEPS;
        (gone, self.search.left_wins(&mut self.games, &sum, true))
    }

    /// Drops pairs of a region and its negative.
    fn cancel(&mut self, regions: &mut Vec<Region<W>>, gone: &mut Bits<W>) {
        let mut index = 0;
        while index < regions.len() {
            let negative = self.grid.shape(regions[index], true);
            let twin = (index + 1..regions.len()).find(|&other| {
                all(regions[other]).count() == all(regions[index]).count()
                    && self.grid.shape(regions[other], false) == negative
            });
            if let Some(twin) = twin {
                *gone |= all(regions.swap_remove(twin)) | all(regions.swap_remove(index));
            } else {
                index += 1;
            }
        }
    }

    fn make_room(&mut self) {
        if self.games.len() + self.search.len() + self.regions.len() + self.shapes.len() > self.most {
            self.games = Games::new();
            self.search = SumSearch::default();
            self.regions.clear();
            self.shapes.clear();
        }
    }

    /// Returns the value of a region; `None` if it is too large.
    fn value(&mut self, graph: &Graph<W>, filler: &mut Filler<W>, region: Region<W>) -> Option<Game> {
        if region.free.count() > MAX_FREE {
            return None;
        }
        if let Some(&known) = self.regions.get(&region) {
            return known;
        }
        let shape = self.grid.shape(region, false);
        let known = self.shapes.get(&shape).copied();
        let value = known.unwrap_or_else(|| {
            let value = self.value_of_moves(graph, filler, region);
            self.shapes.insert(shape, value);
            value
        });
        self.regions.insert(region, value);
        value
    }

    fn value_of_moves(&mut self, graph: &Graph<W>, filler: &mut Filler<W>, region: Region<W>) -> Option<Game> {
        let mut options = [Vec::new(), Vec::new()];
        for side in [0, 1] {
            for from in region.queens[side] {
                let lifted = region.free | Bits::single(from);
                for to in graph.slides(from, region.free) {
                    for arrow in graph.slides(to, lifted ^ Bits::single(to)) {
                        let mut queens = region.queens;
                        queens[side] ^= Bits::single(from) | Bits::single(to);
                        let free = lifted ^ Bits::single(to) ^ Bits::single(arrow);
                        let option = self.value_of_parts(graph, filler, crate::Stones { free, queens })?;
                        options[side].push(option);
                    }
                }
            }
        }
        self.games.of_options(options)
    }

    /// Adds the values of the regions into which a move may have split one.
    fn value_of_parts(
        &mut self,
        graph: &Graph<W>,
        filler: &mut Filler<W>,
        stones: crate::Stones<W>,
    ) -> Option<Game> {
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
