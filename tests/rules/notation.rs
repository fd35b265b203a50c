use amazons_rules::{Board, Move, Position, Shape, TextError};

fn board() -> Board {
    Board::new(Shape::Square, 10).expect("legal size")
}

#[test]
fn squares_count_files_from_the_left_and_ranks_from_below() {
    let board = board();
    assert_eq!([0, 9, 90, 99, 93].map(|vertex| board.square(vertex)), ["a10", "j10", "a1", "j1", "d1"]);
    assert_eq!(board.square(100), "#100");
    assert_eq!(board.square(u32::MAX), "#4294967295");
}

#[test]
fn files_go_on_after_z() {
    let board = Board::rectangle(1000, 3).expect("legal size");
    let first_row = |column: u32| board.square(2000 + column);
    assert_eq!(
        [0, 25, 26, 51, 52, 701, 702, 999].map(first_row),
        ["a1", "z1", "aa1", "az1", "ba1", "zz1", "aaa1", "all1"]
    );
    for vertex in 0..3000 {
        assert_eq!(board.parse_square(&board.square(vertex)), Ok(vertex));
    }
}

#[test]
fn moves_are_written_and_read_in_all_usual_forms() {
    let board = board();
    let mv = Move { from: 93, to: 33, arrow: 36 };
    assert_eq!(board.move_text(mv), "d1-d7/g7");
    for text in [
        "d1-d7/g7",
        "D1-D7/G7",
        "d1 d7 g7",
        " d1  -  d7 / g7 ",
        "d1,d7,g7",
        "d1xd7xg7",
        "d1 x d7 x g7",
        "d1-d7xg7",
        "d1\td7\tg7",
        "d1-d7(g7)",
        "d1-d7 (g7)",
        "d1-d7 ( g7 ) ",
        "d1\u{2013}d7/g7",
        "d1 \u{2014} d7, g7",
        "d1\u{2212}d7\u{2010}g7",
        "d1:d7:g7",
        "d1-d7*g7",
        "d1->d7->g7",
        "d1>d7>g7",
        "d1\u{2192}d7\u{d7}g7",
        "d1d7g7",
        "d1d7/g7",
        "d1d7,d7g7",
        "d1-d7,d7-g7",
        "d1-d7/d7(g7)",
        "Qd1-d7,g7",
        "qd1d7,d7g7",
        "Q d1-d7/g7",
    ] {
        assert_eq!(board.parse_move(text), Ok(mv), "{text:?}");
    }
}

#[test]
fn the_letter_x_is_a_file_where_it_can_be_one() {
    let board = Board::new(Shape::Square, 30).expect("legal size");
    let at = |square: &str| board.parse_square(square).expect("a square");
    let mv = Move { from: at("d1"), to: at("x7"), arrow: at("x9") };
    for text in ["d1-x7/x9", "d1 x7 x9", "d1xx7xx9", "d1x7xx9", "d1x7,x7x9", "D1-X7-X9"] {
        assert_eq!(board.parse_move(text), Ok(mv), "{text:?}");
    }
}

#[test]
fn what_is_wrong_is_said_with_its_column() {
    let board = board();
    let error = |text: &str| board.parse_move(text).expect_err("not a move").to_string();
    assert_eq!(error(""), "column 1: expected a square such as d1, found the end");
    assert_eq!(error("7d-d1/a1"), "column 1: expected a square such as d1, found '7'");
    assert_eq!(error("d-d1/a1"), "column 2: expected a square such as d1, found '-'");
    assert_eq!(error("d1-d7"), "column 6: a square is missing: a move is three, such as d1-d7/g7");
    assert_eq!(error("d1"), "column 3: a square is missing: a move is three, such as d1-d7/g7");
    assert_eq!(error("Qd1-d7"), "column 7: a square is missing: a move is three, such as d1-d7/g7");
    assert_eq!(error("d1=d7/g7"), "column 3: expected '-', '/', ',', 'x' or a blank between squares");
    assert_eq!(error("d1-d7(g7"), "column 9: expected ')', found the end");
    assert_eq!(error("d1-d7/g7)"), "column 9: unexpected ')' after the move");
    assert_eq!(error("d1d7,e7g7"), "column 8: unexpected 'g' after the move");
    assert_eq!(error("d1-k7/g7"), "column 4: square k7 is not on the board");
    assert_eq!(error("d1-d11/g7"), "column 4: square d11 is not on the board");
    assert_eq!(error("d1-d0/g7"), "column 4: square d0 is not on the board");
    assert_eq!(error("d1-d99999999999/g7"), "column 4: square d99999999999 is not on the board");
    assert_eq!(error("d1-d7/g7+"), "column 9: unexpected '+' after the move");
    assert_eq!(error("d1--d7/g7"), "column 4: expected a square such as d1, found '-'");
    assert_eq!(error("é1-d7/g7"), "column 1: expected a square such as d1, found 'é'");
    let donut = Board::new(Shape::Donut, 9).expect("legal size");
    assert_eq!(
        donut.parse_square("e5"),
        Err(TextError { column: Some(1), reason: "square e5 is not on the board".to_owned() })
    );
}

#[test]
fn short_moves_are_read_where_one_move_fits() {
    let position = Position::standard();
    let read = |text: &str| position.parse_move(text).map(|mv| position.board().move_text(mv));
    for (text, expected) in [
        ("Qa6,a5", "a4-a6/a5"),
        (" qA6 (a5) ", "a4-a6/a5"),
        ("Qdd7,g7", "d1-d7/g7"),
        ("Qgd4,d7", "g1-d4/d7"),
        ("Q1d7/g7", "d1-d7/g7"),
        ("Qd1d7,g7", "d1-d7/g7"),
        ("d1-d7(g7)", "d1-d7/g7"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
    }
    let error = |text: &str| read(text).expect_err("no move").to_string();
    assert_eq!(error("Qd4,d7"), "4 moves fit: write where the queen comes from, a4-d4/d7");
    assert_eq!(error("Qa6,a7"), "no white queen can make this move");
    assert_eq!(error("Qd7"), "column 4: a square is missing: a move is three, such as d1-d7/g7");
    assert!(error("d7,g7").starts_with("column 6: a square is missing"), "{}", error("d7,g7"));
    // A file may have several letters, of which the first may be the queen's.
    let wide = Position::parse("30/30/30/Q28Q w").expect("a position");
    let wide_move = |text: &str| wide.parse_move(text).map(|mv| wide.board().move_text(mv));
    assert_eq!(wide_move("Qaa4,a3"), Ok("a1-a4/a3".to_owned()));
}
