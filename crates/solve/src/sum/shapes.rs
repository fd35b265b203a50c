use amazons_rules::Board;

use crate::state::scramble;
use crate::{Graph, Region};

/// Identifies what stands where in a region, wherever it lies on the board and however it is turned: regions of one
/// shape are the same game. Two random-looking 64-bit sums must agree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Shape([u64; 2]);

/// The columns and rows of a graph's vertices.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Nothing if steps and slides are not those of a grid: then no two regions have the same shape.
    places: Option<Vec<[i16; 2]>>,
}

impl Grid {
    pub(super) fn new<const W: usize>(board: &Board, graph: &Graph<W>) -> Self {
        let columns = board.columns();
        let place = |vertex: u32| Some([i16::try_from(vertex % columns).ok()?, i16::try_from(vertex / columns).ok()?]);
        let places: Option<Vec<[i16; 2]>> = graph.vertices().iter().map(|&vertex| place(vertex)).collect();
        Self { places: places.filter(|places| is_grid(graph, places)) }
    }

    /// Returns the shape of a region, with the queens' colours as they are or exchanged.
    pub(super) fn shape<const W: usize>(&self, region: Region<W>, are_colors_exchanged: bool) -> Shape {
        let [mut left, mut right] = region.queens;
        if are_colors_exchanged {
            std::mem::swap(&mut left, &mut right);
        }
        let squares = [(region.free, 0), (left, 1), (right, 2)];
        let squares = || squares.into_iter().flat_map(|(set, content)| set.map(move |index| (index, content)));
        let Some(places) = &self.places else {
            return sum_of(squares().map(|(index, content)| (index, 0, content)));
        };
        let (mut low, mut high) = ([i16::MAX; 2], [i16::MIN; 2]);
        for (index, _) in squares() {
            for axis in [0, 1] {
                low[axis] = low[axis].min(places[index][axis]);
                high[axis] = high[axis].max(places[index][axis]);
            }
        }
        let image = |image: u8| {
            sum_of(squares().map(|(index, content)| {
                let from_edge = |axis: usize| {
                    let place = places[index][axis];
                    let is_mirrored = image >> axis & 1 == 1;
                    usize::from((if is_mirrored { high[axis] - place } else { place - low[axis] }).cast_unsigned())
                };
                let [column, row] = if image & 4 == 0 { [0, 1] } else { [1, 0] };
                (from_edge(column), from_edge(row), content)
            }))
        };
        (0..8).map(image).min().unwrap_or(Shape([0; 2]))
    }
}

/// Adds up codes of squares: column, row, content.
fn sum_of(squares: impl Iterator<Item = (usize, usize, usize)>) -> Shape {
    squares.fold(Shape([0; 2]), |Shape([one, other]), (column, row, content)| {
        let code = scramble((column << 32 | row << 4 | content) as u64);
        Shape([one.wrapping_add(code), other.wrapping_add(scramble(code))])
    })
}

/// Returns whether each vertex sees, along each ray, the vertices that the grid's eight directions give.
fn is_grid<const W: usize>(graph: &Graph<W>, places: &[[i16; 2]]) -> bool {
    let at = |place: [i16; 2]| places.iter().position(|&other| other == place);
    let sorted = |mut rays: Vec<Vec<usize>>| {
        rays.sort_unstable();
        rays
    };
    let directions = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| [dx, dy])).filter(|&step| step != [0, 0]);
    (0..graph.len()).all(|from| {
        let [column, row] = places[from];
        let ray = |[dx, dy]: [i16; 2]| (1..).map_while(|k| at([column + k * dx, row + k * dy])).collect();
        let rays = directions.clone().map(ray).filter(|ray: &Vec<usize>| !ray.is_empty()).collect();
        sorted(rays) == sorted(graph.rays_from(from))
    })
}
