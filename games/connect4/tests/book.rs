//! Opening books: their positions, their file, how they are made, stopped and used.

use std::fs;
use std::process::Command;

use connect4::book::{Book, BookChoice, BookError, Counts, Opening, head, openings, scored};
use connect4::perfect::{Solver, Solvers};
use connect4::{Position, Size};

const SMALL: &str = "5x4";

fn small() -> Size {
    SMALL.parse().expect("a size")
}

/// The book of a small board, solved in two batches.
fn book() -> Book {
    let (openings, solvers) = (scored(small(), 5), Solvers::new(1 << 22, BookChoice::Nothing));
    let solve = |places| solvers.scores(&openings, places, &|| false).expect("nothing stops it");
    Book::new(small(), 5, [solve(0..100), solve(100..openings.len())].concat()).expect("all scores")
}

#[test]
fn positions_after_8_plies_are_those_of_the_published_book() {
    let openings = openings(Size::STANDARD, 8);
    let all = |openings: &[Opening]| openings.iter().map(Opening::weight).sum::<usize>();
    assert_eq!((openings.len(), all(&openings)), (91_295, 182_383));
    let quiet: Vec<Opening> = openings.into_iter().filter(Opening::is_quiet).collect();
    assert_eq!((quiet.len(), all(&quiet)), (67_557, 134_934));
}

#[test]
fn the_shipped_book_has_the_published_results() {
    let book = Book::shipped();
    assert_eq!((book.size(), book.plies(), book.len()), (Size::STANDARD, 8, 77_715));
    assert_eq!(book.counts(), Counts { wins: 44_473, losses: 16_635, draws: 6_449 });
    let output = Command::new(env!("CARGO_BIN_EXE_connect4")).args(["book", "check"]).output().expect("it runs");
    let lines = "7x6, 8 plies, 77715 scores\n\
                 67557 quiet positions: 44473 wins, 16635 losses, 6449 draws for the first player\n";
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(0), lines));
}

#[test]
fn a_choice_of_a_book_helps_with_its_own_positions_only() {
    let own = BookChoice::from(book());
    let position = |size: Size, moves| Position::from_moves(size, moves).expect("legal moves");
    for (choice, size, moves, helps) in [
        (&own, small(), "", true),
        (&own, small(), "11223", true),
        (&own, small(), "112233", false),
        (&own, Size::STANDARD, "", false),
        (&BookChoice::Shipped, Size::STANDARD, "", true),
        (&BookChoice::Shipped, Size::STANDARD, "44444411", true),
        (&BookChoice::Shipped, Size::STANDARD, "444444112", false),
        (&BookChoice::Shipped, small(), "", false),
        (&BookChoice::Nothing, Size::STANDARD, "", false),
    ] {
        assert_eq!(choice.book_for(&position(size, moves)).is_some(), helps, "{size} {moves}");
    }
}

#[test]
fn a_book_answers_as_the_solver_does_and_saves_work() {
    let book = book();
    let mut plain = Solver::new(small(), 1 << 22, 1).expect("4 MiB");
    for opening in openings(small(), 5) {
        let score = plain.score(&opening.position, &|| false);
        let expected = score.filter(|_| !opening.wins_at_once());
        assert_eq!(book.score(&opening.position), expected);
        assert_eq!(book.score(&opening.position.mirrored()), expected);
    }
    assert_eq!(book.score(&Position::empty(small())), None, "another ply");
    for moves in ["", "3", "12", "332", "5115"] {
        let position = Position::from_moves(small(), moves).expect("legal moves");
        plain.clear();
        let nodes = plain.nodes();
        let expected = (plain.score(&position, &|| false), plain.best(&position, &|| false));
        let nodes = plain.nodes() - nodes;
        let mut solver = Solver::new(small(), 1 << 22, 1).expect("4 MiB").with_book(book.clone());
        let found = (solver.score(&position, &|| false), solver.best(&position, &|| false));
        assert_eq!(found, expected, "{moves}");
        assert!(solver.nodes() * 2 < nodes, "{moves}: {} positions with the book, {nodes} without", solver.nodes());
    }
}

#[test]
fn a_file_is_read_again_and_a_damaged_one_is_refused() {
    let book = book();
    let bytes = book.to_bytes();
    assert_eq!(Book::from_bytes(&bytes), Ok(book.clone()));
    for end in [0, 5, 20, bytes.len() / 2, bytes.len() - 1] {
        let error = Book::from_bytes(&bytes[..end]).expect_err("torn");
        assert!(matches!(error, BookError::Foreign | BookError::Length { .. }), "{end}: {error}");
    }
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 4;
        assert!(Book::from_bytes(&damaged).is_err(), "byte {place}");
    }
    let later = [b"connect4 book 2", &bytes[15..]].concat();
    assert_eq!(Book::from_bytes(&later), Err(BookError::Version(2)));
    assert_eq!(Book::from_bytes(b"\x7fELF, or whatever it is"), Err(BookError::Foreign));
    assert_eq!(book.for_size(Size::STANDARD), Err(BookError::Size(small(), Size::STANDARD)));
}

#[test]
fn a_batch_of_another_book_is_refused() {
    let solvers = Solvers::new(1 << 22, BookChoice::Nothing);
    let solve = |plies, places| solvers.scores(&scored(small(), plies), places, &|| false);
    let number = scored(small(), 5).len();
    assert_eq!(solve(5, number - 3..number).map(|scores| scores.len()), Ok(3));
    let (start, end) = (3, 2);
    for places in [0..number + 1, start..end] {
        assert_eq!(solve(5, places.clone()), Err("a batch of another book".to_owned()), "{places:?}");
    }
    assert!(solve(2, number - 3..number).is_err());
}

#[test]
fn making_goes_on_where_it_was_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, part) = (folder.path().join("book"), folder.path().join("book.part"));
    let book = book();
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_connect4"));
        let output = command.args(["book", arguments[0]]).arg(&file).args(&arguments[1..]).output();
        let output = output.expect("the program runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), error)
    };
    let make = ["make", "--size", SMALL, "--plies", "5", "--memory", "16", "-j", "2"];
    // What a killed run leaves, with scores that only this part can have: they must come through.
    let mut marked = book.to_bytes();
    let start = head(small(), 5, book.len()).len();
    marked[start..start + 13].fill(7);
    fs::write(&part, &marked[..start + 13]).expect("a file");
    assert_eq!(run(&make), (Some(0), String::new(), String::new()));
    let bytes = fs::read(&file).expect("the book");
    assert_eq!(bytes[..bytes.len() - 32], marked[..marked.len() - 32]);
    assert!(!part.exists());

    fs::remove_file(&file).expect("the book");
    assert_eq!(run(&make).0, Some(0));
    assert_eq!(fs::read(&file).expect("the book"), book.to_bytes());
    let (status, lines, error) = run(&["check"]);
    let scores = format!("5x4, 5 plies, {} scores\n", book.len());
    assert!(status == Some(0) && error.is_empty() && lines.starts_with(&scores), "{status:?} {lines} {error}");

    fs::write(&part, "connect4 book 1 7x6 8 77000\n").expect("a file");
    let (status, _, error) = run(&make);
    assert_eq!((status, error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("begun for another book"), "{error}");
    fs::write(&file, &book.to_bytes()[..100]).expect("a file");
    let (status, _, error) = run(&["check"]);
    assert_eq!((status, error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("100 bytes instead of"), "{error}");
}

mod long {
    use super::*;

    /// Scores of the shipped book, from one place in every 6,000, computed again. `CONNECT4_BOOK=100` takes one in every
    /// 100 (some three minutes).
    #[test]
    fn the_shipped_book_has_the_scores_of_the_solver() {
        let step = std::env::var("CONNECT4_BOOK").map_or(6000, |step| step.parse().expect("a number"));
        let mut solver = Solver::new(Size::STANDARD, 1 << 28, 2).expect("256 MiB");
        let with_score = openings(Size::STANDARD, 8).into_iter().filter(|it| !it.wins_at_once());
        for opening in with_score.skip(step / 2).step_by(step) {
            let score = solver.score(&opening.position, &|| false);
            assert_eq!(Book::shipped().score(&opening.position), score, "{:?}", &opening.position);
        }
    }
}
