//! Endgames: what counting proves before the game is over, and the moves that keep it.

use std::sync::Arc;

use amazons_engine::{
    AnyGame, Arrows, Endgame, Engine, EngineConfig, EvalTable, Game, HalfMoves, Isa, Method, SearchResult, Weights,
};
use amazons_rules::{Board, Color, Move, Position, Shape};
use amazons_search::{AlphaBetaConfig, Game as _, Limits, MctsConfig, Outcome, Player, Progress};
use amazons_solve::{SolveLimits, solve};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::boards::{foreign, without_an_axis};
use crate::solve::race::Race;
use crate::solve::slow;

fn table() -> Arc<EvalTable> {
    Arc::new(EvalTable::new(Weights::standard()))
}

fn boards() -> Vec<Arc<Board>> {
    let shapes = Shape::ALL.into_iter().map(|shape| Board::new(shape, 5).expect("a legal size"));
    let shapes: Vec<Board> = shapes.collect();
    let foreign = foreign(&shapes[0], 3);
    shapes.into_iter().chain([foreign, without_an_axis(5)]).map(Arc::new).collect()
}

pub(super) fn methods() -> [Method; 2] {
    let tree = MctsConfig { memory_bytes: 2 << 20, ..MctsConfig::default() };
    let table = AlphaBetaConfig { table_bytes: 1 << 16, ..AlphaBetaConfig::default() };
    [Method::BestFirst(tree), Method::DepthFirst(table)]
}

/// Makes an engine with the default settings.
pub(super) fn engine(board: &Arc<Board>, method: &Method) -> Box<dyn Engine> {
    let config = EngineConfig::new(method.clone());
    amazons_engine::engine(Arc::clone(board), table(), config).expect("the board is not too large")
}

fn winner_of(outcome: Outcome) -> Color {
    match outcome {
        Outcome::Win(Player::First) => Color::Black,
        Outcome::Win(Player::Second) => Color::White,
        Outcome::Draw => panic!("nobody draws"),
    }
}

/// The winner with best play, by the solver.
fn winner(position: &Position) -> Color {
    let limits = SolveLimits { table_bytes: 1 << 20, proof_positions: 0, ..SolveLimits::default() };
    let solution = solve(position, &limits, &mut || true).expect("a small board");
    solution.winner.expect("nothing stops the solver")
}

/// The winner by a state's outcome, and whether the game is over.
fn known(board: &Arc<Board>, position: &Position) -> (Option<Color>, bool) {
    fn of<G: Game>(game: G, position: &Position) -> (Option<Color>, bool) {
        let endgame = Endgame::new(&game, 1).map(Arc::new).expect("a small board");
        let plain = HalfMoves::new(Arc::new(game), position);
        let counting = plain.clone().with_endgame(Some(endgame));
        // While an arrow is due nothing is known.
        let mut steps = Vec::new();
        counting.moves(&mut steps);
        for &step in &steps {
            let mut stepped = counting.clone();
            stepped.play(step);
            assert_eq!(stepped.outcome(), None);
        }
        (counting.outcome().map(winner_of), plain.outcome().is_some())
    }
    match AnyGame::new(Arc::clone(board), table(), Isa::best()) {
        AnyGame::Small(game) => of(game, position),
        AnyGame::Medium(game) => of(game, position),
        AnyGame::Large(game) => of(game, position),
        AnyGame::Graph(game) => of(game, position),
    }
}

#[test]
fn outcomes_known_early_are_those_of_a_full_search() {
    for board in boards() {
        let mut early = 0;
        for seed in 0..250 {
            let queens = [1 + (seed % 2) as usize, 1 + (seed / 2 % 3) as usize];
            let position = slow::scattered(&board, queens, 3 + (seed % 5) as usize, seed);
            let (Some(found), is_over) = known(&board, &position) else { continue };
            let side = position.side_to_move();
            let expected = if slow::wins(&position) { side } else { side.opposite() };
            assert_eq!(found, expected, "seed {seed} {position}");
            early += u32::from(!is_over);
        }
        assert!(early > 70, "{early} on {:?}", board.shape());
    }
}

/// A position late in a random game.
fn late_position(board: &Arc<Board>, seed: u64) -> Position {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let start = Position::start(Arc::clone(board));
    let mut position = if start.has_moves() { start } else { slow::scattered(board, [2, 2], 16, seed) };
    let free = rng.random_range(5..12);
    while board.vertices().filter(|&vertex| position.is_free(vertex)).count() > free {
        let Some(mv) = position.random_move(&mut rng) else { break };
        position.play_unchecked(mv);
    }
    position
}

/// Plays a position to its end, `think` for the side to move and `answer` for the other; fails as soon as a move leaves
/// the other side a win.
fn assert_won(
    position: &Position,
    think: &mut dyn FnMut(&Position) -> Option<SearchResult>,
    answer: &mut dyn FnMut(&Position) -> Move,
) {
    let side = position.side_to_move();
    let mut now = position.clone();
    loop {
        let result = think(&now).expect("who wins has a move");
        now.try_play(result.mv).expect("a legal move");
        assert_eq!(winner(&now), side, "{} loses {position}", position.board().move_text(result.mv));
        if !now.has_moves() {
            return;
        }
        now.try_play(answer(&now)).expect("a legal answer");
    }
}

fn any_move(position: &Position, rng: &mut Xoshiro256PlusPlus) -> Move {
    position.random_move(rng).expect("there is a move")
}

#[test]
fn engines_win_every_race_that_is_won() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(31);
    let (mut won, mut shared, methods) = (0, 0, methods());
    for board in boards() {
        let make = |method: &Method, arrows| {
            let config = EngineConfig { arrows, ..EngineConfig::new(method.clone()) };
            amazons_engine::engine(Arc::clone(&board), table(), config).expect("a small board")
        };
        for seed in 0..60 {
            let position = late_position(&board, seed);
            let side = position.side_to_move();
            if !position.has_moves() || known(&board, &position).0 != Some(side) {
                continue;
            }
            won += 1;
            shared += u32::from(Race::of(&position).shared);
            // A race can also be won without arrows back, or with only those that are needed.
            for (method, arrows) in
                methods.iter().zip([Arrows::Any, Arrows::Clear]).chain([(&methods[0], Arrows::Clear)])
            {
                let mut first = make(method, arrows);
                let result = first.search(&position, &mut Limits::nodes(1)).expect("there is a move");
                assert_eq!(result.proof.map(|proof| winner_of(proof.outcome)), Some(side));
                let mut think = |position: &Position| first.search(position, &mut Limits::nodes(50));
                assert_won(&position, &mut think, &mut |now| any_move(now, &mut rng));
                let (mut second, mut stubborn) = (make(method, arrows), make(method, Arrows::Any));
                let mut think = |position: &Position| second.search(position, &mut Limits::nodes(1));
                let mut answer = |now: &Position| stubborn.search(now, &mut Limits::nodes(50)).expect("a move").mv;
                assert_won(&position, &mut think, &mut answer);
            }
        }
    }
    assert!(won > 40 && shared > 25, "{won} won, {shared} of them with shared regions");
}

#[test]
fn a_race_is_won_without_any_time() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(32);
    let board = Arc::new(Board::new(Shape::Square, 6).expect("a legal size"));
    let mut won = 0;
    for seed in 0..150 {
        let position = late_position(&board, seed);
        if !position.has_moves() || known(&board, &position).0 != Some(position.side_to_move()) {
            continue;
        }
        won += 1;
        let mut engine = engine(&board, &methods()[0]);
        let mut think = |position: &Position| engine.search(position, &mut |_: &Progress| true);
        assert_won(&position, &mut think, &mut |now| any_move(now, &mut rng));
    }
    println!("{won}");
    assert!(won > 15, "{won} won");
}

#[test]
fn who_loses_a_race_makes_as_many_moves_as_there_are() {
    let mut lost = 0;
    for board in boards() {
        for seed in 0..350 {
            let position = slow::scattered(&board, [1, 1 + (seed % 2) as usize], 4 + (seed % 6) as usize, seed);
            let side = position.side_to_move();
            let race = Race::of(&position);
            if race.shared || !position.has_moves() || race.outcome(side) == Some(side) {
                continue;
            }
            lost += 1;
            let mut engine = engine(&board, &methods()[0]);
            let mut alone = position.clone();
            let mut moves = 0;
            while let Some(result) = engine.search(&alone, &mut Limits::nodes(50)) {
                alone.try_play(result.mv).expect("a legal move");
                // The other side's moves change nothing here.
                alone = slow::with_turn(&alone, side);
                moves += 1;
            }
            assert_eq!(moves, slow::filling(&position, side), "seed {seed} {position}");
        }
    }
    println!("{lost}");
    assert!(lost > 150, "{lost} lost");
}

#[test]
fn boards_that_are_too_large_to_count_on_are_played() {
    let board = Arc::new(Board::new(Shape::Square, 33).expect("a legal size"));
    match AnyGame::new(Arc::clone(&board), table(), Isa::best()) {
        AnyGame::Large(game) => assert!(Endgame::new(&game, 1).is_none()),
        other => panic!("{other:?}"),
    }
    let mut position = Position::start(Arc::clone(&board));
    let mut engine = engine(&board, &methods()[0]);
    let result = engine.search(&position, &mut Limits::nodes(1)).expect("there is a move");
    position.try_play(result.mv).expect("a legal move");
}
