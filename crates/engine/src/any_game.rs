use std::sync::Arc;

use amazons_rules::Board;

use crate::simd::Isa;
use crate::{EvalTable, GraphGame, Grid, GridGame};

/// The fastest game for a board.
///
/// The variants differ in the types of their states: a search is generic over [`crate::Game`] and starts with a
/// `match`.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Grids up to 16 x 16.
    Small(GridGame<[u16; 16]>),
    /// Grids up to 32 x 32.
    Medium(GridGame<[u32; 32]>),
    /// Grids up to 64 x 64.
    Large(GridGame<[u64; 64]>),
    /// All other graphs.
    Graph(GraphGame),
}

impl AnyGame {
    /// Prepares a board.
    #[must_use]
    pub fn new(board: Arc<Board>, table: Arc<EvalTable>, isa: Isa) -> Self {
        let Some(grid) = Grid::new(&board) else { return Self::Graph(GraphGame::new(board, table)) };
        let small = GridGame::new(&board, &grid, &table, isa).map(Self::Small);
        let medium = || GridGame::new(&board, &grid, &table, isa).map(Self::Medium);
        let large = || GridGame::new(&board, &grid, &table, isa).map(Self::Large);
        small.or_else(medium).or_else(large).unwrap_or_else(|| Self::Graph(GraphGame::new(board, table)))
    }
}
