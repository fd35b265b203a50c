use amazons_rules::Board;

use crate::{Graph, Region};

/// What stands on the squares of a region's bounding box, row by row; first its width.
///
/// Regions of the same shape are the same game, wherever they lie on the board.
pub(super) type Shape = Box<[u8]>;

/// The columns and rows of a board's vertices, if steps and slides are those of a grid.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    places: Option<Vec<[u8; 2]>>,
}

impl Grid {
    pub(super) fn new<const W: usize>(board: &Board, graph: &Graph<W>) -> Self {
        let columns = board.columns();
        let place = |&vertex: &u32| Some([vertex % columns, vertex / columns].map(u8::try_from));
        let places = graph.vertices().iter().map(place).map(|place| match place {
            Some([Ok(column), Ok(row)]) => Some([column, row]),
            _ => None,
        });
        let places: Option<Vec<[u8; 2]>> = places.collect();
        Self { places: places.filter(|places| is_grid(graph, places)) }
    }

    /// Returns the least of a region's eight mirror images; with a foreign numbering the region itself.
    pub(super) fn shape<const W: usize>(&self, region: Region<W>, has_turned_colors: bool) -> Shape {
        let [one, other] = region.queens;
        let [left, right] = if has_turned_colors { [other, one] } else { [one, other] };
        let content = |index: usize| match () {
            () if region.free.contains(index) => 1,
            () if left.contains(index) => 2,
            () if right.contains(index) => 3,
            () => 0,
        };
        let all = region.free | one | other;
        let Some(places) = &self.places else {
            return all.flat_map(|index| [index as u8, content(index)]).collect();
        };
        let squares: Vec<([u8; 2], u8)> = all.map(|index| (places[index], content(index))).collect();
        (0..8).map(|image| picture(&squares, image)).min().unwrap_or_default()
    }
}

/// Draws squares turned or mirrored.
fn picture(squares: &[([u8; 2], u8)], image: u8) -> Shape {
    let turned = |[column, row]: [u8; 2]| {
        let column = if image & 1 == 0 { column } else { u8::MAX - column };
        let row = if image & 2 == 0 { row } else { u8::MAX - row };
        if image & 4 == 0 { [column, row] } else { [row, column] }
    };
    let (mut low, mut high) = ([u8::MAX; 2], [0; 2]);
    for &(place, _) in squares {
        for (axis, at) in turned(place).into_iter().enumerate() {
            low[axis] = low[axis].min(at);
            high[axis] = high[axis].max(at);
        }
    }
    let [width, height] = [0, 1].map(|axis| usize::from(high[axis] - low[axis]) + 1);
    let mut shape = vec![0; 1 + width * height];
    shape[0] = width as u8;
    for &(place, content) in squares {
        let [column, row] = turned(place);
        shape[1 + usize::from(row - low[1]) * width + usize::from(column - low[0])] = content;
    }
    shape.into()
}

/// Returns whether each vertex sees, along each ray, the vertices that the grid's eight directions give.
fn is_grid<const W: usize>(graph: &Graph<W>, places: &[[u8; 2]]) -> bool {
    let at = |column: i16, row: i16| places.iter().position(|&[c, r]| (i16::from(c), i16::from(r)) == (column, row));
    let sorted = |mut rays: Vec<Vec<usize>>| {
        rays.sort_unstable();
        rays
    };
    let directions = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&step| step != (0, 0));
    (0..graph.len()).all(|from| {
        let [column, row] = places[from].map(i16::from);
        let ray = |(dx, dy): (i16, i16)| -> Vec<usize> { (1..).map_while(|k| at(column + k * dx, row + k * dy)).collect() };
        let rays = directions.clone().map(ray).filter(|ray| !ray.is_empty()).collect();
        sorted(rays) == sorted(graph.rays_from(from))
    })
}
