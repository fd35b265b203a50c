//! The perfect player: scores, winners, columns, whatever the size of the board, the table and the number of threads.

mod plain;
mod ranks;
mod sets;
mod vectors;

use std::sync::atomic::{AtomicU64, Ordering};

use connect4::perfect::{Bounds, Solver, Table};
use connect4::{Ending, Position, Size};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

pub(crate) const MEMORY: u64 = 1 << 23;

pub(crate) fn solver(size: Size, threads: usize) -> Solver {
    Solver::new(size, MEMORY, threads).expect("8 MiB")
}

pub(crate) fn score(solver: &mut Solver, moves: &str) -> i32 {
    solver.score(&position(solver.size(), moves), &|| false).expect("nothing stops it")
}

pub(crate) fn position(size: Size, moves: &str) -> Position {
    Position::from_moves(size, moves).unwrap_or_else(|error| panic!("{moves}: {error}"))
}

/// Plays so many random moves, fewer if the game ends.
pub(crate) fn random(size: Size, plies: u32, rng: &mut impl rand::Rng) -> Position {
    let mut position = Position::empty(size);
    while position.plies() < plies {
        let columns: Vec<u32> = position.columns().collect();
        let Some(&column) = columns.get(rng.random_range(0..columns.len().max(1))) else { break };
        position.play(column).expect("a free column");
    }
    position
}

#[test]
fn mirrored_positions_have_equal_scores() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    for size in [Size::STANDARD, Size::new(6, 5).expect("test data"), Size::new(5, 8).expect("test data")] {
        let mut solver = solver(size, 1);
        for _ in 0..30 {
            let plies = size.cells() - rng.random_range(0..20);
            let position = random(size, plies, &mut rng);
            let scores: Vec<i32> = [position, position.mirrored()]
                .iter()
                .map(|position| {
                    solver.clear();
                    solver.score(position, &|| false).expect("test data")
                })
                .collect();
            assert_eq!(scores[0], scores[1], "{size}\n{position}");
        }
    }
}

#[test]
fn a_finished_game_has_its_score() {
    let mut solver = solver(Size::STANDARD, 1);
    assert_eq!(score(&mut solver, "1212121"), -18, "the loser's, after 7 stones");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut games = (0..100_000).map(|_| random(Size::STANDARD, 42, &mut rng));
    let over = games.find(|game| game.ending() == Some(Ending::Draw)).expect("one of many games is drawn");
    assert_eq!(solver.score(&over, &|| false), Some(0));
    assert_eq!((solver.best(&over, &|| false), solver.columns(&over, &|| false)), (None, Some(vec![])));
    assert_eq!(solver.nodes(), 0, "nothing was searched");
}

#[test]
fn a_stopped_search_has_no_result_and_leaves_the_table_right() {
    for threads in [1, 2] {
        let mut solver = solver(Size::STANDARD, threads);
        let open = position(Size::STANDARD, "32751571");
        let asked = AtomicU64::new(0);
        let stop = || asked.fetch_add(1, Ordering::Relaxed) >= 5;
        assert_eq!(solver.score(&open, &stop), None);
        assert!(solver.nodes() < 200_000, "{threads} threads stopped after {} positions", solver.nodes());
        // What it stored before still serves.
        assert_eq!(score(&mut solver, "32751571231557"), -3);
    }
}

#[test]
fn threads_change_no_score() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
    let mut solvers = [1, 2, 3].map(|threads| solver(Size::STANDARD, threads));
    for _ in 0..12 {
        let position = random(Size::STANDARD, 16, &mut rng);
        let results = solvers.each_mut().map(|solver| {
            let stop = || false;
            (solver.score(&position, &stop), solver.winner(&position, &stop), solver.best(&position, &stop))
        });
        assert_eq!(results[0], results[1], "2 threads\n{position}");
        assert_eq!(results[0], results[2], "3 threads\n{position}");
    }
}

#[test]
fn a_table_under_threads_never_mixes_positions() {
    // Bounds that follow from the key: whatever comes back must belong to the key, though threads overwrite each other.
    let size = Size::STANDARD;
    let table = Table::new(size, 1 << 14).expect("test data");
    let bounds = |key: u64| {
        let lower = i32::try_from(key.wrapping_mul(0xA24B_AED4_963E_E407) >> 59).expect("test data") - 16;
        Bounds { lower, upper: lower + 3, column: u32::try_from(key % 7).expect("test data") }
    };
    let (table, found) = (&table, &AtomicU64::new(0));
    std::thread::scope(|scope| {
        for seed in 0..4 {
            scope.spawn(move || {
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
                for _ in 0..200_000 {
                    let key = rng.random_range(0..6000_u64) << (7 * seed % 3) | 1 << 40;
                    if let Some(known) = table.get(key) {
                        assert_eq!(known, bounds(key), "key {key:x}");
                        found.fetch_add(1, Ordering::Relaxed);
                    }
                    table.set(key, bounds(key), rng.random_range(0..16));
                }
            });
        }
    });
    assert!(found.load(Ordering::Relaxed) > 10_000, "only {found:?} keys were found again");
}
