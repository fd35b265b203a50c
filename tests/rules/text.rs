use std::sync::Arc;

use amazons_rules::{Board, Color, Position, Shape};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;

const STANDARD: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w - - 0 1";

#[test]
fn the_standard_start_is_read_and_written() {
    let position = Position::parse(STANDARD).expect("a position");
    assert_eq!(position.to_string(), STANDARD);
    assert_eq!(Position::standard().to_string(), STANDARD);
    assert_eq!(position.side_to_move(), Color::White);
    let squares =
        |color| -> Vec<String> { position.queens(color).iter().map(|&queen| position.board().square(queen)).collect() };
    assert_eq!(squares(Color::White), ["a4", "j4", "d1", "g1"]);
    assert_eq!(squares(Color::Black), ["d10", "g10", "a7", "j7"]);
}

#[test]
fn shapes_write_their_holes_as_arrows() {
    let text = |shape, m| Position::start(Arc::new(Board::new(shape, m).expect("legal size"))).to_string();
    assert_eq!(text(Shape::Donut, 5), "1q1q1/q***q/1***1/Q***Q/1Q1Q1 b - - 0 1");
    assert_eq!(text(Shape::FigureEight, 5), "1q1q1/q2*q/1*1*1/Q*2Q/1Q1Q1 b - - 0 1");
}

#[test]
fn what_is_written_is_read_back() {
    let mut read = 0;
    for position in slow::positions().step_by(3) {
        let text = position.to_string();
        let same = Position::parse_on(Arc::clone(position.board()), &text).expect("our own text");
        assert_eq!(same.to_string(), text);
        assert_eq!(same.move_number(), position.move_number());
        assert!(same.arrows().eq(position.arrows()));
        // Read without its board the holes are arrows, and the game is the same.
        let flat = Position::parse(&text).expect("our own text");
        assert_eq!(flat.to_string(), text);
        assert_eq!(flat.perft(1), position.perft(1), "{text}");
        read += 1;
    }
    assert!(read > 1500, "only {read}");
}

#[test]
fn the_fields_after_the_side_may_be_missing() {
    for text in ["q1/1Q b", "  q1/1Q   b  ", "q1/1Q b -", "q1/1Q b - -", "q1/1Q b - - 17", "q1/1Q b - - 0 1"] {
        assert_eq!(Position::parse(text).expect("a position").to_string(), "q1/1Q b - - 0 1", "{text:?}");
    }
    for text in ["q1/1Q B", "\u{feff}q1/1Q b", "\u{feff} q1/1Q b\r\n"] {
        assert_eq!(Position::parse(text).expect("a position").to_string(), "q1/1Q b - - 0 1", "{text:?}");
    }
    assert_eq!(Position::parse("q1/1Q w - - 3 9").expect("a position").move_number(), 9);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let error = |text: &str| Position::parse(text).expect_err("no position").to_string();
    assert_eq!(error("3k1/5 w"), "column 2: unexpected 'k': ranks hold q, Q, * and numbers of free squares");
    assert_eq!(error("  3k1/5 w"), "column 4: unexpected 'k': ranks hold q, Q, * and numbers of free squares");
    for text in ["q0/2 w", "q99999999999999999999/2 w", "q010/q10 w", "q01/2 w"] {
        assert_eq!(error(text), "column 2: a run of free squares is 1 to 1000, without a 0 in front");
    }
    assert_eq!(
        error(&format!("{} w", "q".repeat(1001))),
        "column 1001: a board has at most 1000 ranks of 1000 squares"
    );
    assert_eq!(
        error(&format!("{} w", "1/".repeat(1001))),
        "column 2000: a board has at most 1000 ranks of 1000 squares"
    );
    assert_eq!(error("3/2/3 w"), "rank 2 has 2 squares, expected 3");
    assert_eq!(error("3//3 w"), "rank 2 has 0 squares, expected 3");
    assert_eq!(error("3/3/3"), "side to move: found \"\", expected w or b");
    assert_eq!(error("3/3/3 x"), "side to move: found \"x\", expected w or b");
    for text in ["Q w", "q b", "1 w"] {
        assert_eq!(error(text), "a board of one square has no moves: expected two squares or more");
    }
    assert_eq!(error("3/3/3 w KQkq"), "castling field: found \"KQkq\", expected a dash");
    assert_eq!(error("3/3/3 w - e3"), "en passant field: found \"e3\", expected a dash");
    assert_eq!(error("3/3/3 w - - x 1"), "half-move counter: found \"x\", expected a number");
    assert_eq!(error("3/3/3 w - - 0 -1"), "move number: found \"-1\", expected a number");
    assert_eq!(error("3/3/3 w - - 0 1 2"), "end: found \"2\", expected nothing more");
    assert_eq!(error(""), "side to move: found \"\", expected w or b");
    let donut = Arc::new(Board::new(Shape::Donut, 5).expect("legal size"));
    let error = |text: &str| Position::parse_on(Arc::clone(&donut), text).expect_err("no position").to_string();
    assert_eq!(error("5/5/5/5 w"), "there are 4 ranks, expected 5");
    assert_eq!(error("5/5/5/5/5 w"), "square b4 is a hole of the board: mark it with *");
    assert_eq!(error("5/1q**1/1***1/1***1/5 w"), "square b4 is a hole of the board: mark it with *");
}

#[test]
fn arbitrary_text_is_refused_without_a_panic() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
    let alphabet: Vec<char> = "qQ*0123456789/ wb-x\u{e9}\u{1f600}\n".chars().collect();
    let mut accepted = 0;
    for _ in 0..50_000 {
        let length = rng.random_range(0..24);
        let text: String = (0..length).map(|_| alphabet[rng.random_range(0..alphabet.len())]).collect();
        if let Ok(position) = Position::parse(&text) {
            accepted += 1;
            assert_eq!(Position::parse(&position.to_string()).as_ref(), Ok(&position), "{text:?}");
        }
        let board = position_board();
        let _ = board.parse_move(&text).map(|mv| assert_eq!(board.parse_move(&board.move_text(mv)), Ok(mv)));
    }
    assert!(accepted > 10, "only {accepted} texts were positions");
}

fn position_board() -> Board {
    Board::rectangle(4, 3).expect("legal size")
}
