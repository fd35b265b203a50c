//! Published and computed scores.

use connect4::perfect::Solver;
use connect4::{BookChoice, Position, Size};

use super::{MEMORY, position, solver};

/// Scores of all columns; `x` is a full one.
const COLUMNS: [(&str, &str); 12] = [
    ("43173244467443", "0 0 0 x 0 -3 -3"),
    ("633633576262152", "-4 -2 -4 -10 0 -4 3"),
    ("3372226571113443", "2 -13 -13 -13 -13 -13 -13"),
    ("72161662266434674", "3 4 -11 -7 -4 x -3"),
    ("626464466652344771", "-11 -11 -12 -11 -11 x -11"),
    ("5557535316464322712", "-11 -11 12 -11 -3 -11 -11"),
    ("56266765452334256377", "-11 11 -11 -11 10 11 -11"),
    ("216717751276441155263", "-10 -10 1 -10 -10 -10 -10"),
    ("2113121222725633415156", "x x 5 3 10 5 2"),
    ("176662547166374724611357", "-9 -9 -9 -9 9 x -8"),
    ("22115263174672772264347517", "-5 x -7 -7 -6 -7 x"),
    ("7137137772572421345312451664", "-7 -7 -7 -7 -1 -7 x"),
];

fn columns(size: &str, moves: &str) -> String {
    let size: Size = size.parse().expect("a size");
    let mut solver = solver(size, 1);
    let scores = solver.columns(&position(size, moves), &|| false).expect("nothing stops it");
    let text = |column| scores.iter().find(|it| it.0 == column).map_or("x".to_owned(), |it| it.1.to_string());
    (0..size.width()).map(text).collect::<Vec<_>>().join(" ")
}

#[test]
fn columns_have_their_scores() {
    for (moves, expected) in &COLUMNS {
        assert_eq!(columns("7x6", moves), *expected, "{moves}");
    }
}

#[test]
fn small_boards_have_their_scores() {
    for (size, expected) in [
        ("4x4", "0 0 0 0"),
        ("4x5", "0 0 0 0"),
        ("5x4", "-1 0 0 0 -1"),
        ("6x4", "-1 -1 -1 -1 -1 -1"),
        ("5x5", "0 0 0 0 0"),
    ] {
        assert_eq!(columns(size, ""), expected, "{size}");
    }
}

#[test]
fn sizes_have_their_winners() {
    // Width 4 upwards, by height.
    for (height, winners) in [(4, "==-="), (5, "==="), (6, "=="), (7, "=="), (8, "=")] {
        for (width, winner) in (4..).zip(winners.chars()) {
            assert_eq!(winner_of(width, height, MEMORY), winner, "{width}x{height}");
        }
    }
}

fn winner_of(width: u32, height: u32, memory: u64) -> char {
    let size = Size::new(width, height).expect("a size");
    let mut solver = Solver::new(size, memory, 1).expect("memory");
    match solver.winner(&position(size, ""), &|| false).expect("nothing stops it") {
        0 => '=',
        1 => '+',
        _ => '-',
    }
}

#[test]
fn the_winner_alone_is_known_sooner() {
    for (moves, expected) in [("131313", 1), ("45461667", 1), ("444444232222", 0)] {
        assert_eq!(winner_after(moves, MEMORY), Some(expected), "{moves}");
    }
}

fn winner_after(moves: &str, memory: u64) -> Option<i32> {
    let mut solver = Solver::new(Size::STANDARD, memory, 1).expect("memory");
    let winner = solver.winner(&position(Size::STANDARD, moves), &|| false);
    println!("{moves}: {} positions", solver.nodes());
    winner
}

/// Scores of all columns early in the game.
const OPENINGS: [(&str, &str); 6] = [
    ("444444", "-1 0 1 x 1 0 -1"),
    ("4444", "-2 -2 -2 1 -2 -2 -2"),
    ("444", "-4 -4 -3 -1 -3 -4 -4"),
    ("44", "-3 -3 -2 1 -2 -3 -3"),
    ("4", "-4 -2 -2 -1 -2 -2 -4"),
    ("", "-2 -1 0 1 0 -1 -2"),
];

fn check_opening(solver: &mut Solver, (moves, expected): (&str, &str)) {
    let scores = solver.columns(&position(Size::STANDARD, moves), &|| false).expect("nothing stops it");
    let text = |column| scores.iter().find(|it| it.0 == column).map_or("x".to_owned(), |it| it.1.to_string());
    assert_eq!((0..7).map(text).collect::<Vec<_>>().join(" "), expected, "{moves}");
}

/// Perfect play against itself.
fn check_game(solver: &mut Solver) {
    let mut game = Position::empty(Size::STANDARD);
    while let Some(column) = solver.best(&game, &|| false) {
        assert!(game.plies() > 0 || column == 3, "begins with 4");
        game.play(column).expect("a free column");
    }
    assert_eq!(game.plies(), 41, "the first player wins with the last but one stone");
}

#[test]
fn openings_have_their_scores_by_the_book() {
    let mut solver = Solver::new(Size::STANDARD, MEMORY, 1).expect("memory").with_book(BookChoice::Shipped);
    OPENINGS.into_iter().for_each(|opening| check_opening(&mut solver, opening));
    check_game(&mut solver);
    println!("{} positions", solver.nodes());
}

mod long {
    use super::{OPENINGS, check_game, check_opening};
    use connect4::Size;
    use connect4::perfect::Solver;

    #[test]
    fn the_winner_alone_is_known_sooner() {
        for (moves, expected) in [("35333571", -1), ("13333111", 0)] {
            assert_eq!(super::winner_after(moves, 1 << 28), Some(expected), "{moves}");
        }
    }

    #[test]
    fn larger_sizes_have_their_winners() {
        for (width, height, winner) in [(7, 5, '='), (8, 4, '-'), (5, 8, '='), (4, 9, '='), (6, 6, '-')] {
            assert_eq!(super::winner_of(width, height, 1 << 28), winner, "{width}x{height}");
        }
    }

    /// `CONNECT4_OPENINGS=6 make test-long ARGS=openings` does all, in some ten minutes; a lower number the first ones.
    #[test]
    fn openings_have_their_scores() {
        let most = std::env::var("CONNECT4_OPENINGS").map_or(0, |number| number.parse().expect("a number"));
        let mut solver = Solver::new(Size::STANDARD, 1 << 30, 2).expect("1 GiB");
        OPENINGS.into_iter().take(most).for_each(|opening| check_opening(&mut solver, opening));
        if most < OPENINGS.len() {
            println!("skipped: CONNECT4_OPENINGS asks for {most} of {}", OPENINGS.len());
        } else {
            check_game(&mut solver);
        }
    }
}
