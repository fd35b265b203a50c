//! Text in the style of PGN.

use std::time::Duration;

use amazons_formats::{Ending, Game, GameOutcome, PGN, PlayedMove};
use amazons_rules::{Color, Position, Shape};

use super::{annotated_game, random_game, read, refused, start, written};

#[test]
fn a_game_is_written_with_its_tags() {
    let position = Position::parse("q2q/4/4/Q2Q w").expect("a position");
    let mut game = Game::new(position).expect("a grid");
    game.details.white = Some("White \"the\" \\ first".to_owned());
    let told = |text: &str| game.board().parse_move(text).expect("a move");
    let moves = ["a1-a3/a1", "a4-b3/a4", "d1-d3/d1"].map(told);
    game.push(PlayedMove { value: Some(0.31), time: Some(Duration::from_millis(12)), ..moves[0].into() })
        .expect("legal");
    game.push(PlayedMove { comment: Some("a } [%emt 5]".to_owned()), ..moves[1].into() }).expect("legal");
    game.push(moves[2]).expect("legal");
    game.end(GameOutcome { winner: Some(Color::Black), ending: Some(Ending::Timeout), detail: None }).expect("an end");
    assert_eq!(
        written(PGN, &game),
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"White \\\"the\\\" \\\\ first\"]\n\
         [Black \"?\"]\n[Result \"0-1\"]\n[Board \"4x4\"]\n[SetUp \"1\"]\n[FEN \"q2q/4/4/Q2Q w - - 0 1\"]\n\
         [Termination \"timeout\"]\n[PlyCount \"3\"]\n\n\
         1. a1-a3/a1 {[%emt 0:00:00.012] [%value 0.31]} 1... a4-b3/a4 {a ) [ %emt 5]} 2.\nd1-d3/d1 0-1\n"
    );
}

#[test]
fn lines_are_short() {
    for shape in Shape::ALL {
        let text = written(PGN, &annotated_game(start(shape, 12), 500, 1));
        let moves = text.split("\n\n").nth(1).expect("moves");
        assert!(moves.lines().count() > 10 && moves.lines().all(|line| line.chars().count() <= 80), "{moves}");
    }
}

#[test]
fn boards_have_names() {
    let named = |position| {
        let text = written(PGN, &Game::new(position).expect("a grid"));
        let (_, rest) = text.split_once("[Board \"").expect("a board");
        rest.split_once('"').expect("an end").0.to_owned()
    };
    assert_eq!(Shape::ALL.map(|shape| named(start(shape, 12))), ["c12", "d12", "t12", "8-12"]);
    assert_eq!(named(Position::parse(Position::STANDARD).expect("the start")), "standard");
    assert_eq!(named(Position::parse("q2/2Q b").expect("a position")), "3x2");
}

#[test]
fn others_may_write_it_in_their_way() {
    let text = "\u{feff}% escaped\r\n[Black  \"B\"]\r\n[Board \"d10\"][Result \"1-0\"]\r\n\
        ; all of this line\r\n{first} 1... a7-a6/a5 $3 (1... b10xb9xb8 {in ) it} (2. x) ) ! 2.A4-B4,c4!? {[%clk 0:01:30] good\n\
        move} d10 d9 d8 {[%eval 7] [%csl Rd4]}\r\n[Event \"the next game\"]";
    let game = read(PGN, text).expect("a game");
    assert_eq!(game.board().shape(), Some(Shape::Donut));
    let moves: Vec<String> = game.moves().iter().map(|played| game.board().move_text(played.mv)).collect();
    assert_eq!(moves, ["a7-a6/a5", "a4-b4/c4", "d10-d9/d8"]);
    assert_eq!(game.comment.as_deref(), Some("all of this line first"));
    assert_eq!(game.moves()[1].left, Some(Duration::from_secs(90)));
    assert_eq!(game.moves()[1].comment.as_deref(), Some("good move"));
    assert_eq!((game.moves()[2].value, game.moves()[2].comment.as_deref()), (None, Some("[%eval 7] [%csl Rd4]")));
    assert_eq!(game.outcome.as_ref().and_then(|outcome| outcome.winner), Some(Color::White));
    let bare = read(PGN, "d1-d7/g7 1-0").expect("the standard game");
    assert_eq!(bare.start().to_string(), Position::STANDARD);
    let lost = "[FEN \"q2/***/Q2 b\"]\n[Termination \"time forfeit\"]\n\n1-0";
    assert_eq!(read(PGN, lost).expect("a game").outcome.and_then(|outcome| outcome.ending), Some(Ending::Timeout));
}

/// What other programs write of an end: read, or kept in words.
#[test]
fn endings_have_the_words_of_other_programs() {
    for (termination, ending, detail) in [
        ("Time forfeit", Some(Ending::Timeout), None),
        ("alice won on time", Some(Ending::Timeout), None),
        ("alice won by resignation", Some(Ending::Resign), None),
        ("illegal move", Some(Ending::IllegalMove), None),
        ("Rules infraction", Some(Ending::IllegalMove), None),
        ("normal", None, None),
        ("Abandoned", None, Some("Abandoned")),
        ("adjudication", None, Some("adjudication")),
        ("stalled connection", None, Some("stalled connection")),
    ] {
        let text = format!("[Result \"1-0\"]\n[Termination \"{termination}\"]\n\n1. d1-d7/g7 1-0\n");
        let expected = GameOutcome { winner: Some(Color::White), ending, detail: detail.map(str::to_owned) };
        let game = read(PGN, &text).expect("a game");
        assert_eq!(game.outcome.as_ref(), Some(&expected), "{termination}");
        assert_eq!(read(PGN, written(PGN, &game)).expect("our own").outcome, Some(expected), "{termination}");
    }
    let odd = read(PGN, "[Result \"later\"]\n[Termination \"Abandoned\"]\n\n1. d1-d7/g7").expect("a game");
    assert_eq!((odd.outcome, odd.comment.as_deref()), (None, Some("Result: later\nTermination: Abandoned")));
}

#[test]
fn commands_of_other_programs_stay_comments() {
    let text = "1. d1-d7/g7 {[%eval 2.31] [%clk 0:01:02.5]} d10-c9/h4 {[%eval -0.40]} *";
    let game = read(PGN, text).expect("a game");
    let told: Vec<_> =
        game.moves().iter().map(|played| (played.value, played.left, played.comment.as_deref())).collect();
    let left = Some(Duration::from_millis(62_500));
    assert_eq!(told, [(None, left, Some("[%eval 2.31]")), (None, None, Some("[%eval -0.40]"))]);
    let ours = written(PGN, &game);
    assert!(ours.contains("{[%clk 0:01:02.5] [%eval 2.31]}"), "{ours}");
}

/// A bracket where a move is due is one, and a comment is none.
#[test]
fn brackets_and_semicolons_are_what_they_are_everywhere() {
    assert_eq!(moves("1. (d1,d7,g7) 1... (d10,c9,h4)\n"), ["d1-d7/g7", "d10-c9/h4"]);
    assert_eq!(moves("1. d1-d7/g7 (d1-d6/g6) d10-c9/h4"), ["d1-d7/g7", "d10-c9/h4"]);
    assert_eq!(moves("1. d1-d7/g7 ; 1-0\nd10-c9/h4 *"), ["d1-d7/g7", "d10-c9/h4"]);
    assert_eq!(moves("1. d1-d7/g7 ; d1-d6/g6\nd10-c9/h4 *"), ["d1-d7/g7", "d10-c9/h4"]);
    assert_eq!(moves("1. d1-d7,g7; d10-c9,h4;\n2. a4-b4,c4;"), ["d1-d7/g7", "d10-c9/h4", "a4-b4/c4"]);
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("", "line 1, column 1: there is no game: expected tags or moves"),
        ("\n1. d1-d7", "line 2, column 4: move 1: a square is missing: a move is three, such as d1-d7/g7"),
        ("1. d1-d7/d7", "line 1, column 4: move 1: "),
        ("1. d1-d7/g7 {é} z9", "line 1, column 17: move 2: "),
        ("1. d1 d7", "line 1, column 4: move 1: "),
        ("1. d1-d7/g7 {x", "line 1, column 13: this comment is not closed with '}'"),
        ("(1. d1-d7/g7 (", "line 1, column 1: this variation is not closed with ')'"),
        ("1. )", "line 1, column 4: ')' has no opening counterpart"),
        ("[White \"x]\n", "line 1, column 8: this value is not closed with '\"'"),
        ("[White x]", "line 1, column 1: expected a tag such as [White \"name\"]"),
        ("[White \"x\" 1]", "line 1, column 12: expected ']' after the tag"),
        ("\n[FEN \"q1/1% b\"]", "line 2, column 11: unexpected '%'"),
        ("[Board \"z9\"]", "line 1, column 1: unknown board 'z9': use a shape and a size such as c10"),
        ("[Board \"d2000\"]", "line 1, column 1: board size 2000 is out of range"),
        ("[Board \"10x8\"]", "line 1, column 1: this board needs a FEN: it has no usual start"),
        ("[Board \"d5\"]\n[FEN \"5/5/5/5/5 b\"]", "line 2, column 7: square b4 is a hole of the board"),
        ("[Termination \"no_moves\"]\n\n* ", "line 3, column 1: the result says that a player cannot move, but it can"),
    ] {
        let complaint = refused(PGN, text);
        assert!(complaint.starts_with(expected), "{text:?}: '{complaint}' is not '{expected}'");
    }
}

#[test]
fn numbers_of_moves_follow_position_text() {
    let game = random_game(start(Shape::Square, 8), 5, 1);
    let text = written(PGN, &game);
    let moves = text.split("\n\n").nth(1).expect("moves");
    let numbers: Vec<&str> = moves.split_whitespace().filter(|word| word.ends_with('.')).collect();
    assert_eq!(numbers, ["1...", "2.", "3."], "Black begins: {moves}");
}

fn moves(text: &str) -> Vec<String> {
    let game = read(PGN, text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    game.moves().iter().map(|played| game.board().move_text(played.mv)).collect()
}

/// Papers, courses, clubs and engines each have a way of their own.
#[test]
fn moves_are_read_as_people_and_engines_write_them() {
    for text in [
        "1. d1-d7(g7) d10-c9(h4)",
        "1. d1-d7 (g7) d10-c9 ( h4 ) 1/2-1/2",
        "1.d1-d7,g7; d10-c9,h4;",
        "1.d1-d7,g7; d10-c9,h4; a remark; with another semicolon",
        "1.d1\u{2013}d7,g7; d10\u{2013}c9,h4;\n",
        "1.d1-d7,g7;\nd10-c9,h4;\n",
        "1. d1-d7/g7; 1... d10-c9/h4; 1-0",
        "1. d1d7,d7g7 d10c9,c9h4 *",
        "1. Qd1-d7,g7 Qd10-c9,h4",
        "1. Qdd7,g7 {the d queen} Qdc9,h4",
        "1. d1 : d7 : g7 d10 : c9 : h4",
        "1\u{2026} d1 - d7 / g7! d10->c9->h4?!",
        "{first} [White \"tags behind a comment\"] 1. d1-d7*g7 (1. d1-d6/g6 {another}) d10>c9>h4",
    ] {
        assert_eq!(moves(text), ["d1-d7/g7", "d10-c9/h4"], "{text}");
    }
    let game = read(PGN, "1. d1-d7/g7; the queen leaves d1, or d1-d6/g6\n d10-c9/h4 ; 1. d2\n").expect("a game");
    assert_eq!(game.moves()[0].comment.as_deref(), Some("the queen leaves d1, or d1-d6/g6"));
    assert_eq!(game.moves()[1].comment.as_deref(), Some("1. d2"), "one square is not a move");
    for (text, expected) in [
        ("1. d1-d7 d10-c9/h4", "line 1, column 4: move 1: a square is missing: a move is three, such as d1-d7/g7"),
        ("1. Qd4,d7", "line 1, column 4: move 1: 4 moves fit: write where the queen comes from, a4-d4/d7"),
        ("1.d1-d7,g7; d10-c9,h11;", "line 1, column 13: move 2: square h11 is not on the board"),
    ] {
        assert_eq!(refused(PGN, text), expected);
    }
}

#[test]
fn a_file_may_hold_several_games() {
    let text =
        "[White \"a\"]\n\n1. d1-d7/g7 1-0 {after it}\n\n[White \"b\"]\n\n*\n[White \"c\"]\n1. d1-d6/d7 d10-d8/d10\n";
    let nth = |text: &str, number| PGN.reader.expect("PGN is read")(text.as_bytes(), number);
    for (number, name, moves) in [(1, "a", 1), (2, "b", 0), (3, "c", 2)] {
        let found = nth(text, number).expect("a game");
        assert_eq!((found.games, found.game.moves().len()), (3, moves));
        assert_eq!(found.game.details.white.as_deref(), Some(name));
    }
    assert_eq!(nth("1. d1-d7/g7 1-0 1. d1-d6/g6 0-1", 2).expect("no tags").games, 2);
    let error = nth("1. d1-d7/g7 1-0\n\n[White \"b\"]\n1. x", 2).expect_err("no move").to_string();
    assert!(error.starts_with("line 4, column 4: move 1: "), "{error}");
}
