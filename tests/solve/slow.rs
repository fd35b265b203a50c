//! The slow twins of the solver: every move tried on the rules' own positions.

use std::sync::{Arc, LazyLock};

use amazons_rules::{Board, Color, Move, MoveList, Position, Shape, Vertex};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashMap;

/// The free vertices and the queens of Black and White, a bit for each, and the side to move.
type Situation = (u64, [u64; 2], Color);

/// Returns whether the side to move wins, by minimax that remembers positions.
pub(crate) fn wins(position: &Position) -> bool {
    fn wins_in_place(position: &mut Position, at: Situation, known: &mut FxHashMap<Situation, bool>) -> bool {
        let (free, queens, side) = at;
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let wins = moves.iter().any(|&mv| {
            let after = Stones { free, queens: queens[side.index()] }.after(mv);
            let mut queens = queens;
            queens[side.index()] = after.queens;
            let next = (after.free, queens, side.opposite());
            let next_wins = known.get(&next).copied().unwrap_or_else(|| {
                position.play_unchecked(mv);
                let wins = wins_in_place(position, next, known);
                position.undo(mv);
                wins
            });
            !next_wins
        });
        known.insert(at, wins);
        wins
    }
    let [black, white] = Color::ALL.map(|color| Stones::of(position, color));
    let at = (black.free, [black.queens, white.queens], position.side_to_move());
    wins_in_place(&mut position.clone(), at, &mut FxHashMap::default())
}

/// Returns the largest number of moves that a colour can make in a row.
pub(crate) fn filling(position: &Position, color: Color) -> u32 {
    fn from(position: &Position, color: Color, stones: Stones, known: &mut FxHashMap<Stones, u32>) -> u32 {
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        let mut best = 0;
        for &mv in moves.iter() {
            let after = stones.after(mv);
            let more = known.get(&after).copied().unwrap_or_else(|| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                from(&with_turn(&next, color), color, after, known)
            });
            best = best.max(1 + more);
        }
        known.insert(stones, best);
        best
    }
    from(&with_turn(position, color), color, Stones::of(position, color), &mut FxHashMap::default())
}

/// The vertices changed by the moves of one colour, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stones {
    free: u64,
    queens: u64,
}

impl Stones {
    fn of(position: &Position, color: Color) -> Self {
        assert!(position.board().vertex_ids() <= 64, "a small board");
        let bits = |vertices: &mut dyn Iterator<Item = Vertex>| vertices.fold(0, |bits, vertex| bits | 1 << vertex);
        Self {
            free: bits(&mut position.board().vertices().filter(|&vertex| position.is_free(vertex))),
            queens: bits(&mut position.queens(color).iter().copied()),
        }
    }

    fn after(self, mv: Move) -> Self {
        let [from, to, arrow] = [mv.from, mv.to, mv.arrow].map(|vertex| 1 << vertex);
        Self { free: (self.free | from) & !to & !arrow, queens: self.queens & !from | to }
    }
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

/// Positions of all boards with one or two queens a side, and whether the side to move wins by a full search.
pub(crate) fn decided() -> &'static [(Position, bool)] {
    static DECIDED: LazyLock<Vec<(Position, bool)>> = LazyLock::new(|| {
        let of = |board: Arc<Board>| {
            (0..700).map(move |seed| {
                let queens = [1 + (seed % 2) as usize, 1 + (seed / 2 % 2) as usize];
                let position = scattered(&board, queens, 3 + (seed % 4) as usize, seed);
                let wins = wins(&position);
                (position, wins)
            })
        };
        boards().into_iter().flat_map(of).collect()
    });
    &DECIDED
}

/// Scatters queens, then arrows until `free` vertices are left if there is room; the seed decides where.
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
