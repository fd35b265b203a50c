//! SGF: exactly as in the standard, and as others write it.

use amazons_formats::{CannotWrite, Ending, Game, GameOutcome, Look, SGF};
use amazons_rules::{Board, Color, Position, Shape, Vertex};

use super::{annotated_game, random_game, read, refused, start, written};

fn standard() -> Game {
    Game::new(Position::parse(Position::STANDARD).expect("the start")).expect("a grid")
}

#[test]
fn a_game_is_written_as_the_standard_has_it() {
    let mut game = standard();
    game.details.black = Some("Black [x]".to_owned());
    game.push(game.board().parse_move("d1-d7/g7").expect("a move")).expect("legal");
    let expected = format!(
        "(;FF[4]GM[18]CA[UTF-8]AP[amazons:{}]SZ[10]\nPB[Black [x\\]]\n\
         AB[da][ga][ad][jd]AW[ag][jg][dj][gj]PL[W]\n;W[djddgd]\n)\n",
        env!("CARGO_PKG_VERSION")
    );
    assert_eq!(written(SGF, &game), expected);
}

#[test]
fn set_up_says_where_stones_and_holes_are() {
    let text = written(SGF, &Game::new(start(Shape::Donut, 5)).expect("a grid"));
    let holes = "AA[bb][cb][db][bc][cc][dc][bd][cd][dd]";
    assert!(text.contains(&format!("AB[ba][da][ab][eb]AW[be][de][ad][ed]{holes}XS[donut]PL[B]\n")), "{text}");
    let white = Position::parse("q3/4/4/3Q w").expect("a position");
    assert!(written(SGF, &Game::new(white).expect("a grid")).contains("AB[aa]AW[dd]PL[W]"));
    let black = Position::parse(&Position::STANDARD.replace('w', "b")).expect("a position");
    let text = written(SGF, &Game::new(black).expect("a grid"));
    assert!(text.contains("AB[da][ga][ad][jd]AW[ag][jg][dj][gj]PL[B]"), "{text}");
}

#[test]
fn results_have_the_words_of_the_standard() {
    let mut game = standard();
    for (winner, ending, expected) in [
        (Some(Color::Black), Some(Ending::Timeout), "RE[B+T]XE[timeout]"),
        (Some(Color::White), Some(Ending::Crash), "RE[W+F]XE[crash]"),
        (Some(Color::White), None, "RE[W+]"),
        (None, Some(Ending::Void), "RE[Void]XE[void]"),
        (None, Some(Ending::MaxMoves), "RE[Void]XE[max_moves]"),
        (None, None, "RE[0]"),
    ] {
        game.end(GameOutcome { winner, ending, detail: None }).expect("nobody knows better");
        let text = written(SGF, &game);
        assert!(text.contains(&format!("{expected}\n")), "{expected}: {text}");
        assert_eq!(read(SGF, &text).expect("our own").outcome, game.outcome);
    }
    let blocked = GameOutcome { ending: Some(Ending::NoMoves), winner: Some(Color::Black), detail: None };
    assert!(standard().end(blocked).is_err(), "White can move");
}

#[test]
fn foreign_files_are_read() {
    let folded = read(SGF, include_bytes!("../data/formats/old.sgf")).expect("FF[3] with small letters and CRLF");
    assert_eq!(folded.details.black.as_deref(), Some("Alpha: the first]"));
    assert_eq!(folded.details.white.as_deref(), Some("Beta"));
    assert_eq!(folded.moves().len(), 3);
    assert_eq!(folded.moves()[0].comment.as_deref(), Some("A comment ] with \\ and\na line joined here"));
    assert_eq!(folded.outcome.as_ref().and_then(|outcome| outcome.winner), Some(Color::White));
    let set_up = read(SGF, include_bytes!("../data/formats/set_up.sgf")).expect("lists, variations, two games");
    assert_eq!(set_up.start().to_string(), "q5/1*****/1*****/5Q b - - 0 1");
    assert_eq!(set_up.moves().len(), 2, "the main line only");
    assert_eq!(set_up.details.black.as_deref(), Some("Zo\u{e9}"), "Latin-1");
}

#[test]
fn leniency_has_a_meaning() {
    let plain = read(SGF, "(;GM[18];W[djddgd])").expect("no size is 10");
    assert_eq!((plain.board().columns(), plain.moves().len()), (10, 1));
    assert_eq!(plain.start().to_string(), Position::STANDARD, "the first move proves that White is below");
    let by_first_move = read(SGF, "\u{feff} junk ( ; GM [18] SZ[10] ; B [ dadbdc ] )").expect("Black plays first");
    assert_eq!(by_first_move.start().side_to_move(), Color::Black);
    let timed = read(SGF, "(;GM[18]TM[300]AP[Other:1]RE[B+Resign];W[djddgd]WL[299.5]V[0.5])").expect("a game");
    assert_eq!(timed.details.time_control.as_deref(), Some("300"));
    assert_eq!(timed.details.program.as_deref(), Some("Other:1"));
    assert_eq!(timed.moves()[0].value, Some(-0.5), "SGF's values are Black's");
    assert_eq!(timed.moves()[0].left, Some(std::time::Duration::from_millis(299_500)));
    let resigned = GameOutcome { winner: Some(Color::Black), ending: Some(Ending::Resign), detail: None };
    assert_eq!(timed.outcome, Some(resigned));
    for (unknown, comment) in [("?", None), ("", None), ("who knows", Some("Result: who knows"))] {
        let game = read(SGF, format!("(;GM[18]RE[{unknown}])")).expect("a game");
        assert_eq!((game.outcome, game.comment.as_deref()), (None, comment));
    }
}

/// Results as other programs and servers write them.
#[test]
fn results_have_the_words_of_other_programs() {
    use Color::{Black, White};
    for (told, winner, ending, detail) in [
        ("1-0", Some(White), None, None),
        ("0-1", Some(Black), None, None),
        ("W", Some(White), None, None),
        ("Black", Some(Black), None, None),
        ("white wins", Some(White), None, None),
        ("Black won by resignation", Some(Black), Some(Ending::Resign), None),
        ("black loses on time", Some(White), Some(Ending::Timeout), None),
        ("B +", Some(Black), None, None),
        ("B+12", Some(Black), None, None),
        ("b+r", Some(Black), Some(Ending::Resign), None),
        ("w+t", Some(White), Some(Ending::Timeout), None),
        ("WHITE+RESIGN", Some(White), Some(Ending::Resign), None),
        ("W+Forfeit", Some(White), None, Some("forfeit")),
        ("1/2", None, None, None),
    ] {
        let game = read(SGF, format!("(;FF[4]GM[18]RE[{told}];W[djddgd])")).expect("a game");
        let detail = detail.map(str::to_owned);
        assert_eq!(game.outcome, Some(GameOutcome { winner, ending, detail }), "{told}");
    }
    let half = read(SGF, "(;FF[4]GM[18]RE[0-1];W[djdegb];B[gaba])").expect("what was played");
    assert_eq!((half.moves().len(), half.comment.as_deref()), (1, Some("The game ends within move 2: gaba")));
    assert!(refused(SGF, "(;FF[4]GM[18];W[djde];B[gabada])").contains("move 1"), "only the last may be cut");
}

#[test]
fn character_sets_are_obeyed() {
    for (bytes, name) in [
        (&b"(;GM[18]CA[GB18030]PB[\xd5\xc5\xc8\xfd];W[djddgd])"[..], "\u{5f20}\u{4e09}"),
        (b"(;GM[18]CA[windows-1252]PB[O\x92Neil])", "O\u{2019}Neil"),
        // Its second byte is a bracket elsewhere.
        (b"(;GM[18]CA[Shift_JIS]PB[\x83]])", "\u{30be}"),
        (b"(;GM[18]PB[CA[x\\]])", "CA[x]"),
    ] {
        let game = read(SGF, bytes).expect("a game");
        assert_eq!(game.details.black.as_deref(), Some(name));
    }
    let told = refused(SGF, "(;GM[18]\nCA[Klingon])");
    assert_eq!(told, "line 2, column 1: CA: the character set 'Klingon' is not known: convert the file to UTF-8");
}

#[test]
fn little_golem_names_who_moves_first_black() {
    let game =
        read(SGF, "(;GM[18]PB[first]PW[second]SO[http://www.littlegolem.net];W[j4-g7/d7];B[resign])").expect("a game");
    assert_eq!((game.details.white.as_deref(), game.details.black.as_deref()), (Some("first"), Some("second")));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (text, expected) in [
        ("", "line 1, column 1: expected '(': there is no game"),
        ("(;GM[1])", "line 1, column 5: this is another game: Amazons is GM[18]"),
        ("(;GM[18]\n;W[djddgd]\n;W[djddgd])", "line 3, column 3: move 2: it is black's turn"),
        ("(;GM[18];W[djddgd];W[aaaaaa])", "line 1, column 21: move 2: it is black's turn"),
        ("(;GM[18];W[dj])", "line 1, column 11: move 1: 'dj' is not three points of this board"),
        ("(;GM[18];W[djddzz])", "line 1, column 11: move 1: 'djddzz' is not three points of this board"),
        ("(;GM[18];W[djdddd])", "line 1, column 11: move 1: "),
        ("(;GM[18];W[d1-d7])", "line 1, column 11: move 1: 'd1-d7': column 6: a square is missing"),
        ("(;GM[18];W[djddgd];B[])", "line 1, column 21: move 2: a player cannot pass in Amazons"),
        ("(;GM[18];W[djddgd];B[Pass])", "line 1, column 21: move 2: a player cannot pass in Amazons"),
        ("(;GM[18];W[resign];B[djddgd])", "line 1, column 21: move 1: a player has already resigned"),
        ("(;GM[18];W[djddgd", "line 1, column 11: this value is not closed with ']'"),
        ("(;GM[18];W[djddgd]", "line 1, column 19: expected ')': the game was cut off"),
        ("(;GM[18](;W[djddgd])\r\n(;W[djd", "line 2, column 4: this value is not closed with ']'"),
        ("(;GM[18]\r\n  !)", "line 2, column 3: expected ';', '(' or ')', found '!'"),
        ("(;GM[18]SZ[53])", "line 1, column 11: SZ is a size or two with a colon between, from 1 to 52"),
        ("(;GM[18]SZ[8])", "line 1, column 11: no queens are set up: only 10x10 has a default"),
        ("(;GM[18]SZ[8]AB[aa][aa])", "line 1, column 20: this point was already set up"),
        ("(;GM[18]SZ[8]AB[aa]AA[aa:hh])", "line 1, column 22: this point was already set up"),
        ("(;GM[18]SZ[8]AB[ai])", "line 1, column 16: AB: 'ai' is not a point of this board"),
        ("(;GM[18]SZ[8]AB[bb:aa])", "line 1, column 16: AB: 'bb:aa' is not a point of this board"),
        ("(;GM[18]SZ[8]XS[donut]AB[dd])", "line 1, column 25: a queen cannot stand in a hole"),
        ("(;GM[18]SZ[8]XS[ring]AB[dd])", "line 1, column 16: XS is donut, clover or figure-eight"),
        ("(;GM[18];AB[aa])", "line 1, column 12: stones are set up before the first move only, in the root"),
        ("(;GM[18]PL[x])", "line 1, column 11: PL is B or W"),
        ("(;GM[18]XE[bored]RE[B+])", "line 1, column 11: unknown ending 'bored'"),
        ("(;GM[18]GM[18])", "line 1, column 9: GM appears twice in a node"),
        ("(;gm[18])", "line 1, column 3: the name of a property needs capital letters"),
        ("(;GM)", "line 1, column 5: expected '[' and a value of GM"),
        ("(GM[18])", "line 1, column 2: expected ';' before the first property"),
        ("()", "line 1, column 2: the game has no node"),
    ] {
        let complaint = refused(SGF, text);
        assert!(complaint.starts_with(expected), "{text:?}: '{complaint}' is not '{expected}'");
    }
}

#[test]
fn deep_nesting_is_no_danger() {
    let deep = format!("{};GM[18]{}", "(".repeat(200_000), ")".repeat(200_000));
    assert_eq!(read(SGF, deep).expect("one node").moves().len(), 0);
    assert!(refused(SGF, format!("{};GM[18]", "(".repeat(200_000))).contains("cut off"));
}

#[test]
fn endless_files_are_not_kept() {
    assert_eq!(refused(SGF, vec![b'('; (8 << 20) + 1]), "line 1, column 1: a game may have at most 8 MiB");
    let nodes = |count| format!("(;GM[18]{})", ";".repeat(count));
    assert_eq!(read(SGF, nodes(99_999)).expect("a game").moves().len(), 0);
    assert_eq!(refused(SGF, nodes(100_000)), "line 1, column 100008: a game may have at most 100000 nodes");
}

#[test]
fn boards_without_letters_are_refused() {
    let wide = Position::start(Board::new(Shape::Square, 53).expect("a size").into());
    let error = SGF.write(&Game::new(wide).expect("a grid"), &Look::default()).expect_err("53 columns");
    assert_eq!(error, CannotWrite::TooLarge { format: "SGF", columns: 53, rows: 53, max: 52 });
    assert_eq!(error.to_string(), "SGF has no boards of 53 x 53: at most 52 x 52");
}

/// Reads with an independent parser.
#[test]
fn an_independent_reader_agrees() {
    for (seed, shape) in (0..12).zip(Shape::ALL.into_iter().cycle()) {
        for game in [annotated_game(start(shape, 8), 50, seed), random_game(start(shape, 30), 20, seed)] {
            let trees = sgf_parse::parse(&written(SGF, &game)).expect("SGF");
            let [tree] = &trees[..] else { panic!("{} games", trees.len()) };
            let sgf_parse::GameTree::Unknown(root) = tree else { panic!("a game that it plays") };
            let nodes: Vec<_> = root.main_variation().collect();
            assert_eq!(nodes.len(), game.moves().len() + 1);
            let value = |node: &sgf_parse::SgfNode<sgf_parse::unknown_game::Prop>, name: &str| {
                node.get_property(name).map(ToString::to_string)
            };
            assert_eq!(value(nodes[0], "GM").as_deref(), Some("GM[18]"));
            let mut color = game.start().side_to_move();
            for (node, played) in nodes[1..].iter().zip(game.moves()) {
                let name = if color == Color::Black { "B" } else { "W" };
                let points = value(node, name).expect("a move");
                assert_eq!(points.len(), "B[aabbcc]".len());
                assert_eq!(value(node, "C").is_some(), played.comment.is_some());
                color = color.opposite();
            }
        }
    }
}

/// The format's page: its default start, and the example that begins from it.
#[test]
fn a_start_that_is_left_out_is_the_formats() {
    let below = "3Q2Q3/10/10/Q8Q/10/10/q8q/10/10/3q2q3";
    let example = read(SGF, "(;FF[4]GM[18]SZ[10];B[djddgd];W[addgad];B[gjehea])").expect("the format's example");
    assert_eq!(example.start().to_string(), format!("{below} b - - 0 1"));
    assert_eq!(example.moves().len(), 3);
    for text in ["(;FF[4]GM[18])", "(;GM[18]PL[B])", "(;GM[18];C[no move])", "(;)"] {
        assert_eq!(read(SGF, text).expect("a game").start().to_string(), format!("{below} b - - 0 1"), "{text}");
    }
    let white = read(SGF, "(;GM[18]PL[W];W[addgad])").expect("White above, moving first");
    assert_eq!(white.start().to_string(), format!("{below} w - - 0 1"));
    let turned = read(SGF, "(;GM[18];B[dadggg])").expect("Black above, moving first");
    assert_eq!(turned.start().to_string(), Position::STANDARD.replace(" w ", " b "));
    let set_up = read(SGF, "(;GM[18]AB[da][ga][ad][jd]AW[ag][jg][dj][gj])").expect("a start without a turn");
    assert_eq!(set_up.start().side_to_move(), Color::Black);
}

/// Little Golem, the largest archive: no size, no set-up, moves in letters and numbers, White below and first.
#[test]
fn archives_write_moves_as_squares() {
    let text = "(;EV[amz.mc.2010.jan.1.1]PB[first]PW[second]SO[https://www.littlegolem.net];W[j4-g7/d7];B[g10-h9/g8]\
                ;W[g7-h8/g9];B[d10-d8/h4];W[g1-g7/e5];B[a7-c7/c4];W[d1-d6/f6];B[resign])";
    let game = read(SGF, text).expect("a game");
    let moves: Vec<String> = game.moves().iter().map(|played| game.board().move_text(played.mv)).collect();
    assert_eq!(game.start().to_string(), Position::STANDARD);
    assert_eq!((moves[0].as_str(), moves[6].as_str(), moves.len()), ("j4-g7/d7", "d1-d6/f6", 7));
    let resigned = GameOutcome { winner: Some(Color::White), ending: Some(Ending::Resign), detail: None };
    assert_eq!(game.outcome, Some(resigned.clone()));
    let told = read(SGF, text.replace("PB[", "RE[W+]PB[")).expect("a game");
    assert_eq!(told.outcome, Some(resigned));
    let blocked = "(;GM[18]SZ[2]AB[aa]AA[ab][bb]AW[ba];B[])";
    assert_eq!(read(SGF, blocked).expect("nothing else to write").moves().len(), 0);
}

#[test]
fn a_collection_has_several_games() {
    let text = "junk (1) (;GM[18]C[\\](;]\n;W[djddgd](;B[dadbdc])(;B[dadcdb]))\n\n(;GM[18]C[two];B[djddgd])(;GM[18])";
    let nth = |number| SGF.reader.expect("SGF is read")(text.as_bytes(), number);
    for (number, moves) in [(1, 2), (2, 1), (3, 0)] {
        let found = nth(number).expect("a game");
        assert_eq!((found.games, found.game.moves().len()), (3, moves), "{number}");
    }
    assert_eq!(nth(4).expect_err("too few").to_string(), "line 1, column 1: there is no game 4: the file holds 3");
    let error = SGF.reader.expect("SGF is read")(b"(;GM[18])\n(;GM[18]\n;W[x])", 2).expect_err("no move");
    assert_eq!(error.to_string(), "line 3, column 3: move 1: 'x' is not three points of this board");
}

#[test]
fn control_characters_are_not_written() {
    let mut game = standard();
    game.comment = Some("a\u{1b}[2J\u{7}b\nc".to_owned());
    game.details.event = Some("x\u{9b}y".to_owned());
    for format in [SGF, amazons_formats::PGN] {
        let text = written(format, &game);
        assert!(text.chars().all(|letter| letter == '\n' || !letter.is_control()), "{text:?}");
        assert!(text.contains("a [2J b"), "{text:?}");
    }
}

/// An independent parser, and placement by the text of the format: two letters, columns from the left, rows from the top.
#[test]
fn every_queen_is_on_its_square_for_other_readers() {
    let mut starts: Vec<Position> = (5..=26).flat_map(|m| Shape::ALL.map(|shape| start(shape, m))).collect();
    starts.extend([
        Position::standard(),
        Position::parse("q9/10/3Q6/10/*8* w - - 0 7").expect("a position"),
        start(Shape::Donut, 52),
    ]);
    for (seed, start) in (0..200_u64).zip(starts.iter().cycle()) {
        let game = random_game(start.clone(), 12, seed);
        let trees = sgf_parse::parse(&written(SGF, &game)).expect("SGF");
        let [sgf_parse::GameTree::Unknown(root)] = &trees[..] else { panic!("one game of another kind") };
        let columns = game.board().columns();
        let vertices = |name: &str| -> Vec<Vertex> {
            let text = root.get_property(name).map(ToString::to_string).unwrap_or_default();
            let number = |letter: u8| u32::from(if letter >= b'a' { letter - b'a' } else { letter - b'A' + 26 });
            let point = |point: &str| number(point.as_bytes()[0]) + columns * number(point.as_bytes()[1]);
            let mut vertices: Vec<Vertex> = text.split('[').skip(1).map(point).collect();
            vertices.sort_unstable();
            vertices
        };
        let queens = |color| {
            let mut queens = start.queens(color).to_vec();
            queens.sort_unstable();
            queens
        };
        assert_eq!(vertices("AB"), queens(Color::Black), "{start}");
        assert_eq!(vertices("AW"), queens(Color::White), "{start}");
        let first = if start.side_to_move() == Color::Black { "PL[B]" } else { "PL[W]" };
        assert_eq!(root.get_property("PL").map(ToString::to_string).as_deref(), Some(first));
    }
}
