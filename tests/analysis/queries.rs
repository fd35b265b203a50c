//! `server analyze --queries`, and annotated records, through the installed server.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use amazons_rules::Shape;
use amazons_testing::status_of;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::server;
use crate::record::written;
use crate::referee::Script;
use crate::support;
use crate::watch::record as random;

/// A server that answers queries.
struct Talk {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Talk {
    fn new() -> Self {
        let mut child = Command::new(support::server())
            .args(["analyze", "--queries"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server can be run");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("a pipe"));
        Self { child, input, output: BufReader::new(output) }
    }

    fn say(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("still open"), "{line}").expect("it reads");
    }

    fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("text");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"))
    }

    /// Ends the input; the server then ends.
    fn end(mut self) {
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_line(&mut rest).expect("text");
        assert_eq!((rest.as_str(), status_of(&mut self.child).code()), ("", Some(0)));
    }
}

#[test]
fn queries_are_answered_by_id_and_priority() {
    let mut talk = Talk::new();
    talk.say(r#"{"id":"long","time_ms":60000,"every_ms":50,"lines":2}"#);
    let first = talk.hear();
    assert_eq!((&first["id"], &first["turn"], &first["during"]), (&json!("long"), &json!(0), &json!(true)));
    assert!((0.3..0.8).contains(&first["win"].as_f64().expect("a chance")), "{first}");
    assert_eq!(first["lines"].as_array().map(Vec::len), Some(2));
    talk.say(r#"{"id":"low","moves":["d10-d4/d9"],"turns":[0,1],"nodes":20}"#);
    talk.say(r#"{"id":"high","shape":"d","size":7,"nodes":30,"priority":1}"#);
    talk.say(r#"{"id":"gone","nodes":20}"#);
    talk.say(r#"{"id":"a","action":"terminate","terminate_id":"gone"}"#);
    talk.say(r#"{"id":"b","action":"terminate","terminate_id":"long"}"#);
    let mut answers = Vec::new();
    while answers.len() < 7 {
        let answer = talk.hear();
        if answer["during"] != json!(true) {
            answers.push(answer);
        }
    }
    let place = |id: &str, turn: Option<u64>| {
        let is_it = |answer: &Value| answer["id"] == id && answer["turn"].as_u64() == turn;
        answers.iter().position(is_it).unwrap_or_else(|| panic!("no answer to {id}: {answers:?}"))
    };
    assert!(place("long", Some(0)) < place("high", Some(0)) && place("high", Some(0)) < place("low", Some(0)));
    assert!(place("low", Some(0)) < place("low", Some(1)));
    assert_eq!(answers[place("gone", Some(0))]["no_results"], json!(true));
    assert_eq!(answers[place("b", None)]["terminate_id"], json!("long"));
    let [high, low] = [place("high", Some(0)), place("low", Some(1))].map(|at| &answers[at]);
    assert_eq!((&high["nodes"], &low["nodes"], &low["color"]), (&json!(30), &json!(20), &json!("white")));
    talk.end();
}

#[test]
fn a_query_that_cannot_be_read_is_named_and_the_rest_goes_on() {
    let mut talk = Talk::new();
    for (line, id, field, reason) in [
        ("nonsense", Value::Null, "", "expected ident"),
        (r#"{"id":"a","foo":1}"#, json!("a"), "", "unknown field `foo`"),
        (r#"{"nodes":1}"#, Value::Null, "", "missing field `id`"),
        (r#"{"id":"a","moves":["d1-d2/d3"]}"#, json!("a"), "moves", "move 1: "),
        (r#"{"id":"a","moves":["zz"]}"#, json!("a"), "moves", "move 1: column 3: expected a square such as d1"),
        (r#"{"id":"a","turns":[1]}"#, json!("a"), "turns", "turn 1: there are 0 moves"),
        (r#"{"id":"a","shape":"z"}"#, json!("a"), "shape", ""),
        (r#"{"id":"a","size":3}"#, json!("a"), "position", ""),
        (r#"{"id":"a","position":"q3"}"#, json!("a"), "position", ""),
        (r#"{"id":"a","nodes":0}"#, json!("a"), "nodes", "use a whole number from 1"),
        (r#"{"id":"a","nodes":-1}"#, json!("a"), "", "invalid value"),
        (r#"{"id":"a","size":200,"nodes":1}"#, json!("a"), "position", "too large"),
        (&format!("{{\"id\":\"{}\"}}", "x".repeat(257)), json!("x".repeat(257)), "id", "use at most 256 bytes"),
        (r#"{"id":"a","action":"sing"}"#, json!("a"), "action", "unknown action 'sing'"),
        (r#"{"id":"a","action":"terminate"}"#, json!("a"), "terminate_id", "name the query to end"),
    ] {
        talk.say(line);
        let answer = talk.hear();
        assert_eq!((&answer["id"], answer["field"].as_str()), (&id, Some(field)), "{line}: {answer}");
        assert!(answer["error"].as_str().is_some_and(|error| error.contains(reason)), "{line}: {answer}");
    }
    talk.say(&format!("{{\"id\":\"{}\"}}", "x".repeat(1 << 20)));
    assert!(talk.hear()["error"].as_str().is_some_and(|error| error.contains("more than 1048576 bytes")));
    talk.say(r#"{"id":"v","action":"version"}"#);
    assert_eq!(talk.hear()["version"], json!(env!("CARGO_PKG_VERSION")));
    talk.say(r#"{"id":"good","nodes":5}"#);
    assert_eq!(talk.hear()["id"], json!("good"));
    talk.end();
}

#[test]
fn a_search_stops_at_once() {
    let mut talk = Talk::new();
    let mut late = Vec::new();
    for _ in 0..20 {
        talk.say(r#"{"id":"long","time_ms":60000,"every_ms":20}"#);
        assert_eq!(talk.hear()["during"], json!(true));
        talk.say(r#"{"id":"b","action":"terminate_all"}"#);
        let (mut has_stopped, mut is_taken, mut reports) = (false, false, 0);
        while !(has_stopped && is_taken) {
            let answer = talk.hear();
            is_taken |= answer["action"].is_string();
            has_stopped |= answer["during"] == json!(false);
            reports += u32::from(answer["during"] == json!(true));
        }
        late.push(reports);
    }
    late.sort_unstable();
    // Measured alone: none. The machine may be busy.
    assert!(late[10] < 5, "{late:?}");
    talk.end();
}

/// Interrupted anywhere and gone on with, an analysis has the same bytes.
#[test]
fn an_annotated_record_is_gone_on_with() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let game = path("game.jsonl");
    fs::write(&game, written([Script::Honest; 2], Some(8))).expect("a file");
    let annotate = |out: &str, nodes: &str| server(["analyze", &game, "--nodes", nodes, "--annotate", out]);
    let whole = path("whole.jsonl");
    let ran = annotate(&whole, "40");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let bytes = fs::read(&whole).expect("it");
    assert_eq!(bytes.iter().filter(|&&byte| byte == b'\n').count(), 10);
    assert_eq!(server(["replay", &whole]).status, 0);
    let part = path("part.jsonl");
    for length in [0, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        fs::write(&part, &bytes[..length]).expect("a file");
        let again = annotate(&part, "40");
        assert_eq!((again.status, again.out), (0, ran.out.clone()), "{length} bytes");
        assert_eq!(fs::read(&part).expect("it"), bytes, "{length} bytes");
        assert_eq!(again.err.contains("was complete already"), length == bytes.len(), "{}", again.err);
    }
    // Other limits, another game with the same start, further games, notes of a person: nothing is overwritten.
    let other_move = |text: &str| text.replacen("\"ply\":1,", "\"ply\":9,", 1).into_bytes();
    let whole = String::from_utf8(bytes.clone()).expect("text");
    let of_other_game = [whole.lines().next().expect("a start").as_bytes(), b"\n", &other_move(&whole)].concat();
    for (other, nodes) in [
        (bytes.clone(), "41"),
        (b"my notes\n".to_vec(), "40"),
        (of_other_game, "40"),
        ([&bytes[..], &bytes[..]].concat(), "40"),
        ([&bytes[..bytes.len() / 2], b"\nmy notes\n"].concat(), "40"),
    ] {
        fs::write(&part, &other).expect("a file");
        let refused = annotate(&part, nodes);
        assert!(refused.status == 2 && refused.err.contains("it holds something else"), "{}", refused.err);
        assert_eq!(fs::read(&part).expect("it"), other);
    }
    let refused = annotate("/dev/full", "40");
    assert!(refused.status == 2 && refused.err.contains("it is not a regular file"), "{}", refused.err);
}

/// An annotated record may come from another program: its numbers are checked, its texts are escaped for the terminal.
#[test]
fn a_foreign_annotated_record_is_not_trusted() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (game, out) = (path("game.jsonl"), path("out.jsonl"));
    fs::write(&game, written([Script::Honest; 2], Some(4))).expect("a file");
    assert_eq!(server(["analyze", &game, "--nodes", "20", "--annotate", &out]).status, 0);
    let text = fs::read_to_string(&out).expect("it");
    let hostile = "\"facts\":[\"\\u001b[31m\u{202e}\u{9b}\"]";
    fs::write(&out, text.replace("\"facts\":[]", hostile)).expect("a file");
    let again = server(["analyze", &game, "--nodes", "20", "--annotate", &out]);
    assert_eq!(again.status, 0, "{}", again.err);
    assert!(!again.out.contains(['\u{1b}', '\u{202e}', '\u{9b}']), "{:?}", again.out);
    for (found, wrong) in
        [("\"win\":0", "\"win\":7"), ("\"loss\":0", "\"loss\":-1"), ("\"accuracy\":", "\"accuracy\":9")]
    {
        let bad = path("bad.jsonl");
        let changed = text.replacen(found, wrong, 1);
        assert_ne!(changed, text);
        fs::write(&bad, changed).expect("a file");
        let refused = server(["replay", &bad]);
        assert!(refused.status == 2 && refused.err.contains(" is not from 0 to "), "{}", refused.err);
    }
}

/// The marks and the words reach the formats that have no notes.
#[test]
fn an_annotated_record_is_converted() {
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("text").to_owned();
    let (game, annotated) = (path("game.jsonl"), path("annotated.jsonl"));
    fs::write(&game, random("a", "b", Shape::Square, 8, 3)).expect("a file");
    assert_eq!(server(["analyze", &game, "--nodes", "60", "--annotate", &annotated]).status, 0);
    let text = fs::read_to_string(&annotated).expect("it");
    let mut marks: Vec<(String, String)> = Vec::new();
    for line in text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")) {
        if let Some(mark) = line["analysis"]["mark"].as_str() {
            let better = line["analysis"]["lines"][0]["moves"][0].as_str().expect("a move");
            marks.push((mark.to_owned(), better.to_owned()));
        }
    }
    assert!(marks.len() > 3, "{text}");
    for (format, signs) in [("sgf", ["DO[]", "BM[1]", "BM[2]"]), ("pgn", ["$6", "$2", "$4"])] {
        let out = path(&format!("game.{format}"));
        assert_eq!(server(["convert", &annotated, &out]).status, 0);
        let written = fs::read_to_string(&out).expect("it").replace('\n', " ");
        for (sign, mark) in signs.into_iter().zip(["?!", "?", "??"]) {
            let count = marks.iter().filter(|(found, _)| found == mark).count();
            assert_eq!(written.matches(sign).count(), count, "{format} {mark}");
        }
        for (_, better) in &marks {
            assert!(
                written.contains(&format!("better: {better}").replace(':', if format == "sgf" { "\\:" } else { ":" }))
            );
        }
        assert_eq!(server(["show", &out]).status, 0);
    }
}
