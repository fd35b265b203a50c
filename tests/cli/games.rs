use std::fs;

use super::{player, server};
use crate::support;

#[test]
fn the_subjects_call_plays_a_game() {
    for shape in ["c", "d", "t", "8"] {
        let ran = server(["-m", "10", "-t", shape, "--seed", "1", &player("random"), &player("territory")]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert!(ran.last_line().starts_with("player 2 (territory) wins after "), "{}", ran.out);
        assert!(ran.last_line().ends_with("player 1 (random) cannot move"), "{}", ran.out);
    }
}

#[test]
fn options_may_stand_anywhere() {
    let (random, mobility) = (player("random"), player("c_mobility"));
    let before = ["-m", "6", "-t", "d", "--seed", "5", &random, &mobility];
    let between = [&random, "-m6", "--seed=5", &mobility, "-td"];
    let after = [&random, &mobility, "--type", "d", "--size=6", "--seed", "5"];
    let moves =
        |text: &str| text.lines().filter_map(|line| line.split(" (").nth(1).map(str::to_owned)).collect::<Vec<_>>();
    let expected = server(before);
    assert_eq!(expected.status, 0);
    for args in [between.to_vec(), after.to_vec()] {
        assert_eq!(moves(&server(args).out), moves(&expected.out));
    }
}

#[test]
fn a_seed_makes_a_game_again_and_the_same_file_may_play_itself() {
    let random = player("random");
    let game = |seed: &str, isolation: &str| {
        let ran = server(["-m", "7", "--json", "--seed", seed, "--isolation", isolation, &random, &random]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        let events = ran.out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        events.filter(|event| event["event"] == "move").map(|event| event["text"].to_string()).collect::<Vec<_>>()
    };
    let first = game("3", "process");
    assert!(first.len() > 5);
    assert_eq!(game("3", "process"), first);
    assert_eq!(game("3", "none"), first, "isolation does not change a game");
    assert_ne!(game("4", "process"), first);
}

#[test]
fn either_player_may_move_first() {
    let (random, mobility) = (player("random"), player("c_mobility"));
    let first = |who: &str, seed: &str| {
        let ran = server(["-m", "5", "--json", "--first", who, "--seed", seed, &random, &mobility]);
        let start: serde_json::Value = serde_json::from_str(ran.out.lines().next().expect("a line")).expect("JSON");
        let one = &start["players"][0];
        assert_eq!(one["name"], "random");
        assert_eq!(one["color"] == "black", start["first"] == 1);
        start["first"].as_u64().expect("a number")
    };
    assert_eq!((first("1", "1"), first("2", "1")), (1, 2));
    let drawn: std::collections::BTreeSet<u64> = (0..12).map(|seed| first("random", &seed.to_string())).collect();
    assert_eq!(drawn.len(), 2, "both are drawn");
}

#[test]
fn a_record_replays_and_a_changed_one_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    let name = path.display().to_string();
    let ran = server(["-t", "8", "-m", "6", "--json", "--record", &name, &player("random"), &player("random")]);
    assert_eq!(ran.status, 0);
    let written = fs::read_to_string(&path).expect("a record");
    assert_eq!(written, ran.out, "file and standard output are the same bytes");
    let replayed = server(["replay", &name]);
    assert_eq!((replayed.status, replayed.err.as_str()), (0, ""));
    assert!(replayed.last_line().starts_with("verified: "), "{}", replayed.out);
    let result = replayed.out.lines().rev().nth(1).expect("a line before the last");
    assert!(result.contains(" wins after ") && result.ends_with(" cannot move"), "the game is told again: {result}");
    let quiet = server(["replay", "--quiet", &name]);
    assert_eq!((quiet.status, quiet.out.as_str(), quiet.err.as_str()), (0, "", ""));

    let turned = if written.contains("\"winner\":1") {
        ("\"winner\":1", "\"winner\":2")
    } else {
        ("\"winner\":2", "\"winner\":1")
    };
    fs::write(&path, written.replace(turned.0, turned.1)).expect("a file");
    let refuted = server(["replay", &name]);
    assert_eq!(refuted.status, 1);
    assert!(refuted.err.starts_with(&format!("server: {name}: end: player ")), "{}", refuted.err);
    fs::write(&path, "{}").expect("a file");
    let unread = server(["replay", &name]);
    assert_eq!(unread.status, 2);
    assert_eq!(
        unread.err,
        format!("server: {name}: not a record of this server: its first line is not a start event\n")
    );
    assert_eq!(server(["replay", "/nonexistent"]).status, 2);
}

#[test]
fn the_standard_position_is_played_with_white_first() {
    let ran = server([
        "--position",
        "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w",
        "--max-moves",
        "4",
        "--json",
        "--seed",
        "2",
        &player("c_mobility"),
        &player("random"),
    ]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let events: Vec<serde_json::Value> =
        ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(events[0]["players"][0]["color"], "white");
    assert!([93, 96, 60, 69].contains(&events[1]["from"].as_u64().expect("a vertex")), "{}", events[1]);
    assert_eq!(events[5]["termination"], "max_moves");
    assert_eq!(events[5]["winner"], serde_json::Value::Null);
}

#[test]
fn arrows_that_stand_at_the_start_are_holes_for_the_players() {
    for name in ["random", "territory", "c_mobility"] {
        let ran = server(["--position", "q*2/1*2/4/*2Q b", "--json", "--seed", "3", &player(name), &player(name)]);
        assert_eq!((ran.status, ran.err.as_str()), (0, ""));
        assert!(ran.last_line().contains("\"termination\":\"no_moves\""), "{name}: {}", ran.out);
    }
}

#[test]
fn strict_tells_a_fault_from_a_defeat() {
    let (_folder, quitter) = support::player_in_c("quitter", "exit(7);", "");
    let random = player("random");
    for (strict, status) in [(false, 0), (true, 3)] {
        let ran = server([&quitter, &random].into_iter().map(String::as_str).chain(strict.then_some("--strict")));
        assert_eq!(ran.status, status);
        assert!(
            ran.last_line().starts_with("player 2 (random) wins after 0 moves: player 1 (quitter) exited in play"),
            "{}",
            ran.out
        );
    }
    assert_eq!(server(["--strict", "-m", "5", &random, &random]).status, 0);
}

#[test]
fn a_fault_in_finalize_is_told_to_who_asks_for_it() {
    let (_folder, late) = support::player_in_c("late", "", "abort();");
    // It cannot move, so that only finalize is left to fail.
    let random = player("random");
    for (strict, status) in [(&[][..], 0), (&["--strict"], 3)] {
        let ran = server(strict.iter().chain(&["-q", "--position", "q*/*Q b", &*random, &*late]));
        assert_eq!((ran.status, ran.out.lines().count()), (status, 1), "{ran:?}");
        assert!(ran.last_line().ends_with("player 1 (random) cannot move"), "{}", ran.out);
        assert!(
            ran.err.starts_with("server: player 2: crash in finalize: ") && ran.err.lines().count() == 1,
            "{}",
            ran.err
        );
    }
}

#[test]
fn logs_hold_what_the_players_print() {
    let (_folder, library) = support::compile_c(
        "#include <limits.h>\n#include <stdio.h>\n#include \"player.h\"\nchar const *get_player_name(void) { return \"talker\"; }\n\
         void initialize(unsigned int id, struct graph_t *graph, unsigned int n, unsigned int *queens[NUM_PLAYERS])\n\
         { (void)graph; (void)n; (void)queens; printf(\"I am %u\\n\", id); }\n\
         struct move_t play(struct move_t previous) { struct move_t none = {UINT_MAX, UINT_MAX, UINT_MAX}; (void)previous; return none; }\n\
         void finalize(void) { fprintf(stderr, \"bye\\n\"); }\n",
        &[],
    );
    let talker = library.display().to_string();
    let logs = tempfile::tempdir().expect("a folder");
    let folder = logs.path().join("new/logs");
    let ran = server(["--log-dir", &folder.display().to_string(), "--json", &talker, &talker]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""));
    let fault = ran.out.lines().nth(1).expect("a start, a fault, an end");
    let fault: serde_json::Value = serde_json::from_str(fault).expect("JSON");
    assert_eq!(fault["log"], folder.join("player1.log").display().to_string());
    assert_eq!(fault["log_tail"][0], "I am 0");
    for (file, id) in [("player1.log", 0), ("player2.log", 1)] {
        assert_eq!(fs::read_to_string(folder.join(file)).expect("a log"), format!("I am {id}\nbye\n"));
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure_of_ours() {
    let command =
        format!("'{}' -m 20 '{}' '{}' | head -n 1", support::server().display(), player("random"), player("random"));
    let output = std::process::Command::new("sh").args(["-c", &command]).output().expect("a shell");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}

#[test]
fn closed_standard_streams_do_not_become_the_record() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("game.jsonl");
    let command = format!(
        "'{}' -m 5 --record '{}' '{}' '{}' <&- >&- 2>&-",
        support::server().display(),
        path.display(),
        player("random"),
        player("c_mobility")
    );
    let status = std::process::Command::new("sh").args(["-c", &command]).status().expect("a shell");
    assert_eq!(status.code(), Some(0));
    let replayed = server(["replay", "--quiet", &path.display().to_string()]);
    assert_eq!((replayed.status, replayed.err.as_str()), (0, ""));
}

#[test]
fn players_in_the_servers_process_do_not_write_into_the_game() {
    let (_folder, talker) = support::player_in_c(
        "talker",
        "puts(\"hello\"); return (struct move_t){UINT_MAX, UINT_MAX, UINT_MAX};",
        "printf(\"bye\");",
    );
    let ran = server(["--isolation", "none", "--json", &talker, &talker]);
    assert_eq!(ran.status, 0);
    for line in ran.out.lines() {
        serde_json::from_str::<serde_json::Value>(line).expect("nothing but JSON");
    }
    assert_eq!(ran.out.lines().count(), 3);
    assert!(ran.err.contains("hello\n") && ran.err.contains("bye"), "{}", ran.err);
}
