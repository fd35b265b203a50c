//! The slow twins of the solver: every move tried on the rules' own positions.

use std::collections::HashMap;
use std::sync::Arc;

use amazons_rules::{Board, Color, MoveList, Position, Shape, Vertex};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Tells whether the side to move wins, by plain minimax.
pub(crate) fn wins(position: &Position) -> bool {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut next = position.clone();
    moves.iter().any(|&mv| {
        next.clone_from(position);
        next.play_unchecked(mv);
        !wins(&next)
    })
}

/// Returns the largest number of moves that a colour can make in a row.
pub(crate) fn filling(position: &Position, color: Color) -> u32 {
    fn from(position: &Position, color: Color, known: &mut HashMap<String, u32>) -> u32 {
        let name = position.to_string();
        if let Some(&moves) = known.get(&name) {
            return moves;
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let best = moves.iter().map(|&mv| {
            let mut next = position.clone();
            next.play_unchecked(mv);
            1 + from(&with_turn(&next, color), color, known)
        });
        let best = best.max().unwrap_or(0);
        known.insert(name, best);
        best
    }
    from(&with_turn(position, color), color, &mut HashMap::new())
}

/// Returns the position with the given side to move.
pub(crate) fn with_turn(position: &Position, color: Color) -> Position {
    let queens = Color::ALL.map(|color| position.queens(color).to_vec());
    let arrows: Vec<Vertex> = position.arrows().collect();
    Position::new(Arc::clone(position.board()), queens, &arrows, color).expect("the same stones")
}

/// The boards of the tests: the smallest of each shape, and rectangles from 3 x 3 to 4 x 4.
pub(crate) fn boards() -> Vec<Arc<Board>> {
    let shapes = Shape::ALL.into_iter().map(|shape| Board::new(shape, 5));
    let rectangles =
        [(3, 3), (4, 3), (3, 4), (4, 4)].into_iter().map(|(columns, rows)| Board::rectangle(columns, rows));
    shapes.chain(rectangles).map(|board| Arc::new(board.expect("a legal size"))).collect()
}

/// Scatters queens and so many arrows that `free` vertices are left if there is room; the seed decides where.
pub(crate) fn scattered(board: &Arc<Board>, queens: [usize; 2], free: usize, seed: u64) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut vertices: Vec<Vertex> = board.vertices().collect();
    let mut draw = |count: usize| -> Vec<Vertex> {
        (0..count).map(|_| vertices.swap_remove(rng.random_range(0..vertices.len()))).collect()
    };
    let queens = queens.map(&mut draw);
    let room = board.vertex_count() - queens[0].len() - queens[1].len();
    let kept = draw(free.min(room));
    let arrows: Vec<Vertex> = vertices.into_iter().filter(|vertex| !kept.contains(vertex)).collect();
    Position::new(Arc::clone(board), queens, &arrows, Color::ALL[(seed % 2) as usize]).expect("distinct vertices")
}
