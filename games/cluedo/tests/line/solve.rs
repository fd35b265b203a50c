//! `cluedo solve`.

use std::io::Write;
use std::process::{Command, Stdio};

use amazons_testing::output_of;

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
    let output = output_of(child);
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
    let counts = &value["counts"];
    assert_eq!(counts["total"], "3");
    assert_eq!(counts["triples"], serde_json::json!([[[2, 7, 9], "2"], [[2, 6, 9], "1"]]));
    assert_eq!(counts["secret"], serde_json::json!(["0", "0", "3", "0", "0", "0", "1", "2", "0", "3", "0", "0"]));
    assert_eq!(counts["hands"][1][0], "3");
    let (status, out, _) = solve(lines, &[]);
    assert!(out.contains("secret 2 7 9: 2 of 3 deals"), "{out}");
    assert!(status == Some(0) && out.contains("3 deals left") && out.contains("secret 2 7 9: 60.0 %"), "{out}");
}

/// Showing the same card for the same hypothesis again is another random choice, whatever else the server repeats.
#[test]
fn a_card_that_is_shown_again_counts_again() {
    // By enumeration of all deals, each show at random among the cards that were named and are held.
    let cases = [
        (
            "B 0 2;C 0 3 8;T;>H 5 2 7;M 1 7;H 7 3 2;C;>M 3;M 0;T;>H 1 5 8;H 1 5 8;M 1 1;H 4 1 7;P 0;M;T;>H 1 5 8;M 1 1",
            8.0 / 9.0,
        ),
        (
            "B 2 3;C 4 9 0;H 8 3 4;P 1;C;>M 4;M 2;H 0 5 10;C;>M 0;M 2;T;>H 1 5 8;M 0 8;H 10 2 7;P 1;P 2;M;H 3 10 7;P 2;M 0;T;>H 8 1 5;M 0 8",
            5.0 / 19.0,
        ),
    ];
    let triples = [serde_json::json!([2, 5, 6]), serde_json::json!([2, 7, 10])];
    for ((lines, chance), triple) in cases.into_iter().zip(triples) {
        // Servers may tell the suggester `M v` as well, before or after the card.
        let shows = [("M 1 1", "M 1;M 1 1"), ("M 1 1", "M 1 1;M 1"), ("M 0 8", "M 0;M 0 8"), ("", "")];
        for (once, twice) in shows {
            let lines = if once.is_empty() { lines.to_owned() } else { lines.replace(once, twice) };
            let (status, out, errors) = solve(&lines, &["--json"]);
            assert_eq!(status, Some(0), "{errors}");
            let value: serde_json::Value = serde_json::from_str(&out).expect("JSON");
            let found = value["triples"].as_array().expect("triples").iter().find(|entry| entry[0] == triple);
            let found = found.expect("the triple")[1].as_f64().expect("a chance");
            assert!((found - chance).abs() < 1e-9, "{lines}: {found}");
        }
    }
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
        ("B 2 3;C 0 4 8;T;>H 2 6 10;M 1 5", "line 5"),
        ("B 2 3;C 0 4 8;H 0 5 9;P 9", "line 4"),
        ("B 2 3;C 0 4 8;M 1 5", "line 3"),
        ("B 0 2;C 0 1 3;T;>H 2 5 8;M 1 2;T;>H 2 4 7;P 1;M", "contradict"),
    ];
    for (lines, expected) in cases {
        let (status, _, errors) = solve(lines, &["--json"]);
        assert!(status == Some(2) && errors.contains(expected), "{lines}: {errors}");
        assert_eq!(errors.lines().count(), 1);
    }
}

/// The lines of a real deal, of which so many others are left that whole numbers are given up: that is no contradiction.
#[test]
fn large_tables_do_not_contradict_themselves() {
    let lines = "B 6 10;C 25 4 22;H 9 11 31;P 1;P 2;M 3;H 10 14 25;P 2;P 3;P 4;M 5;H 6 14 31;P 3;P 4;M 5;H 4 16 22;P 4;P 5;C;\
                 >M 22;M 6;H 7 18 24;P 5;P 6;P 7;M 8;H 0 16 28;P 6;P 7;P 8;M 9;T;>H 8 18 27;P 7;P 8;M 9 27;H 9 21 26;P 8;P 9;\
                 P 0;P 1;P 2;M 3";
    let (status, out, error) = solve(lines, &[]);
    assert!(status == Some(0) && out.contains(" deals left"), "{out}{error}");
    let (status, _, error) = solve(&format!("{lines};P 3"), &[]);
    assert!(status == Some(2) && error.contains("contradict each other: no deal agrees"), "{error}");
}
