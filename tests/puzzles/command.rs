use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::tempdir;

use super::{page_data, puzzles, text};
use crate::cli::{server, server_reading};
use crate::support;

#[test]
fn a_puzzle_is_found_where_it_stands() {
    let folder = tempdir().expect("a folder");
    let [file, page] = ["a.fen", "a.html"].map(|name| folder.path().join(name).display().to_string());
    // The hardest is one for any short search.
    let puzzle = puzzles().pop().expect("thirty");
    fs::write(&file, text(&puzzle, "position")).expect("a file");
    let ran = server(["puzzles", &file, "--visits", "1000", "--json", "--html", &page]);
    assert_eq!((ran.status, &*ran.err), (0, ""));
    let found: Value = serde_json::from_str(&ran.out).expect("one line of JSON");
    for key in ["position", "color", "move", "legal_moves"] {
        assert_eq!(found[key], puzzle[key], "{key}");
    }
    assert_eq!((&found["file"], &found["game"], &found["ply"]), (&file.as_str().into(), &1.into(), &0.into()));
    assert!(found["visits"].is_null() && found["played"].is_null() && found["black"].is_null(), "{found}");
    let shown = page_data(&fs::read_to_string(&page).expect("a page"));
    assert_eq!((shown.len(), &shown[0]["answer"]), (1, &puzzle["move"]));
    // The same twice is one puzzle; the table names it.
    let table = server(["puzzles", &file, &file, "--visits", "1000"]);
    let lines: Vec<&str> = table.out.lines().collect();
    assert!(lines.len() == 3 && lines[1].contains(text(&puzzle, "move")) && lines[1].ends_with(" > 1000"), "{table:?}");
    assert_eq!(lines[2], "2 positions of 2 games solved");
    let again = server(["puzzles", &file, "--visits", "1000", "--json"]);
    assert_eq!(again.out, ran.out, "with limits of nodes it is always the same");
}

#[test]
fn what_cannot_be_done_is_one_line() {
    let folder = tempdir().expect("a folder");
    let html = folder.path().join("a.html").display().to_string();
    let none = |input: &str, told: &str| {
        let ran = server_reading(["puzzles", "-", "--nodes", "50", "--html", &html], input);
        assert_eq!((ran.status, &*ran.out, ran.err), (1, "", format!("server: no puzzles found: {told}\n")));
        assert!(!fs::exists(&html).expect("a folder"));
    };
    // Every move loses, more than one wins, a proof takes more positions.
    none("q1/1Q b", "1 positions of 1 games solved");
    none("q2/3/2Q w", "1 positions of 1 games solved");
    none("1q1q1/q3q/5/Q3Q/1Q1Q1 b", "0 positions of 1 games solved");
    for (args, complaint) in [
        (&["puzzles"][..], "missing RECORD...: see --help"),
        (&["puzzles", "/nowhere.jsonl"], "cannot read /nowhere.jsonl: No such file or directory (os error 2)"),
        (&["puzzles", "x", "-n", "0"], "--count: '0' is not allowed: use a whole number from 1"),
        (&["puzzles", "x", "--nodes", "0"], "--nodes: '0' is not allowed: use a whole number from 1"),
    ] {
        let ran = server(args);
        assert_eq!((ran.status, ran.out.as_str(), ran.err.lines().count()), (2, "", 1));
        assert_eq!(ran.err, format!("server: {complaint}\n"));
    }
}

#[test]
fn an_interrupted_search_gives_what_it_has() {
    let folder = tempdir().expect("a folder");
    let easy = folder.path().join("easy.fen").display().to_string();
    let puzzle = puzzles().pop().expect("thirty");
    fs::write(&easy, text(&puzzle, "position")).expect("a file");
    let mut command = Command::new(support::server());
    command.args(["puzzles", &easy, "-", "--visits", "500", "--nodes", "1000000000000", "--json"]);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    // Nobody solves that in the time of a test. It is more than a pipe holds, so the first is solved once all is written.
    let hard = "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w".to_owned() + &"\n".repeat(1 << 20);
    child.stdin.take().expect("a pipe").write_all(hard.as_bytes()).expect("it is read");
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(err, "server: interrupted: 1 positions of 2 games solved, 1 puzzles found so far\n");
    assert!(out.lines().count() == 1 && out.contains(text(&puzzle, "move")), "{out}");
}
