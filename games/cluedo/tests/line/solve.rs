//! `cluedo solve`.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::PROGRAM;

/// Runs it on a text; returns status, standard output and standard error.
fn solve(text: &str, args: &[&str]) -> (Option<i32>, String, String) {
    let mut child = Command::new(PROGRAM)
        .args(["solve", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    child.stdin.take().expect("piped").write_all(text.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn solves_what_a_seat_has_seen() {
    let lines = "B 0 3;C 3 10 11;T;>H 1 5 8;M 1 5;H 3 4 10;M 2;H 2 5 9;P 0;M 1;T;>H 2 4 8;P 1;M 2 8;H 1 6 11;M 2";
    let (status, out, _) = solve(lines, &["--json"]);
    let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((status, value["deals"].as_f64()), (Some(0), Some(3.0)));
    assert_eq!(value["triples"][0][0], serde_json::json!([2, 7, 9]));
    assert!((value["hands"][1][0].as_f64().expect("a chance") - 1.0).abs() < 1e-12);
    let (status, out, _) = solve(lines, &[]);
    assert!(status == Some(0) && out.contains("3 deals left") && out.contains("secret 2 7 9: 0.600"), "{out}");
}

#[test]
fn says_which_line_is_wrong() {
    let cases = [
        ("", "there is no hand"),
        ("B 0 3;C 3 10 99", "line 2"),
        ("B 0 3;C 3 3 4", "line 2"),
        ("C 3 10 11", "line 1"),
        ("B 0 3;C 3 10 11;hello", "line 3"),
        ("B 0 11", "line 1"),
        ("B 0 2;C 0 1 3;T;>H 2 5 8;M 1 2;T;>H 2 4 7;P 1;M", "contradict"),
    ];
    for (lines, expected) in cases {
        let (status, _, errors) = solve(lines, &["--json"]);
        assert!(status == Some(2) && errors.contains(expected), "{lines}: {errors}");
        assert_eq!(errors.lines().count(), 1);
    }
}
