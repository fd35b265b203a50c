//! The champion's levels and the options of players on the command line.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{player, server};

fn events(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The names of both players in a short game with these words.
fn names(words: &[&str]) -> [String; 2] {
    let ran =
        server([&["--json", "--max-moves", "2", "-m", "5", "--seed", "1", "--move-time", "50ms"], words].concat());
    assert_eq!(ran.status, 0, "{words:?}: {}", ran.err);
    let start = events(&ran.out).swap_remove(0);
    [0, 1].map(|number| start["players"][number]["name"].as_str().expect("a name").to_owned())
}

#[test]
fn a_level_is_a_player() {
    let random = player("random");
    assert_eq!(names(&["champion:1", "champion:8"]), ["champion-1", "champion-8"]);
    assert_eq!(names(&[&random, "champion:3", "--isolation", "none"]), ["random", "champion-3"]);
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("a.jsonl").display().to_string();
    let played = server(["champion:2", &random, "-m", "6", "--record", &record]);
    assert_eq!(played.status, 0, "{}", played.err);
    assert!(played.out.contains("player 1 (champion-2): champion:2, "), "{}", played.out);
    assert_eq!(server(["replay", "--quiet", &record]).status, 0);
}

#[test]
fn the_same_seed_plays_the_same_game() {
    let moves = |seed: &str| {
        let ran = server(["--json", "-m", "6", "--seed", seed, "champion:4", "champion:2"]);
        let is_move = |event: &Value| event["event"] == "move";
        events(&ran.out).into_iter().filter(is_move).map(|event| event["text"].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(moves("5"), moves("5"));
    assert_ne!(moves("5"), moves("6"));
}

#[test]
fn options_of_each_player() {
    let champion = player("champion");
    assert_eq!(names(&[&champion, &champion, "--options2", "book=no level=5"]), ["champion", "champion-5"]);
    assert_eq!(names(&["champion:4", &champion, "--options1", "nodes=5"]), ["champion-4", "champion"]);
}

#[test]
fn what_is_no_level_is_refused_in_a_line() {
    let champion = player("champion");
    let long = "x".repeat(5000);
    let cases: [(&[&str], &str); 11] = [
        (&["champion:0", &champion], "player 1: champion:0: expected a level from 1 to 8, found '0'"),
        (&[&champion, "champion:9"], "player 2: champion:9: expected a level from 1 to 8, found '9'"),
        (&[&champion, "champion:03"], "player 2: champion:03: expected a level from 1 to 8, found '03'"),
        (&["champion:", "human"], "player 1: champion:: expected a level from 1 to 8, found ''"),
        (&["champion:3x", "human"], "player 1: champion:3x: expected a level from 1 to 8, found '3x'"),
        (
            &["champion:3", &champion, "--options1", "level=4"],
            "player 1: champion:3: options name a level, too: leave one out",
        ),
        (&[&champion, &champion, "--options2", "level=11"], "options: expected a level from 1 to 8, found '11'"),
        (
            &[&champion, &champion, "--options2", "a\u{7}"],
            "player 2: options: use printable text of at most 4096 bytes",
        ),
        (&[&champion, &champion, "--options1", &long], "player 1: options: use printable text of at most 4096 bytes"),
        (&["human", &champion, "--options1", "level=2"], "player 1: a person has no options: leave them out"),
        (&["ladder", "add", "nowhere", "champion:12"], "champion:12: expected a level from 1 to 8, found '12'"),
    ];
    for (words, expected) in cases {
        let ran = server(words);
        assert_eq!((ran.status, ran.err.lines().count()), (2, 1), "{words:?}: {}", ran.err);
        assert!(ran.err.contains(expected), "{words:?}: {}", ran.err);
    }
    let watch = server(["watch", "--play", "champion:9"]);
    assert_eq!((watch.status, watch.err.contains("--play: champion:9: expected a level")), (2, true), "{}", watch.err);
}

#[test]
fn a_level_that_only_the_player_can_refuse_loses() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = folder.path().join("own.so");
    fs::copy(player("champion"), &own).expect("a player");
    let logs = folder.path().join("logs");
    let words = [&*own.display().to_string(), &player("random"), "--options1", "level=9", "-m", "5"].map(str::to_owned);
    let ran = server([words.to_vec(), vec!["--log-dir".to_owned(), logs.display().to_string()]].concat());
    assert!(ran.last_line().starts_with("player 2 (random) wins after 0 moves"), "{}", ran.out);
    let log: String = fs::read_dir(&logs).expect("logs").map(|file| text(&file.expect("a file").path())).collect();
    assert!(log.contains("option level: expected a level from 1 to 8, found '9'"), "{log}");
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("text")
}

#[test]
fn levels_in_an_event() {
    let folder = tempfile::tempdir().expect("a folder");
    let champion = player("champion");
    let plan = format!(
        "boards = [\"c5\"]\n[[players]]\nfile = \"champion:1\"\n[[players]]\nfile = \"champion:1\"\n\
         options = \"nodes=9\"\n[[players]]\nfile = {champion:?}\noptions = \"level=3\"\n"
    );
    let file = folder.path().join("class.toml");
    fs::write(&file, &plan).expect("a plan");
    let run = || server(["tournament", "--quiet", &file.display().to_string()]);
    let ran = run();
    assert_eq!(ran.status, 0, "{}", ran.err);
    assert_eq!(run().status, 0, "the same plan goes on");
    for name in [" champion-1 ", " champion-1-2 ", " champion-3 "] {
        assert!(ran.out.contains(name), "{}", ran.out);
    }
    let journal = text(&folder.path().join("class/journal.jsonl"));
    for options in ["level=1\"", "level=1 nodes=9\"", "level=3\""] {
        assert!(journal.contains(&format!("\"options\":\"{options}")), "{options}: {journal}");
    }
    fs::write(&file, plan.replace("level=3", "level=30")).expect("a plan");
    let refused = run();
    assert_eq!((refused.status, refused.err.lines().count()), (2, 1), "{}", refused.err);
    assert!(refused.err.contains("options: expected a level from 1 to 8, found '30'"), "{}", refused.err);
}
