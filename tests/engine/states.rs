//! States against positions: moves, undo, keys, conversion.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Game, Isa, Weights};
use amazons_rules::{Board, Color, Move, MoveList, Position, Shape, Step};

use super::boards::{foreign, game, without_an_axis};

/// All stones and the turn, as identified by a key.
type Stones = (Vec<Vec<u32>>, Vec<u32>, Color);

fn stones(position: &Position) -> Stones {
    let queens = Color::ALL.map(|color| {
        let mut queens = position.queens(color).to_vec();
        queens.sort_unstable();
        queens
    });
    (queens.to_vec(), position.arrows().collect(), position.side_to_move())
}

fn compare<G>(game: &G, positions: &[Position])
where
    G: Game<State: PartialEq + std::fmt::Debug>,
{
    let mut list = MoveList::new();
    let (mut steps, mut shots) = (Vec::new(), Vec::new());
    let mut keys: HashMap<u64, Stones> = HashMap::new();
    for position in positions {
        let mut state = game.state(position);
        let before = state.clone();
        let back = game.position(&state).expect("no arrow is due");
        assert_eq!(stones(&back), stones(position));
        let mut moves = BTreeSet::new();
        steps.clear();
        game.moves(&state, &mut steps);
        let mut middle_keys = BTreeSet::new();
        for &step in &steps {
            game.play(&mut state, step);
            assert_eq!((game.due(&state), game.side_to_move(&state)), (Step::Arrow, position.side_to_move()));
            assert!(game.position(&state).is_none());
            assert!(middle_keys.insert(game.key(&state)), "two steps with one key");
            shots.clear();
            game.moves(&state, &mut shots);
            moves.extend(shots.iter().map(|&shot| game.whole(step, shot)));
            game.undo(&mut state, step);
            assert_eq!(state, before);
        }
        position.legal_moves(&mut list);
        assert_eq!(moves, list.iter().copied().collect::<BTreeSet<Move>>(), "{position}");
        for &mv in list.iter().step_by(1 + list.len() / 20) {
            let mut next = position.clone();
            next.play_unchecked(mv);
            let [step, shot] = game.halves(mv);
            game.play(&mut state, step);
            game.play(&mut state, shot);
            assert_eq!(game.key(&state), game.key(&game.state(&next)), "the key made step by step");
            assert_eq!(stones(&game.position(&state).expect("no arrow is due")), stones(&next));
            let known = keys.entry(game.key(&state)).or_insert_with(|| stones(&next));
            assert_eq!(*known, stones(&next), "two positions with one key");
            game.undo(&mut state, shot);
            game.undo(&mut state, step);
            assert_eq!(state, before);
        }
    }
}

fn compare_board(board: Board, isa: Isa, every: usize) {
    let board = Arc::new(board);
    let positions: Vec<Position> = game(&board, 5).into_iter().step_by(every).collect();
    match AnyGame::new(board, Arc::new(EvalTable::new(Weights::standard())), isa) {
        AnyGame::Small(game) => compare(&game, &positions),
        AnyGame::Medium(game) => compare(&game, &positions),
        AnyGame::Large(game) => compare(&game, &positions),
        AnyGame::Graph(game) => compare(&game, &positions),
    }
}

#[test]
fn states_move_as_positions_do() {
    for isa in Isa::available() {
        for shape in Shape::ALL {
            for m in [5, 6, 7, 8, 9, 10, 13, 15, 16] {
                // Some three positions of each game.
                compare_board(Board::new(shape, m).expect("legal size"), isa, (m * m) as usize / 4);
            }
            compare_board(Board::new(shape, 18).expect("legal size"), isa, 100);
        }
        compare_board(Board::new(Shape::Clover, 33).expect("legal size"), isa, 200);
        for (columns, rows) in [(16, 3), (11, 10), (12, 9)] {
            compare_board(Board::rectangle(columns, rows).expect("legal size"), isa, 3);
        }
    }
}

#[test]
fn states_on_foreign_graphs_move_as_positions_do() {
    let grid = Board::new(Shape::FigureEight, 9).expect("legal size");
    compare_board(foreign(&grid, 3), Isa::best(), 2);
    compare_board(without_an_axis(8), Isa::best(), 2);
}
