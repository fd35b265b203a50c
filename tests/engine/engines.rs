//! Searches on the engine: their half-moves, their moves, and what they prove.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use amazons_engine::{AnyGame, Engine, EngineConfig, EvalTable, Game, HalfMoves, Isa, Method, SearchResult, Weights};
use amazons_rules::{Board, Color, Move, MoveList, Position, Shape};
use amazons_search::{AlphaBetaConfig, Game as _, Limits, MctsConfig, Outcome, Player, Progress};
use amazons_solve::{SolveLimits, solve};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn table() -> Arc<EvalTable> {
    Arc::new(EvalTable::new(Weights::standard()))
}

fn board(shape: Shape, m: u32) -> Arc<Board> {
    Arc::new(Board::new(shape, m).expect("the size is legal"))
}

/// A position after some random moves.
fn any_position(board: &Arc<Board>, plies: usize, rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = Position::start(Arc::clone(board));
    for _ in 0..plies {
        let Some(mv) = position.random_move(rng) else { break };
        position.play_unchecked(mv);
    }
    position
}

fn methods() -> [Method; 2] {
    let tree = MctsConfig { memory_bytes: 8 << 20, ..MctsConfig::default() };
    let table = AlphaBetaConfig { table_bytes: 1 << 20, ..AlphaBetaConfig::default() };
    [Method::BestFirst(tree), Method::DepthFirst(table)]
}

/// Makes an engine with the default settings.
fn engine(board: &Arc<Board>, method: &Method) -> Box<dyn Engine> {
    let config = EngineConfig::new(method.clone());
    amazons_engine::engine(Arc::clone(board), table(), config).expect("the board is not too large")
}

/// All moves that the half-moves form, and their outcomes.
fn whole_moves<G: Game>(game: G, position: &Position) -> BTreeSet<Move> {
    let mut root = HalfMoves::new(Arc::new(game), position);
    let is_over = !position.has_moves();
    let opponent = if position.side_to_move() == Color::Black { Player::Second } else { Player::First };
    assert_eq!(root.outcome(), is_over.then_some(Outcome::Win(opponent)));
    let key = root.key();
    let (mut moves, mut steps, mut shots) = (BTreeSet::new(), Vec::new(), Vec::new());
    root.moves(&mut steps);
    for step in steps {
        let turn = root.turn();
        root.play(step);
        assert_eq!((root.turn(), root.outcome()), (turn, None));
        root.moves(&mut shots);
        for &shot in &shots {
            for half in [step, shot] {
                assert_eq!(HalfMoves::<G>::unpack(HalfMoves::<G>::pack(half)), half);
            }
            let mv = root.whole(step, shot);
            assert_eq!(root.halves(mv), [step, shot]);
            assert!(moves.insert(mv), "{mv:?} comes twice");
            root.play(shot);
            assert_eq!(root.turn(), opponent);
            root.undo(shot);
        }
        root.undo(step);
    }
    assert_eq!(root.key(), key);
    moves
}

#[test]
fn two_half_moves_are_a_legal_move() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(21);
    let mut list = MoveList::new();
    for (shape, m) in [(Shape::Square, 6), (Shape::Donut, 9), (Shape::Clover, 10), (Shape::FigureEight, 17)] {
        let board = board(shape, m);
        for plies in 0..40 {
            let position = any_position(&board, plies, &mut rng);
            position.legal_moves(&mut list);
            let expected: BTreeSet<Move> = list.iter().copied().collect();
            let found = match AnyGame::new(Arc::clone(&board), table(), Isa::best()) {
                AnyGame::Small(game) => whole_moves(game, &position),
                AnyGame::Medium(game) => whole_moves(game, &position),
                AnyGame::Large(game) => whole_moves(game, &position),
                AnyGame::Graph(game) => whole_moves(game, &position),
            };
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn engines_play_legal_moves_to_the_end() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(22);
    for shape in [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight] {
        for m in [5, 8, 10, 17] {
            let board = board(shape, m);
            let [mut best_first, mut depth_first] = methods().map(|method| engine(&board, &method));
            // The largest games begin in the middle.
            let mut position = any_position(&board, if m == 17 { 120 } else { 2 }, &mut rng);
            let mut plies = 0;
            loop {
                let engine = if plies % 2 == 0 { &mut best_first } else { &mut depth_first };
                let Some(result) = engine.search(&position, &mut Limits::nodes(60)) else { break };
                assert_eq!(result.principal_variation.first(), Some(&result.mv));
                assert!((-1.0..=1.0).contains(&result.value));
                let mut line = position.clone();
                for &mv in &result.principal_variation {
                    line.try_play(mv).expect("the line is legal");
                }
                position.try_play(result.mv).expect("the move is legal");
                plies += 1;
            }
            assert!(!position.has_moves());
        }
    }
}

#[test]
fn boards_without_rows_of_bits_have_moves_drawn_and_judged() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(29);
    let board = board(Shape::Square, 66);
    let position = any_position(&board, 3, &mut rng);
    let methods = methods();
    let think = |nodes| {
        let mut engine = engine(&board, &methods[0]);
        let result = engine.search(&position, &mut Limits::nodes(nodes)).expect("there is a move");
        assert_eq!(engine.lines(3).len(), 1);
        position.clone().try_play(result.mv).expect("the move is legal");
        result
    };
    // The value of the opponent's result.
    let game = AnyGame::new(Arc::clone(&board), table(), Isa::best());
    let AnyGame::Graph(game) = game else { panic!("{game:?}") };
    let score = |result: &SearchResult| {
        let mut after = position.clone();
        after.play_unchecked(result.mv);
        game.evaluate(&game.state(&after)).score
    };
    let (few, more) = (think(2), think(12));
    assert_eq!((few.nodes, more.nodes), (2, 12));
    assert!(score(&more) < score(&few), "{} and {}", score(&more), score(&few));
    assert_eq!(more, think(12), "the same moves are drawn");
    // It stops at the first question.
    let mut engine = engine(&board, &methods[1]);
    assert_eq!(engine.search(&position, &mut |_: &_| true).expect("there is a move").nodes, 1);
}

/// The winner with best play, by the solver.
fn winner(position: &Position) -> Color {
    let limits = SolveLimits { table_bytes: 4 << 20, proof_positions: 0, ..SolveLimits::default() };
    let solution = solve(position, &limits, &mut || true).expect("the board is small");
    solution.winner.expect("nothing stops the solver")
}

#[test]
fn what_a_search_proves_is_true() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(23);
    let mut proven = [0; 2];
    for round in 0..200 {
        let shape = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight][round % 4];
        let board = board(shape, 5);
        let plies = rng.random_range(3..9);
        let position = any_position(&board, plies, &mut rng);
        if !position.has_moves() {
            continue;
        }
        let winner = LazyCell::new(|| winner(&position));
        for (method, proven) in methods().iter().zip(&mut proven) {
            let mut engine = engine(&board, method);
            let result = engine.search(&position, &mut Limits::nodes(3000)).expect("there is a move");
            let Some(proof) = result.proof else { continue };
            *proven += 1;
            let player = if *winner == Color::Black { Player::First } else { Player::Second };
            assert_eq!(proof.outcome, Outcome::Win(player), "{position}");
        }
    }
    assert!(proven.iter().all(|&count| count > 60), "{proven:?}");
}

#[test]
fn the_tree_is_kept_for_the_next_move() {
    let board = board(Shape::Square, 8);
    let method = &methods()[0];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(24);
    let mut position = any_position(&board, 4, &mut rng);
    let mut engine = engine(&board, method);
    let first = engine.search(&position, &mut Limits::nodes(5_000)).expect("there is a move");
    position.play_unchecked(first.mv);
    // The answer that it expects was searched already.
    position.play_unchecked(first.principal_variation[1]);
    let next = engine.search(&position, &mut Limits::nodes(1)).expect("there is a move");
    assert!(next.principal_variation.len() > 1, "{next:?}");
}

#[test]
fn the_tree_is_kept_for_any_next_position_of_a_game() {
    let board = board(Shape::Square, 8);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(25);
    let make = || engine(&board, &methods()[0]);
    let mut engine = make();
    for round in 0..4 {
        let mut position = any_position(&board, 4 + round, &mut rng);
        engine.search(&position, &mut Limits::nodes(5_000)).expect("there is a move");
        // One ply on, by the move chosen or by the next best, and the same position once more.
        let lines = engine.lines(2);
        let again = engine.search(&position, &mut Limits::nodes(1)).expect("there is a move");
        assert!(again.principal_variation.len() > 1, "{again:?}");
        position.play_unchecked(lines[round % 2].moves[0]);
        let next = engine.search(&position, &mut Limits::nodes(1)).expect("there is a move");
        // The next best had few visits.
        let afresh = make().search(&position, &mut Limits::nodes(1)).expect("there is a move");
        assert!(next.depth > afresh.depth, "{next:?} behind {lines:?}");
    }
}

#[test]
fn lines_begin_with_the_choice_and_are_different_moves() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(26);
    for round in 0..60 {
        let shape = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight][round % 4];
        let board = board(shape, [5, 8, 17][round % 3]);
        let plies = rng.random_range(0..8);
        let position = any_position(&board, plies, &mut rng);
        for method in &methods() {
            let mut engine = engine(&board, method);
            assert_eq!(engine.lines(3), []);
            let most = if board.columns() == 17 { 300 } else { 3000 };
            let nodes = [0, 1, 10, 100, most][rng.random_range(0..5)];
            let Some(result) = engine.search(&position, &mut Limits::nodes(nodes)) else {
                assert_eq!(engine.lines(3), []);
                continue;
            };
            let lines = engine.lines(5);
            assert_eq!(lines[0].moves[0], result.mv);
            assert_eq!(engine.lines(1), lines[..1]);
            let first: BTreeSet<Move> = lines.iter().map(|line| line.moves[0]).collect();
            assert_eq!(first.len(), lines.len(), "{lines:?}");
            assert!((1..=5).contains(&lines.len()) && (-1.0..=1.0).contains(&lines[0].value));
            let visits: u64 = lines.iter().map(|line| line.visits).sum();
            assert!(lines.len() == 1 || visits <= result.nodes, "{visits} of {}", result.nodes);
            for line in &lines {
                let mut position = position.clone();
                line.moves.iter().for_each(|&mv| position.try_play(mv).expect("the line is legal"));
            }
        }
    }
}

#[test]
fn what_is_proven_of_a_line_is_true() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(27);
    let mut proven = [0; 2];
    for round in 0..80 {
        let shape = [Shape::Square, Shape::Donut, Shape::Clover, Shape::FigureEight][round % 4];
        let board = board(shape, 5);
        let plies = rng.random_range(4..9);
        let position = any_position(&board, plies, &mut rng);
        let mut engine = engine(&board, &methods()[0]);
        if engine.search(&position, &mut Limits::nodes(3000)).is_none() {
            continue;
        }
        for line in engine.lines(6) {
            let Some(proof) = line.proof else { continue };
            let mut after = position.clone();
            after.play_unchecked(line.moves[0]);
            let winner = winner(&after);
            let player = if winner == Color::Black { Player::First } else { Player::Second };
            assert_eq!(proof.outcome, Outcome::Win(player), "{position} {line:?}");
            assert!(proof.plies >= 2, "the line's own half-moves count");
            let is_win = winner == position.side_to_move();
            assert_eq!(line.value, if is_win { 1.0 } else { -1.0 });
            proven[usize::from(is_win)] += 1;
        }
    }
    assert!(proven.iter().all(|&count| count > 20), "{proven:?}");
}

/// A search whose time is over from the start has looked at few moves, and has one.
#[test]
fn there_is_a_move_before_all_are_judged() {
    for (shape, m) in [(Shape::Square, 20), (Shape::Donut, 40), (Shape::Square, 64), (Shape::Clover, 120)] {
        let board = board(shape, m);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for method in methods() {
            let mut engine = engine(&board, &method);
            let mut position = Position::start(Arc::clone(&board));
            for _ in 0..4 {
                let mut looks = 0;
                let mut budget = |_: &Progress| {
                    looks += 1;
                    true
                };
                let mv = engine.search(&position, &mut budget).expect("a move").mv;
                assert!(position.is_legal(mv).is_ok(), "{shape} {m} {method:?}");
                assert!((1..=6).contains(&looks), "{looks} looks at a clock that has run out: {shape} {m} {method:?}");
                position.play_unchecked(mv);
                let Some(reply) = position.random_move(&mut rng) else { break };
                position.play_unchecked(reply);
            }
        }
    }
}
