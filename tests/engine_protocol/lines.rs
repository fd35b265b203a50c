//! The protocol's lines, without any engine.

use std::time::Duration;

use amazons_protocol::{Command, Dialect, EngineMessage, Go, LINE_MAX, Lines, Start};
use amazons_rules::{Board, Position, Shape};
use proptest::prelude::*;

#[test]
fn moves_are_read_in_both_ways_of_writing_and_written_as_the_dialect_wants() {
    let board = Board::new(Shape::Square, 12).expect("a board");
    let mv = board.parse_move("d1-d12/l12").expect("a move");
    assert_eq!(Dialect::Aep.move_text(&board, mv), "d1-d12/l12");
    assert_eq!(Dialect::Uci.move_text(&board, mv), "d1d12,d12l12");
    for text in ["d1-d12/l12", "d1d12,d12l12", "D1D12,D12L12", "d1,d12,l12"] {
        assert_eq!(board.parse_move(text).as_ref(), Ok(&mv), "{text}");
    }
    for text in ["", ",", "d1d12", "d1d12,d11l12", "d1d12,,d12l12", "é1d2,d2é3"] {
        assert!(board.parse_move(text).is_err(), "{text}");
    }
}

/// Sites have sent the arrow after a p, or as a move of its own.
#[test]
fn moves_of_sites_are_read() {
    let position = Position::standard();
    let mv = position.board().parse_move("d1-d7/g7").expect("a move");
    for text in ["d1d7pg7", "d1d7Pg7", "d1d7 P@g7", "d1d7P@g7", "d1d7,d7g7", "D1D7pG7"] {
        assert_eq!(amazons_protocol::read_move(&position, text).as_ref(), Ok(&mv), "{text}");
    }
    for text in ["d1d7p", "pd1d7g", "P@g7", "p", "d1pd7g7", "d1d7ppg7", "e2e4", "e7e8q", "0000", "\u{e9}pa1"] {
        assert!(amazons_protocol::read_move(&position, text).is_err(), "{text}");
    }
    let wide = Position::start(Board::new(Shape::Square, 20).expect("a board").into());
    let to_p = wide.board().parse_move("a14-b14/p14").expect("a move");
    assert_eq!(amazons_protocol::read_move(&wide, "a14b14p14"), Ok(to_p), "p is a file, too");
    let command = Command::parse("position startpos moves d1d7 P@g7 a7a6 p@a7 d10d9,d9d8").expect("a position");
    let Command::Position { moves, .. } = command else { panic!("a position") };
    assert_eq!(moves, ["d1d7 P@g7", "a7a6 p@a7", "d10d9,d9d8"]);
    assert!(Command::played(position, &moves[..2]).is_ok());
}

/// There are no draws: no chance is a score of 0, and only certainty is a mate.
#[test]
fn chances_are_read_back_in_both_dialects() {
    for percent in 0..=100 {
        let chance = f64::from(percent) / 100.0;
        for dialect in [Dialect::Aep, Dialect::Uci] {
            let words = dialect.value_words(chance);
            let EngineMessage::Info(Some(read)) = EngineMessage::parse(&format!("info time 3 {words}")) else {
                panic!("{words} has no value");
            };
            assert!((read - chance).abs() < 0.002, "{words}: {read}");
            assert!(words != "score cp 0" && words.contains("mate") == (dialect == Dialect::Uci && percent % 100 == 0));
        }
    }
}

#[test]
fn every_move_is_read_back_in_both_dialects() {
    for (shape, size) in [(Shape::Square, 10), (Shape::Donut, 7), (Shape::FigureEight, 30)] {
        let position = Position::start(Board::new(shape, size).expect("a board").into());
        let mut moves = amazons_rules::MoveList::new();
        position.legal_moves(&mut moves);
        for mv in moves.iter().step_by(97) {
            for dialect in [Dialect::Aep, Dialect::Uci] {
                let text = dialect.move_text(position.board(), *mv);
                assert_eq!(position.board().parse_move(&text).as_ref(), Ok(mv), "{text}");
            }
        }
    }
}

#[test]
fn commands_are_what_the_page_says() {
    let parse = |line: &str| Command::parse(line).map_err(|error| error.to_string());
    assert_eq!(parse("aep 3"), Ok(Command::Hello(Dialect::Aep, 3)));
    assert_eq!(parse("uci"), Ok(Command::Hello(Dialect::Uci, 0)));
    assert_eq!(parse("  "), Ok(Command::Nothing));
    let option = |name: &str, value: &str| Ok(Command::SetOption { name: name.into(), value: value.into() });
    assert_eq!(parse("setoption name Move Overhead value 30"), option("Move Overhead", "30"));
    assert_eq!(parse("setoption name Clear"), option("Clear", ""));
    let ms = |number| Some(Duration::from_millis(number));
    let go = Go { movetime: ms(5), left: [ms(0), ms(70)], increment: [ms(1), None], ..Go::default() };
    assert_eq!(parse("go wtime -20 btime 70 winc 1 movetime 5"), Ok(Command::Go(go.clone())));
    assert_eq!(parse(&format!("go{}", go.words())), Ok(Command::Go(go)), "what we write we read");
    let go = Go {
        movestogo: Some(7),
        depth: Some(3),
        nodes: Some(1 << 40),
        infinite: true,
        ponder: true,
        searchmoves: vec!["d1d7,d7g7".to_owned(), "a4b4,b4c4".to_owned()],
        ..Go::default()
    };
    let line = "go ponder searchmoves d1d7,d7g7 a4b4,b4c4 infinite depth 3 nodes 1099511627776 movestogo 7 mate 3";
    assert_eq!(parse(line), Ok(Command::Go(go)));
    assert_eq!(parse("ponderhit"), Ok(Command::PonderHit));
    let most = Go { movetime: ms(7 * 24 * 3_600_000), nodes: Some(u64::MAX), depth: Some(u32::MAX), ..Go::default() };
    let whole = Go { left: [ms(300), ms(0)], ..Go::default() };
    assert_eq!(parse("go wtime 300.75 btime -0.5"), Ok(Command::Go(whole)), "scripts send such clocks");
    let nines = "9".repeat(30);
    assert_eq!(parse(&format!("go movetime {nines} nodes {nines} depth {nines}")), Ok(Command::Go(most)));
    let standard = Position::standard();
    let placed = |start, moves: &[&str]| {
        Ok(Command::Position { start, moves: moves.iter().map(|&text| text.to_owned()).collect() })
    };
    assert_eq!(parse("position startpos moves a b"), placed(Start::Of(Dialect::Uci), &["a", "b"]));
    assert_eq!(parse("position start"), placed(Start::Of(Dialect::Aep), &[]), "each dialect has its own");
    assert_eq!(parse(&format!("position fen {standard}")), placed(Start::At(standard), &[]));
    let eight = Position::start(Board::new(Shape::FigureEight, 8).expect("a board").into());
    assert_eq!(parse("position start 88 moves"), placed(Start::At(eight), &[]));
    for (line, error) in [
        ("hallo", "unknown command 'hallo'"),
        ("aep 0", "aep: expected the newest version that you support, from 1, found '0'"),
        ("setoption value 3", "setoption: expected name NAME value VALUE"),
        ("position", "position: expected start [BOARD] or fen TEXT"),
        ("position start x9", "position start: expected a shape (c, d, t, 8) and a size, such as c10, found 'x9'"),
        ("go movetime", "go: expected milliseconds"),
        ("go movetime soon", "go: expected milliseconds, found 'soon'"),
        ("go movetime 3.", "go: expected milliseconds, found '3.'"),
        (
            "go fast",
            "go: expected movetime, wtime, btime, winc, binc, movestogo, depth, nodes, infinite, ponder or searchmoves, \
             found 'fast'",
        ),
        ("go depth", "go: expected a whole number"),
        ("go nodes -1", "go: expected a whole number, found '-1'"),
    ] {
        assert_eq!(parse(line), Err(error.to_owned()), "{line}");
    }
}

#[test]
fn answers_are_what_the_page_says() {
    let best = |text: &str| EngineMessage::BestMove(Some(text.to_owned()));
    for (line, report) in [
        ("id name Some Bot 2", EngineMessage::Name("Some Bot 2".to_owned())),
        ("option name Move Overhead type spin default 0", EngineMessage::Option("Move Overhead".to_owned())),
        ("aepok 1", EngineMessage::Ok(1)),
        ("uciok", EngineMessage::Ok(0)),
        ("readyok", EngineMessage::Ready),
        ("info depth 3 value 0.25 nodes 7", EngineMessage::Info(Some(0.25))),
        ("info score cp 0", EngineMessage::Info(Some(0.5))),
        ("info score mate -3", EngineMessage::Info(Some(0.0))),
        ("info value 1.5", EngineMessage::Info(None)),
        ("info value NaN", EngineMessage::Info(None)),
        ("info string the value 0.5 is free text", EngineMessage::Info(None)),
        ("bestmove d1-d7/g7", best("d1-d7/g7")),
        ("bestmove d1d7,d7g7 ponder a1a2,a2a3", best("d1d7,d7g7")),
        ("bestmove (none)", EngineMessage::BestMove(None)),
        ("error go: no", EngineMessage::Error("go: no".to_owned())),
        ("whatever", EngineMessage::Other),
        ("", EngineMessage::Other),
    ] {
        assert_eq!(EngineMessage::parse(line), report, "{line}");
    }
    let EngineMessage::Info(Some(chance)) = EngineMessage::parse("info score cp 400") else { panic!("a value") };
    assert!((chance - 10.0 / 11.0).abs() < 1e-9, "{chance}");
}

#[test]
fn a_line_has_a_bounded_length_and_the_next_one_is_read() {
    let long = format!("{}\r\nend", "x".repeat(LINE_MAX + 1));
    let mut lines = Lines::new(long.as_bytes());
    assert!(matches!(lines.read(), Ok(Some(Err(_)))));
    assert!(matches!(lines.read(), Ok(Some(Ok(line))) if line == "end"));
    assert!(matches!(lines.read(), Ok(None)));
    let mut lines = Lines::new(&b"a\xffb\r\n\nc"[..]);
    let mut next = || lines.read().expect("it can be read").map(|line| line.expect("it is short"));
    assert_eq!(
        [next(), next(), next(), next()],
        [Some("a\u{fffd}b".into()), Some(String::new()), Some("c".into()), None]
    );
}

proptest! {
    #[test]
    fn no_line_makes_a_parser_fail(line in "\\PC{0,60}", word in "(position|go|setoption name|aep|info|bestmove|position start|position fen)") {
        for text in [line.clone(), format!("{word} {line}")] {
            // Either answer will do.
            let _ = Command::parse(&text);
            let _ = EngineMessage::parse(&text);
            let _ = Position::standard().board().parse_move(&text);
        }
    }
}
