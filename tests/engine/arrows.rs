//! Arrows that neither pass nor hit the vertex that the queen left.

use std::sync::Arc;

use amazons_engine::{Arrows, Engine, EngineConfig, EvalTable, Method, Weights, engine};
use amazons_rules::{Board, Position, Shape};
use amazons_search::{AlphaBetaConfig, Limits, MctsConfig};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn methods() -> [Method; 2] {
    let tree = MctsConfig { memory_bytes: 8 << 20, ..MctsConfig::default() };
    let table = AlphaBetaConfig { table_bytes: 1 << 20, ..AlphaBetaConfig::default() };
    [Method::BestFirst(tree), Method::DepthFirst(table)]
}

fn make(board: &Arc<Board>, method: &Method, arrows: Arrows) -> Box<dyn Engine> {
    let table = Arc::new(EvalTable::new(Weights::standard()));
    let config = EngineConfig { arrows, ..EngineConfig::new(method.clone()) };
    engine(Arc::clone(board), table, config).expect("a small board")
}

/// Plays a game against itself from a random opening; returns how many arrows were shot, and how many of them back.
fn shots(board: &Arc<Board>, method: &Method, arrows: Arrows, seed: u64) -> [usize; 2] {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut position = Position::start(Arc::clone(board));
    for _ in 0..2 {
        let mv = position.random_move(&mut rng).expect("a game is longer");
        position.play_unchecked(mv);
    }
    let mut engine = make(board, method, arrows);
    let mut shots = [0, 0];
    while let Some(result) = engine.search(&position, &mut Limits::nodes(600)) {
        shots[0] += 1;
        shots[1] += usize::from(position.shoots_back(result.mv));
        position.try_play(result.mv).expect("the move is legal");
        assert_eq!(engine.lines(1)[0].moves[0], result.mv);
    }
    shots
}

#[test]
fn clear_arrows_are_preferred() {
    for method in methods() {
        let mut all = [[0, 0]; 2];
        for (shape, m) in [(Shape::Square, 8), (Shape::Square, 6)] {
            let board = Arc::new(Board::new(shape, m).expect("the size is legal"));
            for seed in 0..2 {
                for (sum, arrows) in all.iter_mut().zip([Arrows::Any, Arrows::Clear]) {
                    let [shots, back] = shots(&board, &method, arrows, seed);
                    sum[0] += shots;
                    sum[1] += back;
                }
            }
        }
        let [any, clear] = all.map(|[shots, back]| back * 1000 / shots);
        assert!(clear * 4 < any * 3, "{clear} instead of {any} of 1000 arrows with {method:?}");
    }
}

#[test]
fn drawn_moves_count_as_others_do() {
    // Nothing is drawn twice alike here: the best stays the best.
    let board = Arc::new(Board::new(Shape::Square, 66).expect("the size is legal"));
    let position = Position::start(Arc::clone(&board));
    let [any, clear] = [Arrows::Any, Arrows::Clear].map(|arrows| {
        let mut engine = make(&board, &methods()[0], arrows);
        engine.search(&position, &mut Limits::nodes(8)).expect("there is a move")
    });
    assert_eq!(any, clear);
}
