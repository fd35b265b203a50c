use std::sync::Arc;

use amazons_rules::{Board, Color, Position, Step, Vertex};

use crate::classes::{CLASSES, KING, KING_CLASSES, KING_TIE, LIBERTY, MOBILITY, QUEEN, QUEEN_CLASSES, QUEEN_TIE, pair};
use crate::game::Game;
use crate::half_move::{Cell, HalfMove};
use crate::zobrist::Part;
use crate::{EvalTable, Evaluation, Features};

/// The game on any graph, vertex by vertex. Cells are vertices.
#[derive(Clone, Debug)]
pub struct GraphGame {
    board: Arc<Board>,
    table: Arc<EvalTable>,
    /// The neighbours in each of the eight directions.
    neighbors: Vec<[Option<Vertex>; 8]>,
}

/// A state on a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphState {
    free: Vec<bool>,
    queens: [Vec<Vertex>; 2],
    key: u64,
    free_count: u32,
    shooter: Option<Vertex>,
    side_to_move: Color,
}

/// The distance of unreachable vertices.
pub(crate) const FAR: u32 = u32::MAX;

impl GraphGame {
    /// Prepares a board.
    #[must_use]
    pub fn new(board: Arc<Board>, table: Arc<EvalTable>) -> Self {
        let mut neighbors = vec![[None; 8]; board.vertex_ids()];
        for vertex in board.vertices() {
            for (slots, pair) in neighbors[vertex as usize].chunks_mut(2).zip(board.neighbors(vertex)) {
                slots.copy_from_slice(&pair);
            }
        }
        Self { board, table, neighbors }
    }

    fn free_neighbors(&self, state: &GraphState, vertex: Vertex) -> impl Iterator<Item = Vertex> {
        self.neighbors[vertex as usize].into_iter().flatten().filter(|&to| state.free[to as usize])
    }

    /// Calls `visit` for every vertex that a queen on `from` sees; twice for a vertex on two lines.
    fn for_each_seen(&self, state: &GraphState, from: Vertex, mut visit: impl FnMut(Vertex)) {
        for direction in 0..8 {
            let mut at = from;
            while let Some(to) = self.neighbors[at as usize][direction].filter(|&to| state.free[to as usize]) {
                visit(to);
                at = to;
            }
        }
    }

    fn seen(&self, state: &GraphState, from: Vertex) -> Vec<Vertex> {
        let mut seen = Vec::new();
        self.for_each_seen(state, from, |to| seen.push(to));
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    /// Evaluates a state, which takes long on a large board, while `go_on` says so.
    pub(crate) fn evaluate_while(&self, state: &GraphState, go_on: &mut dyn FnMut() -> bool) -> Option<Evaluation> {
        Some(self.features_while(state, go_on)?.evaluate(&self.table))
    }

    /// Returns how many king's steps each vertex is from queens.
    fn by_king(&self, state: &GraphState, from: &[Vertex], go_on: &mut dyn FnMut() -> bool) -> Option<Vec<u32>> {
        distances_while(self.neighbors.len(), from, go_on, |from, next| self.free_neighbors(state, from).for_each(next))
    }

    fn features_while(&self, state: &GraphState, go_on: &mut dyn FnMut() -> bool) -> Option<Features> {
        let sides = state.queens_of_mover_first();
        let ids = self.neighbors.len();
        let mut by_queen =
            |queens| distances_while(ids, queens, go_on, |from, next| self.for_each_seen(state, from, next));
        let by_queen = [by_queen(sides[0])?, by_queen(sides[1])?];
        let by_king = [self.by_king(state, sides[0], go_on)?, self.by_king(state, sides[1], go_on)?];
        let mut counts = [[0; 2]; CLASSES];
        let (mut openness, mut own_only) = (0, [0; 2]);
        let free = self.board.vertices().filter(|&vertex| state.free[vertex as usize]);
        for vertex in free {
            let queen = [by_queen[0][vertex as usize], by_queen[1][vertex as usize]];
            let king = [by_king[0][vertex as usize], by_king[1][vertex as usize]];
            tally(&mut counts, QUEEN, QUEEN_TIE, QUEEN_CLASSES, queen);
            tally(&mut counts, KING, KING_TIE, KING_CLASSES, king);
            if queen[0] != FAR && queen[1] != FAR {
                openness += 16 >> queen[0].min(5).abs_diff(queen[1].min(5));
                for side in 0..2 {
                    if queen[side] == 1 {
                        counts[MOBILITY + self.free_neighbors(state, vertex).count()][side] += 1;
                    }
                }
            } else {
                for side in 0..2 {
                    own_only[side] += u32::from(queen[side] != FAR);
                }
            }
        }
        for (side, queens) in sides.into_iter().enumerate() {
            for &queen in queens {
                counts[LIBERTY + self.free_neighbors(state, queen).count()][side] += 1;
            }
        }
        Some(Features { counts, openness, own_only, free: state.free_count, due: self.due(state) })
    }
}

/// Returns the distances from queens, given how far each goes in one move.
pub(crate) fn distances(
    ids: usize,
    from: &[Vertex],
    for_each_next: impl FnMut(Vertex, &mut dyn FnMut(Vertex)),
) -> Vec<u32> {
    distances_while(ids, from, &mut || true, for_each_next).expect("nothing ends it")
}

/// As [`distances`], while `go_on`, which is asked for each vertex, says so.
fn distances_while(
    ids: usize,
    from: &[Vertex],
    go_on: &mut dyn FnMut() -> bool,
    mut for_each_next: impl FnMut(Vertex, &mut dyn FnMut(Vertex)),
) -> Option<Vec<u32>> {
    let mut distances = vec![FAR; ids];
    let mut frontier = from.to_vec();
    let mut distance = 0;
    while !frontier.is_empty() {
        distance += 1;
        let mut next = Vec::new();
        for vertex in frontier {
            if !go_on() {
                return None;
            }
            for_each_next(vertex, &mut |to| {
                if distances[to as usize] == FAR {
                    distances[to as usize] = distance;
                    next.push(to);
                }
            });
        }
        frontier = next;
    }
    Some(distances)
}

impl GraphState {
    fn queens_of_mover_first(&self) -> [&[Vertex]; 2] {
        [self.side_to_move, self.side_to_move.opposite()].map(|color| self.queens[color.index()].as_slice())
    }

    fn slide(&mut self, from: Vertex, to: Vertex) {
        let queens = &mut self.queens[self.side_to_move.index()];
        for queen in queens.iter_mut().filter(|queen| **queen == from) {
            *queen = to;
        }
        self.free[from as usize] = true;
        self.free[to as usize] = false;
        for cell in [from, to] {
            self.key ^= Part::Queen(self.side_to_move, cell).key();
        }
    }

    fn toggle_arrow(&mut self, arrow: Vertex) {
        self.free[arrow as usize] ^= true;
        self.side_to_move = self.side_to_move.opposite();
        self.key ^= Part::Arrow(arrow).key() ^ Part::WhiteToMove.key();
    }

    fn set_shooter(&mut self, shooter: Option<Vertex>) {
        for cell in [self.shooter, shooter].into_iter().flatten() {
            self.key ^= Part::Shooter(cell).key();
        }
        self.shooter = shooter;
    }
}

/// Counts a pair of distances.
fn tally(counts: &mut [[u32; 2]], pairs: usize, ties: usize, classes: usize, distances: [u32; 2]) {
    let last = classes - 1;
    let class = |distance: u32| if distance == FAR { last } else { (distance as usize).min(last) - 1 };
    let (mover, opponent) = (class(distances[0]), class(distances[1]));
    if mover < opponent {
        counts[pairs + pair(classes, mover, opponent)][0] += 1;
    } else if opponent < mover {
        counts[pairs + pair(classes, opponent, mover)][1] += 1;
    } else if mover != last {
        counts[ties + mover][0] += 1;
        counts[ties + mover][1] += 1;
    }
}

impl Game for GraphGame {
    type State = GraphState;

    fn board(&self) -> &Arc<Board> {
        &self.board
    }

    fn state(&self, position: &Position) -> GraphState {
        let free: Vec<bool> = (0..).take(self.neighbors.len()).map(|vertex| position.is_free(vertex)).collect();
        let queens = Color::ALL.map(|color| position.queens(color).to_vec());
        let free_count = u32::try_from(free.iter().filter(|&&free| free).count()).expect("vertex ids are 32 bits");
        let side_to_move = position.side_to_move();
        let turn = (side_to_move == Color::White).then_some(Part::WhiteToMove);
        let queen_parts = Color::ALL
            .into_iter()
            .flat_map(|color| position.queens(color).iter().map(move |&queen| Part::Queen(color, queen)));
        let parts = queen_parts.chain(position.arrows().map(Part::Arrow)).chain(turn);
        let key = parts.fold(0, |key, part| key ^ part.key());
        GraphState { free, queens, key, free_count, shooter: None, side_to_move }
    }

    fn position(&self, state: &GraphState) -> Option<Position> {
        if state.shooter.is_some() {
            return None;
        }
        let queens = state.queens.each_ref().map(|queens| {
            let mut queens = queens.clone();
            queens.sort_unstable();
            queens
        });
        let is_arrow = |vertex: &Vertex| !state.free[*vertex as usize] && !queens.iter().flatten().any(|q| q == vertex);
        let arrows: Vec<Vertex> = self.board.vertices().filter(is_arrow).collect();
        Position::new(Arc::clone(&self.board), queens, &arrows, state.side_to_move).ok()
    }

    fn vertex(&self, cell: Cell) -> Vertex {
        cell
    }

    fn cell(&self, vertex: Vertex) -> Cell {
        vertex
    }

    fn side_to_move(&self, state: &GraphState) -> Color {
        state.side_to_move
    }

    fn shooter(&self, state: &GraphState) -> Option<Cell> {
        state.shooter
    }

    fn is_blocked(&self, state: &GraphState) -> bool {
        let queens = &state.queens[state.side_to_move.index()];
        !queens.iter().any(|&queen| self.free_neighbors(state, queen).next().is_some())
    }

    fn key(&self, state: &GraphState) -> u64 {
        state.key
    }

    fn moves(&self, state: &GraphState, moves: &mut Vec<HalfMove>) {
        let half = self.due(state);
        let mut add = |from| moves.extend(self.seen(state, from).into_iter().map(|to| HalfMove { half, from, to }));
        match state.shooter {
            None => state.queens_of_mover_first()[0].iter().for_each(|&from| add(from)),
            Some(from) => add(from),
        }
    }

    fn play(&self, state: &mut GraphState, HalfMove { half, from, to }: HalfMove) {
        match half {
            Step::Queen => {
                state.slide(from, to);
                state.set_shooter(Some(to));
            }
            Step::Arrow => {
                state.set_shooter(None);
                state.toggle_arrow(to);
                state.free_count -= 1;
            }
        }
    }

    fn undo(&self, state: &mut GraphState, HalfMove { half, from, to }: HalfMove) {
        match half {
            Step::Queen => {
                state.set_shooter(None);
                state.slide(to, from);
            }
            Step::Arrow => {
                state.toggle_arrow(to);
                state.free_count += 1;
                state.set_shooter(Some(from));
            }
        }
    }

    fn evaluate(&self, state: &GraphState) -> Evaluation {
        self.features(state).evaluate(&self.table)
    }

    fn features(&self, state: &GraphState) -> Features {
        self.features_while(state, &mut || true).expect("nothing ends it")
    }

    fn decided(&self, state: &GraphState) -> Option<[u32; 2]> {
        let Features { openness, own_only, .. } = self.features(state);
        (openness == 0).then_some(own_only)
    }

    fn is_countable(&self, state: &GraphState) -> bool {
        let reach = |queens| self.by_king(state, queens, &mut || true).expect("nothing ends it");
        let reach = state.queens_of_mover_first().map(reach);
        let (mut shared, mut own_only) = (0, [0u32; 2]);
        for (&mover, &opponent) in reach[0].iter().zip(&reach[1]) {
            match (mover != FAR, opponent != FAR) {
                (true, true) => shared += 1,
                (true, false) => own_only[0] += 1,
                (false, true) => own_only[1] += 1,
                (false, false) => {}
            }
        }
        shared <= own_only[0].abs_diff(own_only[1])
    }

    fn free_cells(&self, state: &GraphState) -> impl Iterator<Item = Cell> {
        (0..).zip(&state.free).filter(|&(_, &free)| free).map(|(vertex, _)| vertex)
    }

    fn queen_cells(&self, state: &GraphState, color: Color) -> impl Iterator<Item = Cell> {
        state.queens[color.index()].iter().copied()
    }
}
