//! The slow twin: alpha-beta without tables or bounds, on the rules as the game plays them.

use connect4::perfect::Solver;
use connect4::{Ending, Position, Size};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::random;

fn plain(position: &Position, mut alpha: i32, beta: i32) -> i32 {
    match position.ending() {
        Some(Ending::Draw) => return 0,
        Some(Ending::Win(_)) => return -(position.size().cells() + 2 - position.plies()).cast_signed() / 2,
        None => {}
    }
    for column in position.columns() {
        let mut next = *position;
        next.play(column).expect("a free column");
        alpha = alpha.max(-plain(&next, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Compares random positions of all plies from which that many cells are free at most.
fn compare(width: u32, height: u32, left: u32, number: u32) {
    let size = Size::new(width, height).expect("a size");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(u64::from(width * 100 + height));
    let mut solver = Solver::new(size, 1 << 20, 1).expect("1 MiB");
    for _ in 0..number {
        let position = random(size, size.cells() - rng.random_range(0..=left.min(size.cells())), &mut rng);
        let expected = plain(&position, -100, 100);
        assert_eq!(solver.score(&position, &|| false), Some(expected), "{size}\n{position}");
        assert_eq!(solver.winner(&position, &|| false), Some(expected.signum()), "{size}\n{position}");
        let columns = solver.columns(&position, &|| false).expect("nothing stops it");
        for &(column, score) in &columns {
            let mut next = position;
            next.play(column).expect("a free column");
            assert_eq!(score, -plain(&next, -100, 100), "{size}, column {column}\n{position}");
        }
        let best = columns.iter().map(|it| it.1).max();
        let nearest = columns.iter().filter(|it| Some(it.1) == best).min_by_key(|it| (2 * it.0 + 1).abs_diff(width));
        assert_eq!(solver.best(&position, &|| false), nearest.map(|it| it.0), "{size}\n{position}");
    }
}

#[test]
fn usual_boards_equal_plain_alpha_beta() {
    compare(7, 6, 13, 60);
}

#[test]
fn other_boards_equal_plain_alpha_beta() {
    // Odd and even heights, wide and high, and those whose keys fill 64 bits.
    for (width, height) in [(4, 4), (5, 4), (4, 5), (5, 5), (6, 5), (8, 7), (16, 3), (16, 2), (4, 15), (2, 16), (3, 16)]
    {
        compare(width, height, 12, 12);
    }
}
