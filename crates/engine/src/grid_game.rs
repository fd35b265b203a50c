use std::sync::Arc;

use amazons_rules::{Board, Color, Position, Vertex};

use crate::game::Game;
use crate::grid::Grid;
use crate::half_move::{Cell, HalfMove};
use crate::simd::{Isa, Layout, NARROW};
use crate::state::{State, cells, toggle};
use crate::tasks::Tasks;
use crate::zobrist::Part;
use crate::{EvalTable, Evaluation, Features};

/// The game on a grid that fits a layout: `[u16; 16]`, `[u32; 32]` or `[u64; 64]`.
#[derive(Clone, Debug)]
pub struct GridGame<L> {
    board: Arc<Board>,
    table: Arc<EvalTable>,
    isa: Isa,
    /// The sets of cells fit [`NARROW`].
    narrow: bool,
    /// All cells of the board, as if free.
    empty: Box<L>,
    cells: Vec<Cell>,
    vertices: Vec<Vertex>,
}

/// Marks holes, both ways.
const NOWHERE: u32 = u32::MAX;

impl<L: Layout> GridGame<L> {
    /// Prepares a board whose coordinates are known; `None` if it is too large for the layout.
    #[must_use]
    pub fn new(board: &Arc<Board>, grid: &Grid, table: &Arc<EvalTable>, isa: Isa) -> Option<Self> {
        let side = grid.rows().max(grid.columns());
        if side > L::SIDE {
            return None;
        }
        let mut cells = vec![NOWHERE; board.vertex_ids()];
        let mut vertices = vec![NOWHERE; (L::SIDE * L::SIDE) as usize];
        let mut empty = L::EMPTY;
        for vertex in board.vertices() {
            let place = grid.place(vertex)?;
            let cell = place.row * L::SIDE + place.column;
            cells[vertex as usize] = cell;
            vertices[cell as usize] = vertex;
            toggle(&mut empty, cell);
        }
        let (board, table) = (Arc::clone(board), Arc::clone(table));
        Some(Self {
            board,
            table,
            isa,
            narrow: grid.rows() <= NARROW[0] && grid.columns() <= NARROW[1],
            empty: Box::new(empty),
            cells,
            vertices,
        })
    }
}

impl<L: Tasks> Game for GridGame<L> {
    type State = State<L>;

    fn board(&self) -> &Arc<Board> {
        &self.board
    }

    fn state(&self, position: &Position) -> State<L> {
        let mut free = *self.empty;
        let mut queens = [L::EMPTY; 2];
        let mut key = match position.side_to_move() {
            Color::Black => 0,
            Color::White => Part::WhiteToMove.key(),
        };
        let mut stones = 0;
        for color in Color::ALL {
            for &queen in position.queens(color) {
                let cell = self.cell(queen);
                toggle(&mut queens[color.index()], cell);
                toggle(&mut free, cell);
                key ^= Part::Queen(color, cell).key();
                stones += 1;
            }
        }
        for arrow in position.arrows() {
            let cell = self.cell(arrow);
            toggle(&mut free, cell);
            key ^= Part::Arrow(cell).key();
            stones += 1;
        }
        let vertices = u32::try_from(self.board.vertex_count()).expect("at most 4096 cells");
        let side_to_move = position.side_to_move();
        State { free, queens, key, free_count: vertices - stones, shooter: None, side_to_move }
    }

    fn position(&self, state: &State<L>) -> Option<Position> {
        if state.shooter.is_some() {
            return None;
        }
        let queens = state.queens.each_ref().map(|set| {
            let mut queens: Vec<Vertex> = cells(set).map(|cell| self.vertex(cell)).collect();
            queens.sort_unstable();
            queens
        });
        let mut arrow_rows = *self.empty;
        for set in [&state.free, &state.queens[0], &state.queens[1]] {
            cells(set).for_each(|cell| toggle(&mut arrow_rows, cell));
        }
        let arrows: Vec<Vertex> = cells(&arrow_rows).map(|cell| self.vertex(cell)).collect();
        Position::new(Arc::clone(&self.board), queens, &arrows, state.side_to_move).ok()
    }

    fn vertex(&self, cell: Cell) -> Vertex {
        self.vertices[cell as usize]
    }

    fn cell(&self, vertex: Vertex) -> Cell {
        self.cells[vertex as usize]
    }

    fn side_to_move(&self, state: &State<L>) -> Color {
        state.side_to_move
    }

    fn shooter(&self, state: &State<L>) -> Option<Cell> {
        state.shooter
    }

    fn is_blocked(&self, state: &State<L>) -> bool {
        L::is_blocked(self.isa, self.narrow, state)
    }

    fn key(&self, state: &State<L>) -> u64 {
        state.key
    }

    fn moves(&self, state: &State<L>, moves: &mut Vec<HalfMove>) {
        L::moves(self.isa, self.narrow, state, moves);
    }

    fn play(&self, state: &mut State<L>, half: HalfMove) {
        state.play(half);
    }

    fn undo(&self, state: &mut State<L>, half: HalfMove) {
        state.undo(half);
    }

    fn evaluate(&self, state: &State<L>) -> Evaluation {
        L::evaluate(self.isa, self.narrow, state, &self.table)
    }

    fn evaluate_children(&self, state: &State<L>, halves: &[HalfMove], evaluations: &mut Vec<Option<Evaluation>>) {
        L::evaluate_children(self.isa, self.narrow, state, halves, &self.table, evaluations);
    }

    fn features(&self, state: &State<L>) -> Features {
        L::features(state)
    }

    fn decided(&self, state: &State<L>) -> Option<[u32; 2]> {
        L::decided(self.isa, self.narrow, state)
    }

    fn is_countable(&self, state: &State<L>) -> bool {
        L::is_countable(self.isa, self.narrow, state)
    }

    fn free_cells(&self, state: &State<L>) -> impl Iterator<Item = Cell> {
        cells(&state.free)
    }

    fn queen_cells(&self, state: &State<L>, color: Color) -> impl Iterator<Item = Cell> {
        cells(&state.queens[color.index()])
    }
}
