//! `server convert` and `server show`.

use std::fs;
use std::path::Path;
use std::process::Command;

use amazons::record::{RECORD_FORMAT, Record};
use amazons_formats::{Game, Look, SGF};
use amazons_rules::Shape;

use super::{annotated_game, random_game, read, start, written};
use crate::cli::fed;
use crate::record;
use crate::referee::Script;
use crate::support;

/// Runs the server in a folder with input; returns its status, stdout and stderr.
fn server(folder: &Path, arguments: &[&str], input: &[u8]) -> (Option<i32>, Vec<u8>, String) {
    let ran = fed(Command::new(support::server()).args(arguments).current_dir(folder), input);
    (ran.status.code(), ran.stdout, String::from_utf8(ran.stderr).expect("text"))
}

fn said(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let (status, out, err) = server(folder, arguments, input);
    assert_eq!((status, err.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(out).expect("text")
}

fn complaint(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    let (status, out, err) = server(folder, arguments, input);
    assert_eq!((status, &out[..]), (Some(2), &b""[..]), "{arguments:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    err.trim_end().strip_prefix("server: ").expect("our complaint").to_owned()
}

fn game() -> Game {
    annotated_game(start(Shape::FigureEight, 8), 24, 1)
}

#[test]
fn a_game_goes_through_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.sgf"), written(SGF, &game())).expect("a file");
    for (from, to) in [("a.sgf", "b.jsonl"), ("b.jsonl", "c.pgn"), ("c.pgn", "d.json"), ("d.json", "e.SGF")] {
        assert_eq!(said(folder.path(), &["convert", from, to], b""), "");
    }
    let again = read(SGF, fs::read(at("e.SGF")).expect("a file")).expect("our own");
    assert_eq!(again.position().to_string(), game().position().to_string());
    assert_eq!((again.details, again.outcome), (game().details, game().outcome));
    for (name, begins) in [
        ("f.svg", &b"<svg"[..]),
        ("f.png", b"\x89PNG"),
        ("f.gif", b"GIF89a"),
        ("f.html", b"<!doctype html>"),
        ("f.fen", b""),
    ] {
        said(folder.path(), &["convert", "a.sgf", name], b"");
        assert!(fs::read(at(name)).expect("a file").starts_with(begins), "{name}");
    }
    assert_eq!(fs::read_to_string(at("f.fen")).expect("text"), format!("{}\n", game().position()));
    assert_eq!(said(folder.path(), &["replay", "--quiet", "b.jsonl"], b""), "");
    assert!(said(folder.path(), &["replay", "b.jsonl"], b"").contains("verified: "));
    let names: Vec<_> =
        fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("a file").file_name()).collect();
    assert_eq!(names.len(), 10, "no draft is left: {names:?}");
}

#[test]
fn pipes_and_moments_can_be_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let sgf = written(SGF, &game());
    let fen = |arguments: &[&str]| {
        said(folder.path(), &[&["convert", "-", "-", "--to", "fen"], arguments].concat(), sgf.as_bytes())
    };
    assert_eq!(fen(&[]), format!("{}\n", game().position()));
    assert_eq!(fen(&["--ply", "5", "--from", "sgf"]), format!("{}\n", game().until(5).expect("longer").position()));
    assert_eq!(fen(&["--ply", "0"]), format!("{}\n", game().start()));
    let svg =
        said(folder.path(), &["convert", "-", "-", "--to", "svg", "--territory", "--size", "300"], sgf.as_bytes());
    assert!(svg.contains("height=\"300\"") && svg.contains("<g class=\"black-land\">"));
    let gif =
        server(folder.path(), &["convert", "-", "-", "--to", "gif", "--size", "64", "--delay", "100"], sgf.as_bytes())
            .1;
    assert_eq!(
        gif,
        amazons_formats::GIF.write(&game(), &Look { size: 64, delay_ms: 100, ..Look::default() }).expect("frames")
    );
}

#[test]
fn our_own_records_keep_what_only_they_have() {
    let folder = tempfile::tempdir().expect("a folder");
    let bytes = record::written([Script::Honest; 2], None);
    let again = said(folder.path(), &["convert", "-", "-", "--to", "json"], &bytes);
    assert_eq!(again.as_bytes(), bytes, "limits, seeds and times");
    let cut = said(folder.path(), &["convert", "-", "-", "--to", "json", "--ply", "2"], again.as_bytes());
    let cut = Record::read(cut.as_bytes()).expect("a record");
    cut.verify().expect("a true one");
    assert_eq!((cut.end.moves, cut.end.termination), (2, None));
}

#[test]
fn nothing_is_overwritten_unless_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("out.pgn");
    fs::write(folder.path().join("in.sgf"), written(SGF, &game())).expect("a file");
    fs::write(&out, "precious").expect("a file");
    let told = complaint(folder.path(), &["convert", "in.sgf", "out.pgn"], b"");
    assert_eq!(told, "out.pgn exists, and nothing is overwritten: name another file, or add --force");
    assert_eq!(fs::read_to_string(&out).expect("text"), "precious");
    fs::write(folder.path().join("bad.sgf"), "(;GM[18]").expect("a file");
    complaint(folder.path(), &["convert", "--force", "bad.sgf", "out.pgn"], b"");
    assert_eq!(fs::read_to_string(&out).expect("text"), "precious", "nothing to put in its place");
    said(folder.path(), &["convert", "--force", "in.sgf", "out.pgn"], b"");
    assert!(fs::read_to_string(&out).expect("text").starts_with("[Event "));
    fs::create_dir(folder.path().join("folder.pgn")).expect("a folder");
    let told = complaint(folder.path(), &["convert", "--force", "in.sgf", "folder.pgn"], b"");
    assert_eq!(told, "cannot write folder.pgn: it is there and is not a regular file");
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("bad.sgf"), "(;GM[18]\n;W[aaaaaa])").expect("a file");
    fs::write(folder.path().join("bad.jsonl"), "{\"event\":\"move\",,}\n").expect("a file");
    fs::write(folder.path().join("picture.png"), "").expect("a file");
    fs::write(folder.path().join("good.sgf"), written(SGF, &game())).expect("a file");
    for (arguments, expected) in [
        (&["convert", "bad.sgf", "x.pgn"][..], "bad.sgf: line 2, column 3: move 1: "),
        (&["convert", "bad.jsonl", "x.pgn"], "bad.jsonl: line 1, column 17: "),
        (&["convert", "none.sgf", "x.pgn"], "cannot read none.sgf: No such file"),
        (&["convert", ".", "x.pgn"], "cannot read .: it is not a regular file"),
        (&["convert", "picture.png", "x.pgn"], "picture.png: png is for looking at"),
        (&["convert", "good.sgf", "x.doc"], "cannot tell the format from 'x.doc': add --to FORMAT"),
        (&["convert", "good.sgf", "-"], "--to FORMAT is needed"),
        (
            &["convert", "good.sgf", "-", "--to", "doc"],
            "--to: unknown format 'doc': use json, sgf, pgn, fen, svg, png, gif",
        ),
        (&["convert", "good.sgf", "x.pgn", "--from", "doc"], "--from: unknown format 'doc'"),
        (&["convert", "good.sgf", "x.pgn", "--delay", "50"], "--delay has no effect on pgn: it is for gif"),
        (
            &["convert", "good.sgf", "x.html", "--territory"],
            "--territory has no effect on html: it is for svg, png, gif",
        ),
        (&["convert", "good.sgf", "x.png", "--size", "9"], "--size: '9' is not allowed: use a whole number of pixels"),
        (&["convert", "good.sgf", "x.pgn", "--ply", "99"], "--ply 99: the game in good.sgf has 24 moves"),
        (&["convert", "good.sgf", "no/such/x.pgn"], "cannot write no/such/x.pgn: No such file"),
        (&["show", "good.sgf", "--ply", "25"], "--ply 25: the game in good.sgf has 24 moves"),
        (&["show", "none.sgf"], "cannot read none.sgf: "),
    ] {
        let told = complaint(folder.path(), arguments, b"");

        assert!(told.contains(expected), "{arguments:?}: '{told}' does not say '{expected}'");
    }
    assert!(!folder.path().join("x.pgn").exists());
}

#[test]
fn boards_that_a_format_lacks_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let wide = written(RECORD_FORMAT, &random_game(start(Shape::Square, 60), 2, 0));
    let told = complaint(folder.path(), &["convert", "-", "x.sgf"], wide.as_bytes());
    assert_eq!(told, "standard input: SGF has no boards of 60 x 60: at most 52 x 52");
    said(folder.path(), &["convert", "-", "x.pgn"], wide.as_bytes());
}

#[test]
fn a_game_is_shown_at_one_moment() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut game = annotated_game(start(Shape::Donut, 6), 10, 5);
    game.details.black = Some("someone evil".to_owned());
    // We write no control characters, but others may.
    let text = written(SGF, &game).replace("someone ", "\u{1b}[2J");
    fs::write(folder.path().join("game.sgf"), text).expect("a file");
    let shown = said(folder.path(), &["show", "game.sgf", "--ply", "5"], b"");
    assert!(shown.starts_with("board: donut 6 x 6, 32 vertices\nblack: \\u{1b}[2Jevil, moves first\n"), "{shown}");
    let text = game.board().move_text(game.moves()[4].mv);
    assert!(shown.contains(&format!("\nmove 5 of 10, black (\\u{{1b}}[2Jevil): {text} (")), "{shown}");
    assert_eq!(shown.matches('x').count() - shown.split("a b c").next().map_or(0, |head| head.matches('x').count()), 5);
    assert!(!shown.contains("wins"), "that is not known yet: {shown}");
    let last = said(folder.path(), &["show", "game.sgf"], b"");
    assert!(last.lines().last().is_some_and(|line| line.contains(" wins: ")), "{last}");
    let first = said(folder.path(), &["show", "game.sgf", "--ply", "0"], b"");
    assert!(first.contains("\nbefore the first of 10 moves, black to move\n"), "{first}");
    let land = said(folder.path(), &["show", "game.sgf", "--territory"], b"");
    assert!(land.contains("\nterritory: black "), "{land}");
    let coloured = said(folder.path(), &["show", "game.sgf", "--color", "always"], b"");
    assert!(coloured.contains("\x1b[1;36m"), "{coloured:?}");
    let own = said(folder.path(), &["show", "-"], &record::written([Script::Honest; 2], None));
    assert!(own.contains(" (0.001 s, 0.001 s left)\n"), "{own}");
}

#[test]
fn one_of_several_games_is_taken_and_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    at("all.pgn", "[White \"a\"]\n1. d1-d7/g7 *\n[White \"b\"]\n*\n");
    at("all.sgf", "(;GM[18];W[djddgd])(;GM[18]PW[b])");
    let [one, two] = [2, 3].map(|moves| record::written([Script::Honest; 2], Some(moves)));
    fs::write(folder.path().join("all.jsonl"), [one, two].concat()).expect("a file");
    for (file, moves) in
        [("all.pgn", ["1 of 1", "0 moves"]), ("all.sgf", ["1 of 1", "0 moves"]), ("all.jsonl", ["2 of 2", "3 of 3"])]
    {
        let (status, out, err) = server(folder.path(), &["show", file], b"");
        let note = format!("server: {file} holds 2 games: this is the first, --game N takes another\n");
        assert_eq!((status, err), (Some(0), note), "{file}");
        assert!(String::from_utf8_lossy(&out).contains(moves[0]));
        for (number, moves) in ["1", "2"].iter().zip(moves) {
            let shown = said(folder.path(), &["show", file, "--game", number], b"");
            assert!(shown.contains(moves), "{file} {number}: {shown}");
            let record = said(folder.path(), &["convert", file, "-", "--to", "json", "--game", number], b"");
            let shown = said(folder.path(), &["show", "-", "--from", "json"], record.as_bytes());
            assert!(shown.contains(moves), "{file} {number}: {shown}");
        }
        let told = complaint(folder.path(), &["show", file, "--game", "3"], b"");
        assert!(told.ends_with("there is no game 3: the file holds 2"), "{told}");
        complaint(folder.path(), &["show", file, "--game", "0"], b"");
    }
    assert!(said(folder.path(), &["replay", "all.jsonl", "--game", "2"], b"").contains("  3. "));
    let analysis = said(folder.path(), &["analyze", "all.pgn", "--game", "1", "--ply", "1", "--nodes", "1"], b"");
    assert!(analysis.contains("black"), "{analysis}");
    let told = complaint(folder.path(), &["analyze", "q1/1Q b", "--game", "1"], b"");
    assert_eq!(told, "--game is the number of a game, and this is a position");
}

/// Every command takes a byte order mark and CRLF; nobody reads UTF-16.
#[test]
fn texts_of_editors_on_windows_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let position = "\u{feff}q1/1Q b\r\n";
    fs::write(folder.path().join("b.fen"), position).expect("a file");
    let record = [b"\xef\xbb\xbf", &record::written([Script::Honest; 2], Some(2))[..]].concat();
    let record = String::from_utf8(record).expect("text").replace('\n', "\r\n");
    fs::write(folder.path().join("b.jsonl"), &record).expect("a file");
    fs::write(folder.path().join("b.pgn"), "\u{feff}1. d1-d7/g7 *\r\n").expect("a file");
    for (arguments, input) in [
        (&["convert", "b.fen", "-", "--to", "fen"][..], ""),
        (&["convert", "-", "-", "--to", "fen"], position),
        (&["show", "b.fen"], ""),
        (&["analyze", "b.fen", "--nodes", "1"], ""),
        (&["analyze", "-", "--nodes", "1"], position),
        (&["moves", "--stdin"], position),
        (&["moves", "--position", position], ""),
        (&["solve", "b.fen"], ""),
        (&["solve", "--stdin"], position),
        (&["replay", "b.jsonl"], ""),
        (&["show", "b.jsonl"], ""),
        (&["analyze", "b.jsonl", "--nodes", "1"], ""),
        (&["show", "b.pgn"], ""),
        (&["analyze", "b.pgn", "--nodes", "1", "--ply", "0"], ""),
    ] {
        said(folder.path(), arguments, input.as_bytes());
    }
    let wide: Vec<u8> = "\u{feff}q1/1Q b\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for name in ["w.fen", "w.pgn", "w.jsonl"] {
        fs::write(folder.path().join(name), &wide).expect("a file");
        let told = complaint(folder.path(), &["show", name], b"");
        assert_eq!(told, format!("cannot read {name}: it is UTF-16: save it as UTF-8"));
    }
    for arguments in [&["moves", "--stdin"][..], &["analyze", "-"], &["solve", "--stdin"]] {
        let told = complaint(folder.path(), arguments, &wide);
        assert_eq!(told, "cannot read standard input: it is UTF-16: save it as UTF-8", "{arguments:?}");
    }
}

#[test]
fn json_that_is_no_record_is_refused_in_our_words() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in ["{\"id\":1,\"steps\":[]}", "[[\"c1\",\"c4\",\"b4\"]]", "{}", "", "(;GM[18])", "some text\n"] {
        fs::write(folder.path().join("k.json"), text).expect("a file");
        for arguments in [&["show", "k.json"][..], &["convert", "k.json", "-", "--to", "fen"], &["replay", "k.json"]] {
            let told = complaint(folder.path(), arguments, b"");
            let expected = "not a record of this server: its first line is not a start event";
            assert!(told.ends_with(expected), "{arguments:?}: {told}");
        }
    }
}
