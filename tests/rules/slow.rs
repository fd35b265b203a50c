//! The slow twin of the rules: cells, rows and columns, sharing only the position's stones with the fast code.

use std::sync::Arc;

use amazons_rules::{Board, Color, Move, Position, Shape, Vertex};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Positions of all shapes and phases; the seed is part of each.
pub(crate) fn positions() -> impl Iterator<Item = Position> {
    let boards = Shape::ALL.into_iter().flat_map(|shape| (5..=13).map(move |m| (shape, m)));
    boards.flat_map(|(shape, m)| {
        let board = Arc::new(Board::new(shape, m).expect("legal size"));
        (0..4).flat_map(move |seed| game(&board, seed))
    })
}

/// Every position of a random game.
pub(crate) fn game(board: &Arc<Board>, seed: u64) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = vec![Position::start(Arc::clone(board))];
    while let Some(mv) = game.last().and_then(|last| last.random_move(&mut rng)) {
        let mut next = game[game.len() - 1].clone();
        next.play_unchecked(mv);
        game.push(next);
    }
    game
}

/// A position with stones scattered over a board; `density` is the share of vertices with an arrow.
pub(crate) fn scattered(board: &Arc<Board>, queens: usize, density: f64, seed: u64) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut free: Vec<Vertex> = board.vertices().collect();
    let mut draw = || free.swap_remove(rng.random_range(0..free.len()));
    let queens = Color::ALL.map(|_| (0..queens).map(|_| draw()).collect());
    let arrows: Vec<Vertex> = free.into_iter().filter(|_| rng.random_bool(density)).collect();
    let side = Color::ALL[rng.random_range(0..2)];
    Position::new(Arc::clone(board), queens, &arrows, side).expect("distinct vertices")
}

/// A grid of cells, `true` where free.
pub(crate) struct Cells {
    columns: i64,
    free: Vec<bool>,
}

impl Cells {
    pub(crate) fn new(position: &Position) -> Self {
        let board = position.board();
        let mut free: Vec<bool> = (0..board.columns() * board.rows()).map(|id| board.is_vertex(id)).collect();
        let stones = Color::ALL.into_iter().flat_map(|color| position.queens(color).iter().copied());
        for stone in stones.chain(position.arrows()) {
            assert!(free[stone as usize], "stone on a stone or in a hole");
            free[stone as usize] = false;
        }
        Self { columns: i64::from(board.columns()), free }
    }

    /// The free vertices that a queen on `from` sees.
    pub(crate) fn seen_from(&self, from: Vertex) -> Vec<Vertex> {
        let rows = self.free.len() as i64 / self.columns;
        let mut seen = Vec::new();
        for (down, right) in [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)] {
            let (mut row, mut column) = (i64::from(from) / self.columns, i64::from(from) % self.columns);
            loop {
                (row, column) = (row + down, column + right);
                let inside = (0..rows).contains(&row) && (0..self.columns).contains(&column);
                let cell = row * self.columns + column;
                if !inside || !self.free[cell as usize] {
                    break;
                }
                seen.push(cell as Vertex);
            }
        }
        seen
    }

    /// All legal moves with these queens, in order.
    pub(crate) fn moves(&mut self, queens: &[Vertex]) -> Vec<Move> {
        let mut moves = Vec::new();
        for &from in queens {
            let targets = self.seen_from(from);
            self.free[from as usize] = true;
            for to in targets {
                moves.extend(self.seen_from(to).into_iter().map(|arrow| Move { from, to, arrow }));
            }
            self.free[from as usize] = false;
        }
        moves.sort_unstable();
        moves
    }
}

/// All legal moves of a position, in order, slowly.
pub(crate) fn moves(position: &Position) -> Vec<Move> {
    Cells::new(position).moves(position.queens(position.side_to_move()))
}
