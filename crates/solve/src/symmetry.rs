use amazons_rules::{Board, Vertex};

use crate::Graph;

/// The largest number of symmetries: those of a square.
pub(crate) const SYMMETRIES: usize = 8;

/// Returns the permutations of a graph's indices that map every ray to a ray, the identity first.
///
/// Candidates are the rotations and reflections of the board's layout; each is checked on the graph itself, so holes,
/// arrows and foreign graphs cannot make a wrong one.
pub(crate) fn symmetries<const W: usize>(board: &Board, graph: &Graph<W>) -> Vec<Vec<usize>> {
    let (columns, rows) = (board.columns(), board.rows());
    let turned = |mirror: usize, vertex: Vertex| {
        let (mut row, mut column) = (vertex / columns, vertex % columns);
        if mirror & 1 != 0 {
            row = rows - 1 - row;
        }
        if mirror & 2 != 0 {
            column = columns - 1 - column;
        }
        if mirror & 4 != 0 { column * columns + row } else { row * columns + column }
    };
    let mirrors = if columns == rows { SYMMETRIES } else { SYMMETRIES / 2 };
    let permutation = |mirror| -> Option<Vec<usize>> {
        let image = |&vertex: &Vertex| graph.vertices().binary_search(&turned(mirror, vertex)).ok();
        graph.vertices().iter().map(image).collect()
    };
    (0..mirrors).filter_map(permutation).filter(|images| keeps_rays(graph, images)).collect()
}

fn keeps_rays<const W: usize>(graph: &Graph<W>, images: &[usize]) -> bool {
    let sorted = |mut rays: Vec<Vec<usize>>| {
        rays.sort_unstable();
        rays
    };
    (0..graph.len()).all(|from| {
        let image = graph.rays_from(from).into_iter().map(|ray| ray.into_iter().map(|index| images[index]).collect());
        sorted(image.collect()) == sorted(graph.rays_from(images[from]))
    })
}
