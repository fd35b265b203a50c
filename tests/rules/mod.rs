//! Boards, positions, legality, move generation, notation.

mod boards;
mod generation;
mod graphs;
mod legality;
mod notation;
mod perft;
mod random;
pub(crate) mod slow;
mod text;

use std::sync::Arc;

use amazons_rules::{Board, Color, Directions, Position};
use sprs::TriMatI;

/// The same position with its vertices in another order, which is no grid.
pub(crate) fn renumbered(position: &Position, order: &[u32]) -> Position {
    let mut edges = TriMatI::<u32, i32>::new((order.len(), order.len()));
    for (&label, (from, to)) in &position.board().matrix(Directions::Subject) {
        edges.add_triplet(order[from as usize] as usize, order[to as usize] as usize, label);
    }
    let board = Board::from_matrix(&edges.to_csr::<i32>().view(), position.board().columns()).expect("a board");
    let queens = Color::ALL.map(|color| position.queens(color).iter().map(|&at| order[at as usize]).collect());
    let arrows: Vec<u32> = position.arrows().map(|at| order[at as usize]).collect();
    Position::new(Arc::new(board), queens, &arrows, position.side_to_move()).expect("a position")
}
