//! The names of an event in its games, and all its games as PGN.

use std::fs;

use super::event::Hall;
use crate::cli::{Ran, server};

fn tags<'a>(pgn: &'a str, name: &str) -> Vec<&'a str> {
    let begin = format!("[{name} \"");
    pgn.lines().filter_map(|line| line.strip_prefix(&begin)?.strip_suffix("\"]")).collect()
}

fn today() -> String {
    let out = std::process::Command::new("date").args(["-u", "+%Y-%m-%d"]).output().expect("a date");
    String::from_utf8(out.stdout).expect("text").trim().to_owned()
}

fn to(format: &str, hall: &Hall) -> Ran {
    server(["rate", "--to", format, &hall.dir().display().to_string()])
}

/// Both players say that they are called the same.
#[test]
fn games_carry_the_names_of_their_event() {
    let hall = Hall::new(&["random", "random"], &["--pairs", "2", "--boards", "c5"]);
    let before = today();
    hall.finish();
    let record = hall.file("records/000/000001-2.jsonl").display().to_string();
    let pgn = server(["convert", "--to", "pgn", &record, "-"]).out;
    let one = |name| tags(&pgn, name)[0].to_owned();
    assert_eq!(["Event", "Round", "Black", "White"].map(one), ["event", "1.2", "random-2", "random"]);
    let date = one("Date").replace('.', "-");
    assert!(before <= date && date <= today(), "{date}");
    let sgf = server(["convert", "--to", "sgf", &record, "-"]).out;
    for property in ["EV[event]", "RO[1.2]", "PB[random-2]", "PW[random]", &format!("DT[{date}]")] {
        assert!(sgf.contains(property), "{property}: {sgf}");
    }
    assert_eq!(server(["replay", "--quiet", &record]).status, 0);
}

#[test]
fn an_event_is_written_as_pgn() {
    let hall = Hall::new(&["random", "c_mobility", "random"], &["--pairs", "2", "--boards", "c5,d6"]);
    hall.finish();
    let pgn = to("pgn", &hall);
    assert_eq!((pgn.status, pgn.err.as_str()), (0, ""));
    let rounds: Vec<String> = (1..=6).flat_map(|pair| [1, 2].map(|game| format!("{pair}.{game}"))).collect();
    assert_eq!(tags(&pgn.out, "Round"), rounds);
    assert_eq!(pgn.out.matches("[Event \"event\"]").count(), 12);
    // The same players have the same points as in the standings.
    let mut points = std::collections::BTreeMap::<&str, f64>::new();
    let results = tags(&pgn.out, "Result");
    for ((white, black), result) in tags(&pgn.out, "White").into_iter().zip(tags(&pgn.out, "Black")).zip(results) {
        let of_white = [("1-0", 1.0), ("0-1", 0.0), ("1/2-1/2", 0.5)].into_iter().find(|known| known.0 == result);
        let of_white = of_white.expect("a result").1;
        *points.entry(white).or_default() += of_white;
        *points.entry(black).or_default() += 1.0 - of_white;
    }
    let standings: serde_json::Value = serde_json::from_str(&hall.read("standings.json")).expect("JSON");
    let rows = standings["players"].as_array().expect("rows");
    assert_eq!(rows.len(), points.len());
    for row in rows {
        assert_eq!(row["points"].as_f64(), points.get(row["name"].as_str().expect("a name")).copied(), "{row}");
    }
}

#[test]
fn games_without_a_record_are_written_without_moves() {
    let hall = Hall::new(&["random", "c_mobility"], &["--boards", "c5"]);
    hall.finish();
    let whole = to("pgn", &hall).out;
    fs::remove_file(hall.file("records/000/000001-2.jsonl")).expect("a record");
    let cut = to("pgn", &hall);
    assert_eq!((cut.status, cut.err.lines().count()), (0, 1), "{}", cut.err);
    assert!(cut.err.contains("000001-2.jsonl") && cut.err.contains("written without its moves"), "{}", cut.err);
    for name in ["Event", "Round", "White", "Black", "Result", "FEN"] {
        assert_eq!(tags(&cut.out, name), tags(&whole, name), "{name}");
    }
    assert_eq!(tags(&cut.out, "PlyCount")[1], "0");
    let none = Hall::new(&["random", "c_mobility"], &["--boards", "c5", "--records", "none"]);
    none.finish();
    let written = to("pgn", &none);
    assert_eq!((written.err.as_str(), tags(&written.out, "Result")), ("", tags(&whole, "Result")));
}
