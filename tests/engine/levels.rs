//! Levels: weaker versions of the engine.

use std::sync::Arc;

use amazons_engine::{Engine, EngineConfig, EvalTable, Level, Method, engine};
use amazons_rules::{Board, Color, Move, Position, Shape};
use amazons_search::{AlphaBetaConfig, Limits, MctsConfig};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn weakened(board: &Arc<Board>, level: Level, seed: u64) -> Box<dyn Engine> {
    let method = Method::BestFirst(MctsConfig { memory_bytes: 8 << 20, ..MctsConfig::default() });
    let config = EngineConfig { level: Some(level), seed, ..EngineConfig::new(method) };
    engine(Arc::clone(board), Arc::new(EvalTable::standard()), config).expect("a small board")
}

fn of_number(number: u32) -> Level {
    Level::new(number).expect("a level")
}

fn start(shape: Shape, m: u32) -> Position {
    Position::start(Arc::new(Board::new(shape, m).expect("the size is legal")))
}

fn first_move(position: &Position, level: Level, seed: u64) -> Move {
    let result = weakened(position.board(), level, seed).search(position, &mut Limits::default());
    result.expect("a move").mv
}

#[test]
fn numbers_and_elo() {
    assert_eq!(Level::new(0), None);
    assert_eq!(Level::new(Level::COUNT + 1), None);
    assert_eq!(Level::new(u32::MAX), None);
    let levels: Vec<Level> = (1..=Level::COUNT).map(of_number).collect();
    assert_eq!([levels[0], levels[7]], [Level::MIN, Level::MAX]);
    for pair in levels.windows(2) {
        let step = pair[1].elo() - pair[0].elo();
        assert!((150..=250).contains(&step), "{pair:?}");
    }
    for level in levels {
        assert_eq!(Level::of_elo(level.elo()), level);
    }
    assert_eq!(Level::of_elo(0), Level::MIN);
    assert_eq!(Level::of_elo(u32::MAX), Level::MAX);
    assert_eq!(Level::of_elo(Level::MIN.elo() + 77).elo(), Level::MIN.elo() + 77);
}

#[test]
fn moves_depend_on_seed_and_position_alone() {
    let mut positions = vec![start(Shape::Square, 8)];
    for _ in 0..3 {
        let mut next = positions.last().expect("there is one").clone();
        let mv = next.random_move(&mut Xoshiro256PlusPlus::seed_from_u64(5)).expect("a game is longer");
        next.play_unchecked(mv);
        positions.push(next);
    }
    for number in 1..=Level::COUNT {
        let level = of_number(number);
        let alone: Vec<Move> = positions.iter().map(|position| first_move(position, level, 7)).collect();
        let mut engine = weakened(positions[0].board(), level, 7);
        let mut again: Vec<Move> = positions
            .iter()
            .rev()
            .map(|position| engine.search(position, &mut Limits::default()).expect("a move").mv)
            .collect();
        again.reverse();
        assert_eq!(alone, again, "level {number}");
    }
}

#[test]
fn seeds_give_different_games() {
    let position = start(Shape::Square, 10);
    for number in 1..=Level::COUNT {
        let moves: Vec<Move> = (0..12).map(|seed| first_move(&position, of_number(number), seed)).collect();
        assert!(moves.iter().any(|&mv| mv != moves[0]), "level {number} always begins with {:?}", moves[0]);
    }
}

#[test]
fn between_two_levels_both_play() {
    let position = start(Shape::Square, 8);
    let between = Level::of_elo((of_number(2).elo() + of_number(3).elo()) / 2);
    let (mut lower, mut upper) = (0, 0);
    for seed in 0..40 {
        let moves = [of_number(2), between, of_number(3)].map(|level| first_move(&position, level, seed));
        assert!(moves[1] == moves[0] || moves[1] == moves[2]);
        lower += u32::from(moves[1] != moves[2]);
        upper += u32::from(moves[1] != moves[0]);
    }
    assert!(lower > 5 && upper > 5, "{lower} and {upper} of 40");
}

#[test]
fn work_is_bounded() {
    for (shape, m) in [(Shape::Square, 10), (Shape::Donut, 9), (Shape::Square, 20)] {
        let position = start(shape, m);
        for number in 1..=Level::COUNT {
            let mut engine = weakened(position.board(), of_number(number), 1);
            let free = engine.search(&position, &mut Limits::default()).expect("a move");
            assert!(free.nodes <= 8000, "{} nodes", free.nodes);
            assert_eq!(engine.lines(1)[0].moves[0], free.mv);
            // A shorter budget counts.
            let short = engine.search(&position, &mut Limits::nodes(1)).expect("a move");
            assert!(short.nodes <= 1, "{} nodes", short.nodes);
        }
    }
}

#[test]
fn every_board_is_played_to_its_end() {
    let method = Method::DepthFirst(AlphaBetaConfig { table_bytes: 1 << 20, ..AlphaBetaConfig::default() });
    for (shape, m) in [(Shape::Square, 5), (Shape::Clover, 6), (Shape::FigureEight, 6), (Shape::Square, 18)] {
        let mut position = start(shape, m);
        let config = EngineConfig { level: Some(of_number(6)), ..EngineConfig::new(method.clone()) };
        let table = Arc::new(EvalTable::standard());
        let depth_first = engine(Arc::clone(position.board()), table, config).expect("a small board");
        let mut engines = [weakened(position.board(), Level::of_elo(900), 3), depth_first];
        for turn in (0..2).cycle() {
            let Some(result) = engines[turn].search(&position, &mut Limits::nodes(50)) else { break };
            position.try_play(result.mv).expect("the move is legal");
        }
        assert!(!position.has_moves());
    }
}

#[test]
fn a_higher_level_wins() {
    let mut won = [0; 2];
    for seed in 0..6 {
        let mut position = start(Shape::Square, 8);
        let mut levels = [of_number(2), of_number(6)].map(|level| weakened(position.board(), level, seed));
        let colors = if seed % 2 == 0 { Color::ALL } else { [Color::White, Color::Black] };
        let turn = |position: &Position| usize::from(position.side_to_move() == colors[1]);
        while let Some(result) = levels[turn(&position)].search(&position, &mut Limits::default()) {
            position.play_unchecked(result.mv);
        }
        won[1 - turn(&position)] += 1;
    }
    assert!(won[1] >= 5, "{won:?}");
}
