//! `server analyze`, through the installed server.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use amazons::referee::{Call, Termination};
use amazons_testing::status_of;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{self, Ran, ran, server};
use crate::record::written;
use crate::referee::Script;
use crate::support;

const STANDARD: &str = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w";

/// Writes a file into a folder of its own.
fn file(bytes: &[u8]) -> (TempDir, PathBuf) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, bytes).expect("a file");
    (folder, path)
}

pub(super) fn analyze(args: &[&str]) -> Ran {
    server([&["analyze"], args].concat())
}

/// Runs the command with something on standard input.
fn fed(args: &[&str], input: &[u8]) -> Ran {
    ran(cli::fed(Command::new(support::server()).arg("analyze").args(args), input))
}

pub(super) fn lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn lines_of(args: &[&str]) -> Vec<Value> {
    lines(&analyze(args).out)
}

/// The output that does not depend on the clock.
fn without_times(ran: &Ran) -> Vec<Value> {
    let mut lines = lines(&ran.out);
    for line in &mut lines {
        let line = line.as_object_mut().expect("an object");
        line.remove("seconds");
        line.remove("nodes_per_second");
    }
    lines
}

#[test]
fn a_position_is_told_with_a_map_and_the_best_moves() {
    let ran = analyze(&["-m", "5", "-t", "t", "--nodes", "300", "--multipv", "2"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.iter().filter(|line| line.contains("of visits")).count(), 2, "{}", ran.out);
    assert!(lines[0].starts_with("  a b c d e") && lines[7].starts_with("b nearer to black "), "{}", ran.out);
    assert!(lines[8].ends_with(" b - - 0 1") && lines[9].starts_with("black to move: "), "{}", ran.out);
    assert!(ran.last_line().contains(" nodes, ") && ran.last_line().ends_with(" half-moves"), "{}", ran.out);
    // Of free vertices the map knows more than a drawn board.
    assert!(!lines[1..6].iter().any(|line| line.contains('.')), "{}", ran.out);
}

/// Black has shut itself into the corner: that is certain, and drawn as such.
#[test]
fn the_ownership_of_a_position_is_drawn_and_told_by_vertex() {
    let position = "q2*4/3*1q2/3*4/****4/8/8/4Q3/1Q6 w";
    let args = [position, "--nodes", "100", "--ownership"];
    let text = analyze(&args).out;
    let lines: Vec<&str> = text.lines().collect();
    for (side, top) in [("black", "8 B 9 9"), ("white", "8 B . .")] {
        let heading = format!("{side}'s territory, in tenths of a probability");
        let at = lines.iter().position(|line| line.starts_with(&heading)).expect("a board for each side");
        assert_eq!(&lines[at + 2][..top.len()], top, "{text}");
    }
    let line = &lines_of(&[&args[..], &["--json"]].concat())[0];
    assert_eq!((line["event"].as_str(), line["territory"]["black"].is_u64()), (Some("position"), true), "{line}");
    let [black, white] = ["black", "white"].map(|side| line["ownership"][side].as_array().expect("a list").clone());
    assert_eq!((black.len(), white.len()), (64, 64), "{line}");
    assert_eq!((white[1].as_f64(), black[0].as_f64(), black[3].as_f64()), (Some(0.0), Some(0.0), Some(0.0)), "{line}");
    assert!(black[1].as_f64().is_some_and(|chance| chance > 0.9 && chance < 1.0), "{line}");
    assert!(lines_of(&[position, "--nodes", "100", "--json"])[0]["ownership"].is_null(), "only where asked for");
}

/// Counting proves the winner long before the end, so no number of moves is known.
#[test]
fn where_counting_decides_there_is_no_number_of_moves() {
    // A wall of arrows, and seven free squares on either side or fewer on one.
    for (position, told) in
        [("q3/4/****/2Q1/4 b", "loss"), ("q3/4/****/2Q1/2** w", "loss"), ("q3/4/****/2Q1/2** b", "win")]
    {
        let ran = analyze(&[position, "--nodes", "1000"]);
        let side = if position.ends_with('b') { "black" } else { "white" };
        assert!(ran.out.contains(&format!("{side} to move: proven {told}\n  1. proven {told} ")), "{}", ran.out);
        let line = &lines(&analyze(&[position, "--nodes", "1000", "--json"]).out)[0];
        let winner = if told == "win" { side } else { ["black", "white"][usize::from(side == "black")] };
        assert_eq!((&line["proven"], &line["lines"][0]["proven"]), (&json!(winner), &json!(winner)), "{line}");
    }
}

#[test]
fn what_is_over_or_proven_is_said() {
    let won = analyze(&["q*/1Q b"]);
    assert!(won.out.contains("black to move: wins in 1 move\n  1. wins in 1 move "), "{}", won.out);
    assert!(won.out.contains("% of visits  a2-a1/a2\n"), "{}", won.out);
    let over = analyze(&["q*/*Q b"]);
    assert_eq!((over.status, over.last_line()), (0, "black cannot move: white has won"));
    let json = analyze(&["--json", "q*/*Q b"]);
    let line = &lines(&json.out)[0];
    assert_eq!((line["win"].as_f64(), line["proven"].as_str()), (Some(0.0), Some("white")));
    assert_eq!(line["lines"].as_array().map(Vec::len), Some(0));
}

#[test]
fn json_of_a_position_has_all_of_it() {
    let ran = analyze(&["--json", "--nodes", "500", STANDARD]);
    let [line] = &lines(&ran.out)[..] else { panic!("{}", ran.out) };
    assert_eq!((line["event"].as_str(), line["color"].as_str()), (Some("position"), Some("white")));
    assert_eq!((line["nodes"].as_u64(), line["lines"].as_array().map(Vec::len)), (Some(500), Some(3)));
    let visits: u64 = line["lines"].as_array().expect("lines").iter().filter_map(|line| line["visits"].as_u64()).sum();
    assert!(visits > 0 && visits <= 500, "{visits}");
    let win = line["win"].as_f64().expect("a number");
    assert!((0.4..0.8).contains(&win), "{win}");
    let territory = &line["territory"];
    let counts: u64 = ["black", "white", "equal", "nobody"].iter().filter_map(|kind| territory[kind].as_u64()).sum();
    assert_eq!((counts, territory["map"][0].as_str()), (92, Some("bbbBbbBbbb")));
    assert_eq!(without_times(&ran), without_times(&analyze(&["--json", "--nodes", "500", STANDARD])));
}

#[test]
fn positions_come_as_text_from_files_and_from_standard_input() {
    let ask = ["--json", "--nodes", "50"];
    let expected = without_times(&analyze(&[&ask[..], &[STANDARD]].concat()));
    let option = without_times(&analyze(&[&ask[..], &["--position", STANDARD]].concat()));
    let (_folder, path) = file(format!("{STANDARD}\n").as_bytes());
    let from_file = without_times(&analyze(&[&ask[..], &[path.to_str().expect("text")]].concat()));
    let from_input = without_times(&fed(&[&ask[..], &["-"]].concat(), STANDARD.as_bytes()));
    assert_eq!([&option, &from_file, &from_input], [&expected; 3]);
    // A text on a shape: its holes must be marked.
    let donut = without_times(&analyze(&[&ask[..], &["-m", "5", "-t", "d"]].concat()));
    let text = donut[0]["position"].as_str().expect("text").to_owned();
    let on_shape = analyze(&[&ask[..], &["-m", "5", "-t", "d", &text]].concat());
    assert_eq!(without_times(&on_shape), donut);
    let refused = analyze(&["-m", "5", "-t", "d", &text.replace("***", "*1*")]);
    assert!(refused.err.contains("is a hole of the board"), "{}", refused.err);
}

#[test]
fn a_record_is_told_move_by_move_and_how_it_ended() {
    let (_folder, path) = file(&written([Script::Honest; 2], None));
    let path = path.to_str().expect("text");
    let ran = analyze(&[path, "--nodes", "100"]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let replayed = server(["replay", path]);
    let moves = |out: &str| out.lines().filter(|line| line[..4.min(line.len())].ends_with('.')).count();
    assert!(moves(&ran.out) > 2 && moves(&ran.out) == moves(&replayed.out), "{}", ran.out);
    assert!(ran.last_line().contains(" wins after ") && ran.last_line().ends_with(" cannot move"), "{}", ran.out);
    assert!(ran.out.contains("mean loss "), "{}", ran.out);
    assert!(
        !ran.out.contains(" 100.0 %") && !ran.out.contains(" 0.0 %"),
        "only what is proven is certain: {}",
        ran.out
    );
    let json = analyze(&[path, "--nodes", "100", "--json"]);
    let lines = lines(&json.out);
    let end = &lines[lines.len() - 1];
    assert_eq!((end["event"].as_str(), end["termination"].as_str()), (Some("end"), Some("no_moves")));
    assert_eq!((lines.len() - 2, &lines[0]["analysis"]["nodes"]), (moves(&ran.out), &json!(100)));
    for (number, line) in (1..).zip(&lines[1..lines.len() - 1]) {
        assert_eq!((line["event"].as_str(), line["ply"].as_u64()), (Some("move"), Some(number)));
        assert_eq!(line["player"].as_u64(), Some(2 - number % 2));
        let analysis = &line["analysis"];
        let is_best = analysis["lines"][0]["moves"][0] == line["text"];
        assert!(analysis["loss"].as_f64().is_some_and(|loss| loss >= 0.0 && !(is_best && loss > 0.0)), "{line}");
    }
    let moves: u64 = (0..2).filter_map(|side| end["analysis"]["sides"][side]["moves"].as_u64()).sum();
    assert_eq!(Some(moves), end["moves"].as_u64());
    // It is a record like any other.
    let (_annotated, annotated) = file(json.out.as_bytes());
    assert_eq!(server(["replay", annotated.to_str().expect("text")]).out, replayed.out);
    assert_eq!(
        without_times(&json),
        without_times(&fed(&["-", "--nodes", "100", "--json"], &fs::read(path).expect("it")))
    );
}

/// A game in another format is judged like its record, and so is one position of it.
#[test]
fn games_come_in_every_format_that_can_be_read() {
    let (_folder, record) = file(&written([Script::Honest; 2], Some(6)));
    let record = record.to_str().expect("text");
    let folder = TempDir::new().expect("a folder");
    let ask = ["--nodes", "30", "--json"];
    let plies = |ran: &Ran| -> Vec<Value> {
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        lines(&ran.out).iter().filter(|line| line["event"] == "move").map(|line| line["analysis"].clone()).collect()
    };
    let expected = plies(&analyze(&[&[record], &ask[..]].concat()));
    assert_eq!(expected.len(), 6);
    let position = |ply: &str, path: &str| {
        let ran = analyze(&[&[path, "--ply", ply, "--multipv", "1"], &ask[..]].concat());
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        without_times(&ran)
    };
    let third = position("3", record);
    assert_eq!(third[0]["lines"][0], expected[3]["lines"][0]);
    for format in ["sgf", "pgn"] {
        let path = folder.path().join(format!("game.{format}"));
        let path = path.to_str().expect("text");
        assert_eq!(server(["convert", record, path]).status, 0);
        assert_eq!(plies(&analyze(&[&[path], &ask[..]].concat())), expected, "{format}");
        let bytes = fs::read(path).expect("a file");
        assert_eq!(plies(&fed(&[&["-"], &ask[..]].concat(), &bytes)), expected, "{format} is told by its beginning");
        assert_eq!(position("3", path), third, "{format}");
        let text = analyze(&[path, "--nodes", "30"]);
        assert!(text.status == 0 && text.out.contains("at the end: "), "{}", text.out);
        for (args, complaint) in [
            (&["--ply", "7"][..], format!("--ply 7: the game in {path} has 6 moves")),
            (&["-m", "5"], "-m cannot be used with a game: it names its own board".to_owned()),
            (&["--ownership"], "--ownership cannot be used with a game: name a position of it with --ply".to_owned()),
        ] {
            let ran = analyze(&[&[path], args].concat());
            assert_eq!((ran.status, ran.err), (2, format!("server: {complaint}\n")));
        }
        let broken = folder.path().join(format!("broken.{format}"));
        fs::write(&broken, &bytes[..bytes.len() / 2]).expect("a file");
        let ran = analyze(&[broken.to_str().expect("text"), "--nodes", "5"]);
        assert!(ran.status == 0 || (ran.status == 2 && ran.err.lines().count() == 1), "{}", ran.err);
    }
    let image = folder.path().join("game.svg");
    fs::write(&image, "<svg/>").expect("a file");
    let image = image.to_str().expect("text");
    for (args, complaint) in [
        (&[image][..], format!("{image}: svg is for looking at, and no game can be read from it")),
        (&[STANDARD, "--ply", "1"], "--ply counts the moves of a game, and this is a position".to_owned()),
        (&["--ply", "1"], "missing POSITION|GAME: see --help".to_owned()),
    ] {
        let ran = analyze(args);
        assert_eq!((ran.status, ran.err), (2, format!("server: {complaint}\n")));
    }
}

#[test]
fn a_record_may_end_by_a_fault_or_before_the_first_move() {
    let fails = |call, ply| Script::Fails(call, ply, Termination::Timeout);
    let (_folder, path) = file(&written([Script::Honest, fails(Call::Play, 2)], None));
    let path = path.to_str().expect("text");
    let ran = analyze(&[path, "--nodes", "20"]);
    assert!(ran.last_line().contains(" wins after 3 moves: player 2 "), "{}", ran.out);
    let json = analyze(&[path, "--nodes", "20", "--json"]);
    let events: Vec<String> =
        lines(&json.out).iter().map(|line| line["event"].as_str().expect("an event").to_owned()).collect();
    assert_eq!(events, ["start", "move", "move", "move", "fault", "end"]);
    let (_folder, path) = file(&written([fails(Call::Load, 1), Script::Honest], None));
    let ran = analyze(&[path.to_str().expect("text"), "--nodes", "20"]);
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert!(ran.last_line().contains("after 0 moves: player 1 "), "{}", ran.out);
    assert!(!ran.out.contains("mean loss"), "{}", ran.out);
}

#[test]
fn each_line_is_out_before_the_next_is_thought_about() {
    let (_folder, path) = file(&written([Script::Honest; 2], None));
    let mut child = Command::new(support::server())
        .args(["analyze", "--json", "--time", "2"])
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server can be run");
    let mut out = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    std::io::BufRead::read_line(&mut out, &mut line).expect("a line");
    line.clear();
    std::io::BufRead::read_line(&mut out, &mut line).expect("a line");
    // Interrupted, it leaves whole lines.
    assert!(child.try_wait().expect("a state").is_none() || line.contains("\"ply\":1"));
    child.kill().expect("it runs");
    status_of(&mut child);
    assert!(line.ends_with("}\n") && line.contains("\"ply\":1,"), "{line}");
}

#[test]
fn wrong_usage_is_one_line() {
    let folder = TempDir::new().expect("a folder");
    let (_folder, record) = file(&written([Script::Honest; 2], Some(2)));
    let record = record.to_str().expect("text");
    let text = fs::read_to_string(record).expect("text");
    let (_cut_folder, cut) = file(text.lines().next().expect("a line").as_bytes());
    let (_forged_folder, forged) = file(text.replace("\"winner\":null", "\"winner\":1").as_bytes());
    let (_binary_folder, binary) = file(&[0, 159, 146, 150]);
    let [folder, cut, forged, binary] =
        [folder.path(), &cut, &forged, &binary].map(|path| path.to_str().expect("text"));
    let large = "cannot analyze this position: a board of 40000 squares, holes included, is too large: at most 32768";
    for (args, status, complaint) in [
        (
            &["game.jsonl"][..],
            2,
            "there is no file 'game.jsonl', and a position text names the side to move".to_owned(),
        ),
        (&["q1/1Q x"], 2, "--position: side to move: found \"x\", expected w or b".to_owned()),
        (&["q1/1Q b", "--position", "q1/1Q b"], 2, "POSITION|GAME cannot be used with --position".to_owned()),
        (&[folder], 2, format!("cannot read {folder}: it is not a regular file")),
        (&[record, "-m", "5"], 2, "-m cannot be used with a record: it names its own board".to_owned()),
        (
            &[STANDARD, "--annotate", "x.jsonl"],
            2,
            "--annotate: this is a position, and only the moves of a game are annotated".to_owned(),
        ),
        (&[cut], 1, format!("{cut}: the record stops after line 1 without an end: the game was cut off")),
        (&[forged], 1, format!("{forged}: end: player 1 is recorded as winner, it is nobody")),
        (&[binary], 2, format!("{binary}: column 1: unexpected '\\0': ranks hold q, Q, * and numbers of free squares")),
        (&["--nodes", "0"], 2, "--nodes: '0' is not allowed: use a whole number from 1".to_owned()),
        (&["--multipv", "0"], 2, "--multipv: '0' is not allowed: use a whole number from 1".to_owned()),
        (&["-m", "200"], 2, large.to_owned()),
    ] {
        let ran = analyze(args);
        let expected = format!("server: {complaint}\n").replace("'\\0'", "'\\0'");
        assert_eq!((ran.status, ran.out.as_str(), ran.err), (status, "", expected), "{args:?}");
    }
    let meant = server(["analyse", STANDARD]);
    assert_eq!(meant.err, "server: there is no file and no command 'analyse': did you mean analyze?\n");
}
