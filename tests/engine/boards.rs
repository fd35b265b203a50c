//! Boards of every kind that the engine tells apart.

use std::sync::Arc;

use amazons_rules::{Board, Color, Directions, Position, Shape, Vertex};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sprs::TriMatI;

/// The same graph with its vertices and directions numbered anew.
pub(crate) fn foreign(board: &Board, seed: u64) -> Board {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut ids: Vec<usize> = (0..board.vertex_ids()).collect();
    ids.shuffle(&mut rng);
    let mut labels: Vec<u32> = (1..=8).collect();
    labels.shuffle(&mut rng);
    let mut triplets = TriMatI::<u32, i32>::new((ids.len(), ids.len()));
    for (&label, (from, to)) in &board.matrix(Directions::default()) {
        triplets.add_triplet(ids[from as usize], ids[to as usize], labels[label as usize - 1]);
    }
    Board::from_matrix(&triplets.to_csr().view(), board.columns()).expect("a consistent graph")
}

/// A grid without the edges of one axis: no king's graph.
pub(crate) fn without_an_axis(m: u32) -> Board {
    let grid = Board::new(Shape::Square, m).expect("legal size");
    let mut triplets = TriMatI::<u32, i32>::new((grid.vertex_ids(), grid.vertex_ids()));
    for (&label, (from, to)) in grid.matrix(Directions::default()).iter().filter(|(label, _)| *label % 4 != 2) {
        triplets.add_triplet(from as usize, to as usize, label);
    }
    Board::from_matrix(&triplets.to_csr().view(), m).expect("a consistent graph")
}

/// Every position of a random game; a board without starting queens gets some.
pub(crate) fn game(board: &Arc<Board>, seed: u64) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::start(Arc::clone(board));
    if !position.has_moves() {
        let mut free: Vec<Vertex> = board.vertices().collect();
        free.shuffle(&mut rng);
        let mut draw = |_| free.pop().expect("a large enough board");
        let queens = [0, 1].map(|_| (0..rng.random_range(1..6)).map(&mut draw).collect());
        position = Position::new(Arc::clone(board), queens, &[], Color::ALL[rng.random_range(0..2)]).expect("distinct");
    }
    let mut game = vec![position.clone()];
    while let Some(mv) = position.random_move(&mut rng) {
        position.play_unchecked(mv);
        game.push(position.clone());
    }
    game
}
