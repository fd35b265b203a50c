use amazons_formats::POSITION_TEXT;
use amazons_rules::{Color, Shape};

use super::{read, refused, start, written};

#[test]
fn one_line_is_a_game_without_moves() {
    let game = read(POSITION_TEXT, "\u{feff}# the start\r\n\r\n  3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w\r\n")
        .expect("a position");
    assert_eq!(game.start().to_string(), amazons_rules::Position::STANDARD);
    assert_eq!((game.moves().len(), game.board().shape()), (0, Some(Shape::Square)));
    let donut = amazons_formats::Game::new(start(Shape::Donut, 5)).expect("a grid");
    assert_eq!(written(POSITION_TEXT, &donut), "1q1q1/q***q/1***1/Q***Q/1Q1Q1 b - - 0 1\n");
}

#[test]
fn each_line_is_a_game() {
    let list = b"# two\nq*/1Q b\n\nq*/1Q w\n";
    let turn = |number| {
        POSITION_TEXT.reader.expect("a reader")(list, number)
            .map(|found| (found.game.start().side_to_move(), found.games))
    };
    assert_eq!((turn(1), turn(2)), (Ok((Color::Black, 2)), Ok((Color::White, 2))));
    assert_eq!(turn(3).expect_err("too many").to_string(), "line 1, column 1: there is no game 3: the file holds 2");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("", "line 1, column 1: expected a position text"),
        ("# x\n", "line 2, column 1: expected a position text"),
        ("\n q*/1é b", "line 2, column 6: unexpected 'é': ranks hold q, Q, * and numbers of free squares"),
        ("q*/3 b", "line 1, column 1: rank 1 has 3 squares, expected 2"),
        ("q*/2 x", "line 1, column 1: side to move: found \"x\", expected w or b"),
    ] {
        assert_eq!(refused(POSITION_TEXT, text), expected, "{text:?}");
    }
}
