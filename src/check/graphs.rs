//! Graphs as other servers build them.

use std::sync::Arc;

use amazons_player::GraphFields;
use amazons_player::abi::{SPMATRIX_COO, SPMATRIX_CSR};
use amazons_rules::{Board, Color, Directions, Position, Vertex};
use sprs::{CsMatI, TriMatI};

use super::step::CheckStep;

/// A graph in place of the board's own.
#[derive(Clone, Debug)]
pub(super) struct ForeignGraph {
    pub(super) matrix: CsMatI<u32, i32>,
    pub(super) fields: GraphFields,
}

/// Describes a start position in another server's way, and returns the position for its moves.
pub(super) fn foreign(
    step: CheckStep,
    position: &Position,
    directions: Directions,
) -> Option<(Position, ForeignGraph)> {
    let board = position.board();
    let matrix = board.matrix(directions);
    let ids = matrix.rows();
    let vertices: Vec<Vertex> = board.vertices().collect();
    let all = u32::try_from(ids).ok()?;
    let some = u32::try_from(vertices.len()).ok()?;
    let edges: Vec<Edge> = edges_of(&matrix);
    Some(match step {
        CheckStep::CompactCount => (position.clone(), csr(matrix, some)),
        CheckStep::Rectangular => {
            let rank = |id: usize| vertices.iter().position(|&vertex| vertex as usize == id);
            let compact = |&(from, to, label): &Edge| Some((rank(from)?, rank(to)?, label));
            let edges: Vec<Edge> = edges.iter().filter_map(compact).collect();
            let square = filled((vertices.len(), vertices.len()), &edges);
            let wide = filled((vertices.len(), ids), &edges);
            let queen = |&vertex: &Vertex| rank(vertex as usize).and_then(|rank| Vertex::try_from(rank).ok());
            let queens = Color::ALL.map(|color| position.queens(color).iter().filter_map(queen).collect());
            let position = on_graph(&square, some, queens, position.side_to_move())?;
            (position, csr(wide, some))
        }
        CheckStep::FourDirections => {
            // In both numberings, odd labels are north, south, east and west.
            let straight: Vec<Edge> = edges.into_iter().filter(|edge| edge.2 % 2 == 1).collect();
            let matrix = filled((ids, ids), &straight);
            let queens = Color::ALL.map(|color| position.queens(color).to_vec());
            let position = on_graph(&matrix, board.columns(), queens, position.side_to_move())?;
            (position, csr(matrix, all))
        }
        CheckStep::ExplicitZeros => {
            // What a server gets that cuts holes into a full grid by zeroing edges.
            let grid = Board::rectangle(board.columns(), board.rows()).ok()?.matrix(directions);
            let cut = |&(from, to, label): &Edge| (from, to, matrix.get(from, to).map_or(0, |_| label));
            let cut: Vec<Edge> = edges_of(&grid).iter().map(cut).collect();
            (position.clone(), csr(filled((ids, ids), &cut), all))
        }
        CheckStep::CsrAsCoo => {
            let fields = GraphFields { num_vertices: all, sptype: SPMATRIX_COO };
            (position.clone(), ForeignGraph { matrix, fields })
        }
        CheckStep::OneWayEdges => {
            // What a server gets that does not check the left border: from the bottom corner, two steps to the left.
            let columns = board.columns() as usize;
            let corner = ids.checked_sub(columns)?;
            let to_the_left =
                Directions::default().steps().into_iter().filter(|&(down, right, _)| down < 1 && right < 0);
            let stray =
                |(down, _, label)| Some((corner, corner.checked_sub(1 + columns * usize::from(down < 0))?, label));
            let stray: Vec<Edge> = to_the_left.map(stray).collect::<Option<_>>()?;
            (position.clone(), csr(filled((ids, ids), &[edges, stray].concat()), all))
        }
        _ => return None,
    })
}

fn csr(matrix: CsMatI<u32, i32>, num_vertices: u32) -> ForeignGraph {
    ForeignGraph { matrix, fields: GraphFields { num_vertices, sptype: SPMATRIX_CSR } }
}

/// An edge: from, to, direction.
type Edge = (usize, usize, u32);

fn edges_of(matrix: &CsMatI<u32, i32>) -> Vec<Edge> {
    let rows = matrix.outer_iterator().enumerate();
    rows.flat_map(|(from, row)| row.iter().map(|(to, &label)| (from, to, label)).collect::<Vec<_>>()).collect()
}

fn filled(shape: (usize, usize), edges: &[Edge]) -> CsMatI<u32, i32> {
    let mut triples = TriMatI::new(shape);
    edges.iter().for_each(|&(from, to, label)| triples.add_triplet(from, to, label));
    triples.to_csr()
}

fn on_graph(
    matrix: &CsMatI<u32, i32>,
    columns: u32,
    queens: [Vec<Vertex>; 2],
    side_to_move: Color,
) -> Option<Position> {
    let board = Board::from_matrix(&matrix.view(), columns).ok()?;
    Position::new(Arc::new(board), queens, &[], side_to_move).ok()
}
