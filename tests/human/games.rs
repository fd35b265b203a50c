//! Games of people.

use std::fs;

use amazons_rules::{MoveList, Position};
use serde_json::Value;

use crate::cli::{player, server, server_reading};

const START: &str = "5/4q/5/5/Q4 w";

/// Plays a game with this input; checks the record and returns it with the output.
fn game(args: &[&str], typed: &str) -> (Vec<Value>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("game.jsonl").display().to_string();
    let mut all = vec!["--record", &record, "--boards", "never"];
    all.extend(args);
    let ran = server_reading(&all, typed);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let replayed = server(["replay", &record]);
    assert_eq!((replayed.status, replayed.err.as_str()), (0, ""), "{}", replayed.out);
    let text = fs::read_to_string(&record).expect("a record");
    (text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect(), ran.out)
}

fn moves(events: &[Value]) -> Vec<&str> {
    events.iter().filter(|event| event["event"] == "move").map(|event| event["text"].as_str().expect("text")).collect()
}

#[test]
fn two_people_play_to_the_end_without_escape_codes() {
    // Always the first legal move, until one side runs out of moves.
    let mut position = Position::parse(START).expect("a position");
    let mut typed = String::new();
    while position.has_moves() {
        let mut list = MoveList::new();
        position.legal_moves(&mut list);
        let mv = list[0];
        typed += &format!("{}\n", position.board().move_text(mv));
        position.play_unchecked(mv);
    }
    let (events, out) = game(&["--position", START, "human", "human"], &typed);
    let end = events.last().expect("an end");
    assert_eq!((&end["termination"], &end["position"]), (&"no_moves".into(), &position.to_string().into()));
    assert_eq!(
        (&events[0]["players"][0]["file"], &events[0]["players"][0]["name"]),
        (&"human".into(), &"human".into())
    );
    assert_eq!(events[0]["players"][0]["sha256"], Value::Null);
    assert!(!out.contains('\u{1b}'), "{out:?}");
}

#[test]
fn what_is_wrong_is_explained_and_asked_again() {
    let typed = "a1-a1/a1\nnonsense\nmoves\nmoves a1\nhelp\nundo\nboard\nd1-d2/d3\na1-a2/a1\nresign\n";
    let (events, out) = game(&["--position", START, "human", &player("random")], typed);
    assert_eq!(moves(&events)[0], "a1-a2/a1");
    for part in [
        "not legal: ",
        "'nonsense': column ",
        "you have no move to take back",
        "Tab completes squares",
        "  undo ",
        "a1 (",
        "b1 (",
        "  a b c d e\n5 . .",
    ] {
        assert!(out.contains(part), "{part} in {out}");
    }
    let end = events.last().expect("an end");
    assert_eq!((&end["termination"], &end["winner"]), (&"resign".into(), &2.into()));
    assert!(out.lines().last().is_some_and(|line| line.ends_with("player 1 (human) resigned")), "{out}");
}

#[test]
fn the_end_of_the_input_leaves_the_game_and_strict_finds_no_fault_in_that() {
    let (events, _) = game(&["--position", START, "--strict", "--first", "2", "human", &player("random")], "");
    let end = events.last().expect("an end");
    assert_eq!((&end["termination"], &end["winner"], &end["moves"]), (&"resign".into(), &2.into(), &1.into()));
    assert!(events.iter().all(|event| event["event"] != "fault"));
}

#[test]
fn undo_takes_back_both_moves_and_starts_the_player_anew() {
    let logs = tempfile::tempdir().expect("a folder");
    let logs = logs.path().join("logs").display().to_string();
    let teller = r#"
#include <stdio.h>
#include "player.h"
static unsigned at;
char const *get_player_name(void) { return "teller"; }
void initialize(unsigned id, struct graph_t *graph, unsigned count, unsigned *queens[2]) {
    (void)graph; (void)count;
    at = queens[id][0];
    printf("player %u on %u\n", id, at);
}
struct move_t play(struct move_t previous) {
    struct move_t mv = {at, at - 5, at};
    printf("after %d\n", (int)previous.queen_src);
    if (at % 5 == 4 && at > 4) at -= 5;
    return mv;
}
void finalize(void) { puts("finalized"); }
"#;
    let (_library, teller) = crate::support::compile_c(teller, &[]);
    let teller = teller.display().to_string();
    let start = "5/5/5/4q/Q4 w";
    let typed = "a1-b1/a1\nundo\na1-c1/a1\nc1-c2/c1\nundo\nc1-d1/c1\nquit\n";
    let (events, out) = game(&["--position", start, "--log-dir", &logs, "human", &teller], typed);
    assert_eq!(moves(&events), ["a1-c1/a1", "e2-e3/e2", "c1-d1/c1", "e3-e4/e3"], "{out}");
    assert_eq!(out.matches("taken back").count(), 2, "{out}");
    let log = fs::read_to_string(format!("{logs}/player2.log")).expect("a log");
    let expected = "player 1 on 19\nafter 20\nfinalized\n\
                    player 0 on 19\nafter -1\nafter 22\nfinalized\n\
                    player 0 on 14\nafter -1\nfinalized\n";
    assert_eq!(log, expected);
}

#[test]
fn two_people_take_back_in_turn() {
    let typed = "a1-b1/a1\nundo\ne4-e5/e4\nb1-c1/b1\nundo\ne4-d4/e4\nb1-b2/b1\nquit\n";
    let (events, out) = game(&["--position", START, "human", "human"], typed);
    assert!(out.contains("you have no move to take back"), "Black has not moved: {out}");
    // Black takes back after White's answer, and moves otherwise.
    assert_eq!(moves(&events), ["a1-b1/a1", "e4-d4/e4", "b1-b2/b1"], "{out}");
    assert_eq!(events.last().expect("an end")["winner"], 1);
}

#[test]
fn a_hint_is_a_legal_move() {
    let (_, out) = game(&["--position", START, "human", &player("random")], "hint\nresign\n");
    let line = out.lines().find_map(|line| line.strip_prefix("hint: ")).expect("a hint");
    let position = Position::parse(START).expect("a position");
    let mv = position.board().parse_move(line.split(' ').next().expect("a word")).expect("a move");
    assert!(position.is_legal(mv).is_ok(), "{line}");
    let chances = [0.0, 0.004, 0.006, 0.5, 0.994, 0.996, 1.0].map(|win| amazons::human::Hint { mv, win }.chance());
    assert_eq!(chances, ["< 1 %", "< 1 %", "1 %", "50 %", "99 %", "> 99 %", "> 99 %"]);
}

#[test]
fn a_time_is_kept_only_where_it_is_asked_for() {
    let (events, _) = game(&["--position", START, "--move-time", "0.001", "human", "human"], "a1-a2/a1\nquit\n");
    assert_eq!(moves(&events), ["a1-a2/a1"], "limits are for programs");
    let (events, _) = game(&["--position", START, "human:0.1", &player("random")], "hint\na1-a2/a1\n");
    let fault = &events[1];
    assert_eq!((&fault["event"], &fault["termination"]), (&"fault".into(), &"timeout".into()));
    assert!(fault["detail"].as_str().is_some_and(|detail| detail.ends_with("of 100ms")), "{fault}");
}

#[test]
fn where_nobody_could_see_the_game_people_are_refused() {
    for args in [&["--json"][..], &["-q"]] {
        let ran = server_reading([args, &["human", "human"]].concat(), "");
        assert!(ran.status == 2 && ran.err.starts_with("server: a person cannot play with "), "{}", ran.err);
    }
    let ran = server_reading(["soak", "-n", "2", "human", &player("random")], "");
    assert!(ran.status == 2 && ran.err.contains("person"), "{}", ran.err);
    assert_eq!(server(["check", "human"]).status, 2);
}

#[test]
fn a_resignation_is_believed_of_people_only() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("game.jsonl").display().to_string();
    let ran = server_reading(["--position", START, "--record", &record, "human", &player("random")], "quit\n");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let text = fs::read_to_string(&record).expect("a record");
    for (from, to) in [("\"file\":\"human\"", "\"file\":\"bot.so\""), ("\"winner\":2", "\"winner\":1")] {
        assert!(text.contains(from), "{text}");
        fs::write(&record, text.replace(from, to)).expect("a file");
        assert_eq!(server(["replay", &record]).status, 1, "{to}");
    }
}
