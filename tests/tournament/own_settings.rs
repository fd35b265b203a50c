//! Players of a plan with settings of their own.

use std::fs;
use std::path::Path;

use amazons::tournament::read_plan;
use serde_json::Value;
use tempfile::TempDir;

use crate::bridge;
use crate::cli::{Ran, server};
use crate::support;

/// A folder with a player, and a plan in which it plays twice, the second time with these settings.
fn twice(own: &str) -> TempDir {
    let root = tempfile::tempdir().expect("a folder");
    fs::copy(support::player("random"), root.path().join("random.so")).expect("a player");
    write(root.path(), own);
    root
}

fn write(root: &Path, own: &str) {
    let plan = format!(
        "boards = [\"c5\"]\n[game]\nthreads = 2\n[[players]]\nname = \"plain\"\nfile = \"random.so\"\n\
         [[players]]\nname = \"own\"\nfile = \"random.so\"\n{own}\n"
    );
    fs::write(root.join("event.toml"), plan).expect("a plan");
}

fn play(root: &Path) -> Ran {
    server(["tournament", "--quiet", "--force", &root.join("event.toml").display().to_string()])
}

fn start_of(root: &Path, game: &str) -> Value {
    let record = fs::read_to_string(root.join("event/records/000").join(game)).expect("a record");
    serde_json::from_str(record.lines().next().expect("a start")).expect("JSON")
}

#[test]
fn one_file_plays_with_two_settings() {
    let root = twice("move-time = \"700ms\"\ngame-time = 9\nincrement = 1\nthreads = 1\nmemory = \"64M\"");
    let ran = play(root.path());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let start = start_of(root.path(), "000001-2.jsonl");
    assert_eq!((&start["limits"]["move_ms"], &start["limits"]["threads"]), (&15000.into(), &2.into()));
    assert!(start["players"][0]["limits"].is_null());
    let own = &start["players"][1]["limits"];
    let expected =
        [("move_ms", 700), ("game_ms", 9000), ("increment_ms", 1000), ("threads", 1), ("memory_bytes", 64 << 20)];
    for (name, value) in expected {
        assert_eq!(own[name], value, "{name}");
    }
    let record = root.path().join("event/records/000/000001-2.jsonl").display().to_string();
    assert_eq!(server(["replay", "--quiet", &record]).status, 0);
    // Player 2 moves first, as Black.
    let pgn = server(["convert", "--to", "pgn", &record, "-"]).out;
    assert!(pgn.contains("[TimeControl \"1/15 against 9+1\"]"), "{pgn}");
    // The time left is that of its own clock.
    let text = fs::read_to_string(&record).expect("a record");
    let moves: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let left = |player: u8| moves.iter().find(|event| event["player"] == player).expect("a move")["left_us"].clone();
    assert!(left(1).as_u64() > Some(12_000_000) && left(2).as_u64() < Some(11_000_000), "{text}");
}

#[test]
fn changed_settings_are_refused() {
    let root = twice("move-time = 1");
    assert_eq!(play(root.path()).status, 0);
    assert_eq!(play(root.path()).status, 0, "the same plan goes on");
    write(root.path(), "move-time = 2\noptions = \"a\"");
    let changed = play(root.path());
    assert_eq!((changed.status, changed.err.lines().count()), (2, 1), "{}", changed.err);
    let expected = "player own: move-time=1000ms before, move-time=2000ms options=a now";
    assert!(changed.err.contains(expected), "{}", changed.err);
    write(root.path(), "");
    assert!(play(root.path()).err.contains("move-time=1000ms before, nothing of its own now"));
}

#[test]
fn wrong_settings_are_refused_with_the_player() {
    for (own, expected) in [
        ("increment = 1", "player own: increment: missing game-time"),
        ("move-time = \"x\"", "line 10, column 13: 'x' is not allowed: use seconds"),
        ("pace = 1", "line 10, column 1: unknown field `pace`"),
        ("memory = \"1000T\"", "player own: --memory: two players with"),
        ("options = \"a\\u0000\"", "player own: options: use printable text"),
        ("environment = { \"A-B\" = \"1\" }", "player own: environment: invalid name 'A-B'"),
        ("environment = { AMAZONS_SEED = \"1\" }", "player own: environment: AMAZONS_SEED: the server sets"),
        ("environment = { A = \"\\n\" }", "player own: environment: A: use printable text"),
    ] {
        let root = twice(own);
        let refused = read_plan(&root.path().join("event.toml")).expect_err(own);
        assert!(refused.to_string().contains(expected), "{own}: {refused}");
    }
}

/// The player calls itself as its environment says.
#[test]
fn options_and_variables_reach_libraries_and_programs() {
    let (folder, library) = support::compile_c(
        &(concat!(
            "#include <stdio.h>\n#include <stdlib.h>\n#define get_player_name old_name\n",
            include_str!("../../players/c_mobility/c_mobility.c"),
            "\n#undef get_player_name\n"
        )
        .to_owned()
            + "\
         char const *get_player_name(void) {\n\
             static char name[99];\n\
             char const *options = getenv(\"AMAZONS_OPTIONS\"), *style = getenv(\"STYLE\");\n\
             snprintf(name, sizeof name, \"%s/%s\", options ? options : \"\", style ? style : \"\");\n\
             return name;\n\
         }\n"),
        &["-O1"],
    );
    let open = bridge::open_folder();
    let bot = bridge::shell_bot(&open, "echo 'bestmove none'");
    let script = open.path().join("bot.sh");
    let text = fs::read_to_string(&script)
        .expect("a script")
        .replace("'id name shell bot'", "\"id name $AMAZONS_OPTIONS-$STYLE\"");
    fs::write(&script, text).expect("a script");
    let root = tempfile::tempdir().expect("a folder");
    let own = "options = \"level=3 book=no\"\nenvironment = { STYLE = \"wild\" }\n";
    let plan = format!(
        "boards = [\"c5\"]\n[[players]]\nname = \"a\"\nfile = \"{library}\"\n{own}[[players]]\nname = \"b\"\n\
         file = \"{library}\"\n[[players]]\nname = \"c\"\nfile = \"{bot}\"\n{own}",
        library = library.display()
    );
    fs::write(root.path().join("event.toml"), plan).expect("a plan");
    let ran = play(root.path());
    assert_eq!(ran.status, 0, "{}", ran.err);
    let names = |start: Value| [0, 1].map(|player| start["players"][player]["name"].as_str().map(str::to_owned));
    let starts = (1..=3).map(|pair| start_of(root.path(), &format!("{pair:06}-1.jsonl")));
    let mut seen: Vec<_> = starts.flat_map(names).flatten().collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, ["/", "level=3 book=no-wild", "level=3 book=no/wild"]);
    drop(folder);
}

#[test]
fn other_settings_make_another_player_where_events_are_rated_together() {
    let (one, two, three) = (twice("move-time = 3"), twice("move-time = 4"), twice("move-time = 3"));
    // The same games would not count twice.
    let file = three.path().join("event.toml");
    let plan = fs::read_to_string(&file).expect("a plan");
    fs::write(file, format!("seed = 2\n{plan}")).expect("a plan");
    let folders = [&one, &two, &three].map(|root| {
        assert_eq!(play(root.path()).status, 0);
        root.path().join("event")
    });
    let names = |events: &[&Path]| {
        let dirs = events.iter().map(|dir| dir.display().to_string());
        let ran = server(["rate", "--to", "json"].into_iter().map(str::to_owned).chain(dirs));
        let value: Value = serde_json::from_str(&ran.out).expect("JSON");
        let rows = value["players"].as_array().expect("players").clone();
        let mut names: Vec<String> = rows.iter().map(|row| row["name"].as_str().expect("a name").to_owned()).collect();
        names.sort_unstable();
        names
    };
    assert_eq!(names(&[&folders[0], &folders[2]]), ["own", "plain"]);
    let apart = names(&[&folders[0], &folders[1]]);
    assert_eq!(apart.len(), 3, "{apart:?}");
    assert!(apart[0].starts_with("own.") && apart[1].starts_with("own.") && apart[0] != apart[1], "{apart:?}");
}
