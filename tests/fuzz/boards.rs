//! Boards and positions encoded in a few numbers.

use std::sync::Arc;

use amazons_rules::{Board, Color, Position, Shape, Vertex};
use proptest::prelude::*;
use proptest::sample::select;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[derive(Clone, Debug)]
pub(super) enum BoardSpec {
    Rectangle(u32, u32),
    Shape(Shape, u32),
}

impl BoardSpec {
    pub(super) fn build(&self) -> Arc<Board> {
        let board = match *self {
            Self::Rectangle(columns, rows) => Board::rectangle(columns, rows),
            Self::Shape(shape, m) => Board::new(shape, m),
        };
        Arc::new(board.expect("legal sizes"))
    }
}

pub(super) fn board_spec() -> impl Strategy<Value = BoardSpec> {
    prop_oneof![
        (1..12_u32, 1..12_u32).prop_map(|(columns, rows)| BoardSpec::Rectangle(columns, rows)),
        (1..4_u32, 1..90_u32).prop_map(|(columns, rows)| BoardSpec::Rectangle(columns, rows)),
        (20..90_u32, 1..4_u32).prop_map(|(columns, rows)| BoardSpec::Rectangle(columns, rows)),
        (select(&Shape::ALL[..]), 5..12_u32).prop_map(|(shape, m)| BoardSpec::Shape(shape, m)),
    ]
}

/// Stones on a board: queens of each side, the share of arrows in percent, and where they stand.
#[derive(Clone, Debug)]
pub(super) struct PositionSpec {
    pub(super) board: BoardSpec,
    queens: [usize; 2],
    arrows: u32,
    white_moves: bool,
    number: u32,
    seed: u64,
}

pub(super) fn position_spec() -> impl Strategy<Value = PositionSpec> {
    let number = prop_oneof![Just(1), any::<u32>()];
    (board_spec(), [0..5_usize, 0..5_usize], 0..100_u32, any::<bool>(), number, any::<u64>()).prop_map(
        |(board, queens, arrows, white_moves, number, seed)| PositionSpec {
            board,
            queens,
            arrows,
            white_moves,
            number,
            seed,
        },
    )
}

impl PositionSpec {
    pub(super) fn build(&self) -> Position {
        let side = if self.white_moves { Color::White } else { Color::Black };
        let position = scattered(self.board.build(), self.queens, self.arrows, side, self.seed);
        let text = position.to_string();
        let numbered = format!("{}{}", text.strip_suffix('1').expect("the first move"), self.number);
        Position::parse_on(Arc::clone(position.board()), &numbered).expect("our own text")
    }
}

/// Scatters stones over a board, as far as there is room.
pub(super) fn scattered(board: Arc<Board>, queens: [usize; 2], arrows: u32, side: Color, seed: u64) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut free: Vec<Vertex> = board.vertices().collect();
    let mut draw = |count: usize| -> Vec<Vertex> {
        (0..count.min(free.len())).map(|_| free.swap_remove(rng.random_range(0..free.len()))).collect()
    };
    let queens = queens.map(&mut draw);
    let arrows: Vec<Vertex> = free.into_iter().filter(|_| rng.random_range(0..100) < arrows).collect();
    Position::new(board, queens, &arrows, side).expect("different vertices")
}
