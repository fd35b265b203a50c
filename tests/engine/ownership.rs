//! Ownership of vertices: bounds, certainty, symmetry and calibration of the probabilities.

use std::sync::Arc;

use amazons_engine::{EngineConfig, EvalTable, Method, Ownership, OwnershipView, engine, ownership};
use amazons_rules::{Board, Color, Position, Shape, Vertex};
use amazons_search::{Limits, MctsConfig};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::boards::{foreign, game, without_an_axis};

fn of(ownership: &Ownership, color: Color, vertex: Vertex) -> f32 {
    [&ownership.black, &ownership.white][color.index()][vertex as usize]
}

/// The vertices that a side's queens come to, over those that `is_passed`, and their neighbours.
fn reach(position: &Position, color: Color, is_passed: impl Fn(Vertex) -> bool) -> Vec<bool> {
    let mut reached = vec![false; position.board().vertex_ids()];
    let mut rest = position.queens(color).to_vec();
    while let Some(from) = rest.pop() {
        for to in position.board().neighbors(from).into_iter().flatten().flatten() {
            if !std::mem::replace(&mut reached[to as usize], true) && is_passed(to) {
                rest.push(to);
            }
        }
    }
    reached
}

fn free(position: &Position) -> Vec<Vertex> {
    position.board().vertices().filter(|&vertex| position.is_free(vertex)).collect()
}

/// The sides that reach each vertex, as if it were free.
fn reaches(position: &Position) -> [Vec<bool>; 2] {
    Color::ALL.map(|color| reach(position, color, |to| position.is_free(to)))
}

fn is_closed(position: &Position) -> bool {
    let [black, white] = reaches(position);
    !free(position).into_iter().any(|vertex| black[vertex as usize] && white[vertex as usize])
}

/// The side that alone reaches a vertex.
fn alone([black, white]: &[Vec<bool>; 2], vertex: Vertex) -> Option<Color> {
    match (black[vertex as usize], white[vertex as usize]) {
        (true, false) => Some(Color::Black),
        (false, true) => Some(Color::White),
        _ => None,
    }
}

/// Boards of every kind, small ones and the largest.
fn boards() -> Vec<Arc<Board>> {
    let shaped = Shape::ALL.into_iter().flat_map(|shape| [5, 8, 11].map(|m| Board::new(shape, m).expect("legal size")));
    let grid = Board::new(Shape::Donut, 7).expect("a legal size");
    let others = [Board::rectangle(3, 40).expect("a legal size"), foreign(&grid, 1), without_an_axis(7)];
    shaped.chain(others).map(Arc::new).collect()
}

#[test]
fn probabilities_are_within_their_bounds_and_certain_where_nothing_is_open() {
    for (seed, board) in (0..).zip(boards()) {
        for position in game(&board, seed) {
            let ownership = ownership(&position);
            let is_open = |to| position.is_free(to) || position.queen_at(to).is_some();
            let ever = Color::ALL.map(|color| reach(&position, color, is_open));
            let (reached, closed) = (reaches(&position), is_closed(&position));
            assert_eq!(OwnershipView::new(&position).is_closed(), closed, "{position}");
            for vertex in 0..u32::try_from(board.vertex_ids()).expect("small") {
                let chances = Color::ALL.map(|color| of(&ownership, color, vertex));
                if !position.is_free(vertex) {
                    assert_eq!(chances, [0.0; 2], "{position}: {vertex}");
                } else if closed {
                    let owner = alone(&reached, vertex);
                    let certain = Color::ALL.map(|color| if owner == Some(color) { 1.0 } else { 0.0 });
                    assert_eq!(chances, certain, "{position}: {vertex}");
                } else {
                    assert!(chances.iter().all(|chance| (0.0..=1.0).contains(chance)), "{position}: {vertex}");
                    assert!(chances[0] + chances[1] <= 1.0, "{position}: {vertex}");
                    // A side has no chance exactly where it can never come, whatever the queens do.
                    assert_eq!(chances.map(|chance| chance > 0.0), [0, 1].map(|side| ever[side][vertex as usize]));
                }
            }
        }
    }
}

#[test]
fn a_region_shut_by_arrows_belongs_to_the_queen_in_it() {
    // Black's corner on the left is closed; the right half is open to both.
    let position = Position::parse("q2*4/3*1q2/3*4/****4/8/8/4Q3/1Q6 w").expect("a position");
    let ownership = ownership(&position);
    for vertex in [1, 2, 8, 9, 10, 16, 17, 18] {
        assert_eq!(of(&ownership, Color::White, vertex), 0.0);
        assert!(of(&ownership, Color::Black, vertex) > 0.9, "{vertex}: {}", of(&ownership, Color::Black, vertex));
    }
    assert!(of(&ownership, Color::White, 48) > of(&ownership, Color::Black, 48), "next to White's queens");
}

#[test]
fn swapped_colours_swap_the_probabilities() {
    for (seed, board) in (0..).zip(boards()) {
        for position in game(&board, seed).iter().step_by(5) {
            let queens = [Color::White, Color::Black].map(|color| position.queens(color).to_vec());
            let arrows: Vec<Vertex> = position.arrows().collect();
            let swapped = Position::new(Arc::clone(&board), queens, &arrows, position.side_to_move().opposite());
            let Ownership { black, white } = ownership(position);
            assert_eq!(ownership(&swapped.expect("a position")), Ownership { black: white, white: black });
        }
    }
}

/// Neither the order of vertices nor which way a board lies means anything.
#[test]
fn a_mirrored_board_has_the_mirrored_probabilities() {
    for position in game(&Arc::new(Board::new(Shape::Square, 9).expect("a legal size")), 3).iter().step_by(4) {
        let board = position.board();
        let mirror = |vertex: Vertex| vertex / 9 * 9 + 8 - vertex % 9;
        let queens = Color::ALL.map(|color| position.queens(color).iter().map(|&queen| mirror(queen)).collect());
        let arrows: Vec<Vertex> = position.arrows().map(mirror).collect();
        let mirrored = Position::new(Arc::clone(board), queens, &arrows, position.side_to_move()).expect("a position");
        let (one, other) = (ownership(position), ownership(&mirrored));
        for vertex in board.vertices() {
            for color in Color::ALL {
                let difference = of(&one, color, vertex) - of(&other, color, mirror(vertex));
                assert!(difference.abs() < 1e-4, "{position}: {vertex} {difference}");
            }
        }
    }
}

#[test]
fn the_largest_boards_have_an_ownership() {
    for shape in Shape::ALL {
        let position = Position::start(Arc::new(Board::new(shape, 64).expect("a legal size")));
        let found = ownership(&position);
        assert_eq!(found, ownership(&position), "the same each time");
        let sum: f32 = found.black.iter().chain(&found.white).sum();
        assert!(sum > 0.2 * free(&position).len() as f32, "{shape:?}: {sum}");
    }
}

/// In games of the engine against itself, what is predicted with a probability comes true with about that frequency.
#[test]
fn probabilities_come_true_as_often_as_they_say() {
    const BINS: usize = 10;
    let mut bins = [[0.0f64; 3]; BINS];
    let [mut error, mut guess] = [0.0; 2];
    for seed in 0..20 {
        let shape = Shape::ALL[seed % Shape::ALL.len()];
        let mut position = Position::start(Arc::new(Board::new(shape, 8 + (seed / 7) as u32).expect("a legal size")));
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed as u64);
        let method = Method::BestFirst(MctsConfig { memory_bytes: 8 << 20, ..MctsConfig::default() });
        let (board, table) = (Arc::clone(position.board()), Arc::new(EvalTable::standard()));
        let mut engine = engine(board, table, EngineConfig::new(method)).expect("a small board");
        let mut owners = vec![None; position.board().vertex_ids()];
        let mut positions = Vec::new();
        while !is_closed(&position) {
            let opening = positions.len() < 4;
            let chosen = engine.search(&position, &mut Limits::nodes(100)).expect("an open position has moves").mv;
            let mv = if opening { position.random_move(&mut rng).expect("a move") } else { chosen };
            owners[mv.arrow as usize] = alone(&reaches(&position), mv.arrow);
            positions.push(position.clone());
            position.play_unchecked(mv);
        }
        for vertex in position.board().vertices() {
            let queen = position.queen_at(vertex);
            if queen.is_some() || position.is_free(vertex) {
                owners[vertex as usize] = queen.or_else(|| alone(&reaches(&position), vertex));
            }
        }
        for position in &positions[4..] {
            let (ownership, reached) = (ownership(position), reaches(position));
            for vertex in free(position) {
                for color in Color::ALL {
                    let chance = f64::from(of(&ownership, color, vertex));
                    let truth = f64::from(u8::from(owners[vertex as usize] == Some(color)));
                    let bin = &mut bins[((chance * BINS as f64) as usize).min(BINS - 1)];
                    bin.iter_mut().zip([1.0, chance, truth]).for_each(|(sum, number)| *sum += number);
                    error += (chance - truth).powi(2);
                    guess += (f64::from(u8::from(alone(&reached, vertex) == Some(color))) - truth).powi(2);
                }
            }
        }
    }
    let count: f64 = bins.iter().map(|bin| bin[0]).sum();
    let calibration = bins.iter().map(|bin| (bin[1] - bin[2]).abs()).sum::<f64>() / count;
    println!(
        "calibration error {calibration:.4}, Brier score {:.4}, of sole reach {:.4}",
        error / count,
        guess / count
    );
    assert!(calibration < 0.03, "{calibration}: {bins:?}");
    assert!(error < 0.8 * guess, "{error} {guess}");
}
