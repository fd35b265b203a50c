//! Features and scores on all paths against breadth-first search.

use std::sync::Arc;

use amazons_engine::{AnyGame, EvalTable, Game, GraphGame, Grid, GridGame, Isa, Network, QUEEN_CLASSES, Weights};
use amazons_rules::{Board, Color, Move, Position, Shape, Step};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::boards::{foreign, game, without_an_axis};
use super::slow::{Counts, stepped};

/// Weights that are all different.
fn any_weights(seed: u64) -> EvalTable {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut weights = Weights::standard().clone();
    weights.values.iter_mut().flatten().for_each(|weight| *weight = rng.random_range(-7.0..7.0));
    EvalTable::new(&weights)
}

/// A network whose numbers are all different, and as large as they may be.
fn any_network(seed: u64) -> EvalTable {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut network = Network::ZERO;
    network.inputs.as_flattened_mut().iter_mut().flatten().for_each(|weight| *weight = rng.random_range(-127..=127));
    network.biases.iter_mut().flatten().for_each(|bias| *bias = rng.random_range(-2000..=2000));
    network.outputs.as_flattened_mut().iter_mut().flatten().for_each(|weight| *weight = rng.random_range(-3000..=3000));
    EvalTable::of_network(&network)
}

/// A game with its table.
type Judged<G> = (G, Arc<EvalTable>);

/// How many positions of a longer game to compare.
const POSITIONS: usize = 24;

/// Compares positions from a game's end to its start, before each move and between its halves; returns the number of
/// states.
fn compare<G: Game>(games: &[Judged<G>], positions: &[Position]) -> usize {
    if games.is_empty() {
        return 0;
    }
    let mut compared = 0;
    for (index, position) in positions.iter().enumerate().rev().step_by(positions.len().div_ceil(POSITIONS)) {
        let side = position.side_to_move();
        check(games, position, (side, Step::Queen), |game| game.state(position));
        compared += 1;
        let Some(mv) = positions.get(index + 1).and_then(|next| move_between(position, next)) else { continue };
        check(games, &stepped(position, mv), (side, Step::Arrow), |game| {
            let mut state = game.state(position);
            game.play(&mut state, game.halves(mv)[0]);
            state
        });
        compared += 1;
    }
    compared
}

/// The slow twin counts once for all games, whatever their instructions and tables.
fn check<G: Game>(games: &[Judged<G>], position: &Position, due: (Color, Step), state: impl Fn(&G) -> G::State) {
    let board = position.board();
    let about = || format!("{:?} {} x {} {position}", board.shape(), board.rows(), board.columns());
    let slow = Counts::new(position, due.0, due.1);
    for (game, table) in games {
        let state = state(game);
        let features = game.features(&state);
        assert_eq!(Counts::of(&features), slow, "{}", about());
        let evaluation = game.evaluate(&state);
        assert_eq!(evaluation, features.evaluate(table), "{}", about());
        assert_eq!(game.decided(&state), evaluation.decided(), "{}", about());
        let both = (0..QUEEN_CLASSES - 1).flat_map(|mover| (0..QUEEN_CLASSES - 1).map(move |other| (mover, other)));
        let shared: u32 = both.map(|(mover, other)| features.queen(mover, other)).sum();
        let is_countable = shared <= features.own_only[0].abs_diff(features.own_only[1]);
        assert_eq!(game.is_countable(&state), is_countable, "{}", about());
        assert!(evaluation.may_be_countable() || !is_countable, "{}", about());
    }
}

/// The move that leads from one position of a game to the next; the arrow does not matter here.
fn move_between(before: &Position, after: &Position) -> Option<Move> {
    let color = before.side_to_move();
    let mut pairs = before.queens(color).iter().zip(after.queens(color));
    pairs.find(|(from, to)| from != to).map(|(&from, &to)| Move { from, to, arrow: to })
}

fn compare_everywhere(board: &Arc<Board>, seed: u64) -> usize {
    compare_positions(board, seed, &game(board, seed))
}

fn compare_positions(board: &Arc<Board>, seed: u64, positions: &[Position]) -> usize {
    let (mut small, mut medium, mut large, mut graph) = (vec![], vec![], vec![], vec![]);
    for table in [any_weights(seed), any_network(seed)].map(Arc::new) {
        for isa in Isa::available() {
            let judging = Arc::clone(&table);
            match AnyGame::new(Arc::clone(board), Arc::clone(&table), isa) {
                AnyGame::Small(game) => small.push((game, judging)),
                AnyGame::Medium(game) => medium.push((game, judging)),
                AnyGame::Large(game) => large.push((game, judging)),
                AnyGame::Graph(game) => graph.push((game, judging)),
            }
        }
    }
    compare(&small, positions) + compare(&medium, positions) + compare(&large, positions) + compare(&graph, positions)
}

fn compare_sizes(sizes: impl Iterator<Item = u32>, games: u64) -> usize {
    let boards = sizes.flat_map(|m| Shape::ALL.map(|shape| Arc::new(Board::new(shape, m).expect("legal size"))));
    boards.map(|board| (0..games).map(|seed| compare_everywhere(&board, seed)).sum::<usize>()).sum()
}

#[test]
fn small_grids_evaluate_as_the_slow_twin() {
    let compared = compare_sizes(5..=9, 2) + compare_sizes(10..=16, 1);
    assert!(compared >= 2_000, "{compared}");
}

/// Rows and columns as long as the narrow form of the sets allows, and one longer.
#[test]
fn rectangles_evaluate_as_the_slow_twin() {
    for (columns, rows) in [(11, 10), (10, 11), (12, 10), (11, 3), (16, 2), (2, 16)] {
        let board = Arc::new(Board::rectangle(columns, rows).expect("legal size"));
        assert!(compare_everywhere(&board, 4) > 5);
    }
}

#[test]
fn wide_grids_evaluate_as_the_slow_twin() {
    let compared = compare_sizes([17, 19, 20, 24, 31, 32].into_iter(), 1);
    assert!(compared >= 500, "{compared}");
}

#[test]
fn the_largest_grids_evaluate_as_the_slow_twin() {
    for (shape, m, plies) in [(Shape::Square, 64, 6), (Shape::Clover, 40, 6), (Shape::FigureEight, 33, 300)] {
        let board = Arc::new(Board::new(shape, m).expect("legal size"));
        let table = Arc::new(any_weights(1));
        let positions = game(&board, 1);
        let AnyGame::Large(large) = AnyGame::new(Arc::clone(&board), Arc::clone(&table), Isa::best()) else {
            panic!("{m} columns are large")
        };
        let late = positions.len().saturating_sub(3);
        let large = [(large, table)];
        compare(&large, &positions[late..]);
        compare(&large, &positions[plies.min(late)..(plies + 3).min(late + 3)]);
    }
}

/// Nearly all of the board is far from one queen and out of reach of the other: counts above the network's largest, and
/// above a byte of the registers.
#[test]
fn full_layouts_of_one_class_evaluate_as_the_slow_twin() {
    // On the narrow form of the sets, on the layouts, and one row or column beyond the narrow form.
    for (columns, rows) in [(11, 10), (12, 10), (11, 11), (16, 16), (32, 32), (64, 64)] {
        let board = Arc::new(Board::rectangle(columns, rows).expect("legal size"));
        for (row, inwards) in [(0, 1), (rows - 1, rows - 2)] {
            let (free, shut) = (row * columns + columns - 1, row * columns);
            let arrows = [shut + 1, inwards * columns, inwards * columns + 1];
            for side in [Color::Black, Color::White] {
                let queens = [vec![free], vec![shut]];
                let position = Position::new(Arc::clone(&board), queens, &arrows, side).expect("a position");
                compare_positions(&board, 3, &[position]);
            }
        }
    }
}

#[test]
fn foreign_graphs_evaluate_as_the_slow_twin() {
    for seed in 0..8 {
        let m = 5 + seed as u32 * 2;
        for board in [foreign(&Board::new(Shape::Donut, m).expect("legal size"), seed), without_an_axis(m)] {
            assert!(compare_everywhere(&Arc::new(board), seed) > 1);
        }
    }
}

#[test]
fn every_layout_and_the_graph_agree() {
    for shape in Shape::ALL {
        let board = Arc::new(Board::new(shape, 11).expect("legal size"));
        let grid = Grid::new(&board).expect("a grid");
        let table = Arc::new(any_weights(2));
        let graph = GraphGame::new(Arc::clone(&board), Arc::clone(&table));
        let positions = game(&board, 2);
        compare(&[(graph, Arc::clone(&table))], &positions);
        let medium = GridGame::<[u32; 32]>::new(&board, &grid, &table, Isa::best()).expect("it fits");
        let large = GridGame::<[u64; 64]>::new(&board, &grid, &table, Isa::best()).expect("it fits");
        compare(&[(medium, Arc::clone(&table))], &positions);
        compare(&[(large, table)], &positions);
    }
}

#[test]
fn the_standard_weights_prefer_more_territory() {
    let table = Arc::new(EvalTable::new(Weights::standard()));
    // Black owns three free squares behind a wall of arrows, White one.
    let position = Position::parse("q3*/*****/***1Q b").expect("a position");
    let AnyGame::Small(game) = AnyGame::new(Arc::clone(position.board()), table, Isa::best()) else { panic!("small") };
    let evaluation = game.evaluate(&game.state(&position));
    assert_eq!(evaluation.decided(), Some([3, 1]));
    assert!(evaluation.value() > 0.6, "{evaluation:?}");
    assert_eq!(game.due(&game.state(&position)), Step::Queen);
}
