//! Programs that speak UCI.

use serde_json::Value;

use super::{events, open_folder, program};
use crate::cli::{player, server};

/// The board of UCI's variant; the program moves first.
const BOARD: [&str; 2] = ["--position", "3q2q3/10/10/q8q/10/10/Q8Q/10/10/3Q2Q3 w"];

/// A shell program that speaks UCI: `go` runs when it is asked for a move; it repeats every line on standard error.
fn bot(go: &str) -> (tempfile::TempDir, String) {
    let folder = open_folder();
    let text = format!(
        "#!/bin/sh\nwhile read -r line; do echo \"$line\" >&2; set -- $line; case $1 in\n\
         uci) echo 'id name Shell 1'; echo 'option name Hash type spin default 16 min 1 max 64'\n\
         echo 'option name Ponder type check default true'; echo 'option name Clear Hash type button'\n\
         echo 'option name UCI_Variant type combo default chess var chess var amazons'\n\
         echo 'option name Skill Level type spin default 20 min -20 max 20'\n\
         echo 'option name Threads type spin default 1 min 1 max 8'; echo uciok;;\n\
         isready) echo readyok;;\n\
         go) {go};;\n\
         quit) exit 0;;\nesac; done\n"
    );
    let bot = format!("uci:/bin/sh {}", program(&folder, "uci.sh", &text).display());
    (folder, bot)
}

/// The move and the comment of a bot that says this, or its fault.
fn said(go: &str) -> Value {
    let (_folder, bot) = bot(go);
    events(&[&BOARD[..], &["--max-moves", "1", "--move-time", "0.5", &bot, &player("random")]].concat()).swap_remove(1)
}

#[test]
fn options_are_set_as_the_program_spells_them() {
    let (folder, bot) = bot("echo bestmove d1d7,d7g7");
    let logs = folder.path().join("logs").display().to_string();
    let game = ["--max-moves", "1", "-q", "--log-dir", &logs, &bot, &player("random")].map(str::to_owned);
    let options = "hash = 32;skill level=-3; Clear Hash;".to_owned();
    let board = BOARD.map(str::to_owned);
    let ran = server([&["--options1".to_owned(), options][..], &board, &game].concat());
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("after 1 move: the game reached its limit of moves"), "{}", ran.out);
    let log = std::fs::read_to_string(format!("{logs}/player1.log")).expect("a log");
    let set: Vec<&str> = log.lines().take_while(|line| !line.starts_with("ucinewgame")).collect();
    assert_eq!(
        set,
        [
            "uci",
            "setoption name UCI_Variant value amazons",
            "setoption name Ponder value false",
            "setoption name Threads value 1",
            "setoption name Hash value 32",
            "setoption name Skill Level value -3",
            "setoption name Clear Hash",
        ]
    );
}

#[test]
fn what_is_set_replaces_what_the_server_sets() {
    let (folder, bot) = bot("echo bestmove a1b1,b1a1");
    let logs = folder.path().join("logs").display().to_string();
    let ran = server([
        "--position",
        "5/4q/5/5/Q4 w",
        "--max-moves",
        "1",
        "-q",
        "--log-dir",
        &logs,
        &bot,
        &player("random"),
        "--options1",
        "Threads=3; UCI_Variant=small",
    ]);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    let log = std::fs::read_to_string(format!("{logs}/player1.log")).expect("a log");
    let set: Vec<&str> = log.lines().skip(1).take_while(|line| !line.starts_with("ucinewgame")).collect();
    assert_eq!(
        set,
        [
            "setoption name Ponder value false",
            "setoption name Threads value 3",
            "setoption name UCI_Variant value small",
        ]
    );
}

#[test]
fn an_option_that_is_not_listed_is_said_and_nobody_loses() {
    let (_folder, bot) = bot("echo bestmove d1d7,d7g7");
    let ran = server(["--json", "--options1", "Hsh=3", &bot, &player("random")]);
    let end: Value = serde_json::from_str(ran.last_line()).expect("JSON");
    assert_eq!((&end["termination"], &end["winner"]), (&"void".into(), &Value::Null), "{}", ran.out);
    assert!(ran.out.contains("options: Shell 1 has no option 'Hsh': it lists Hash, "), "{}", ran.out);
    let refused = server(["--options1", "=3", &bot, &player("random")]);
    let expected = "server: player 1: options: '=3' has no name: write them as 'Hash=64; Skill Level=5'\n";
    assert_eq!((refused.status, refused.err.as_str()), (2, expected));
}

#[test]
fn value_and_line_reach_the_record() {
    let long = "d1d7,d7g7 ".repeat(60);
    let event = said(
        "echo 'info depth 9 multipv 1 score cp 120 nodes 4321 nps 5 time 7 pv d1d7,d7g7 d10d9,d9d10'; \
         echo 'info depth 9 multipv 2 score cp -900 nodes 4322 pv a4a5,a5a4'; \
         echo 'info depth 10 currmove a4a5,a5a4 currmovenumber 2'; echo 'info string nonsense'; echo bestmove d1d7,d7g7",
    );
    assert_eq!(event["comment"], "depth 9, 4321 nodes, d1d7,d7g7 d10d9,d9d10");
    assert!((event["value"].as_f64().expect("a value") - 0.332).abs() < 0.01, "{event}");
    let event = said(&format!("echo 'info depth 1 score mate 1 pv {long}'; echo bestmove d1d7,d7g7"));
    assert_eq!(event["value"], 1.0, "{event}");
    let comment = event["comment"].as_str().expect("text");
    assert!(comment.len() < 250 && comment.ends_with("..."), "{comment}");
}

#[test]
fn only_the_text_of_a_move_is_a_move() {
    for text in ["d1d7,d7g7", "d1d7pg7", "d1d7,d7g7 ponder d10d9,d9d10"] {
        assert_eq!(said(&format!("echo bestmove {text}"))["text"], "d1-d7/g7", "{text}");
    }
    for text in [
        "d1-d7/g7",
        "d1d7g7",
        "D1D7,D7G7",
        "d1d7,d6g7",
        "d1d7,g7",
        "Qd7,g7",
        "d1d7, d7g7",
        "e2e4",
        "d1d7,d7g7x",
        "d1d7",
    ] {
        let fault = said(&format!("echo 'bestmove {text}'"));
        assert_eq!(fault["termination"], "protocol_error", "{text}: {fault}");
        assert!(
            fault["detail"].as_str().is_some_and(|detail| detail.contains(&format!("bestmove '{text}': "))),
            "{fault}"
        );
    }
    let fault = said("echo bestmove d1d7,d7d1; echo bestmove d1d7,d7g7");
    assert_eq!(fault["text"], "d1-d7/d1", "the first answer counts: {fault}");
    assert_eq!(said("echo bestmove d1d10,d10g7")["termination"], "illegal_move");
    assert_eq!(said("echo 'bestmove (none)'")["termination"], "illegal_move");
}

/// Three answers to its first question, two of them written after it was stopped, none to its second: it runs out of
/// time.
#[test]
fn a_second_answer_is_none_to_the_next_question() {
    let (_folder, bot) = bot(
        "[ -n \"$asked\" ] || { echo bestmove d1d7,d7g7; sleep 0.05; echo bestmove d7d1,d1d2; echo bestmove g1g2,g2g1; }; asked=1",
    );
    let game = events(&[&BOARD[..], &["--max-moves", "8", "--move-time", "0.5", &bot, &player("random")]].concat());
    let moves: Vec<_> = game.iter().filter(|event| event["event"] == "move").collect();
    assert_eq!(moves.len(), 2, "{game:?}");
    assert!(game.iter().any(|event| event["termination"] == "timeout"), "{game:?}");
}

#[test]
fn every_way_to_fail_has_its_ending() {
    let game = |text: &str| {
        let folder = open_folder();
        let bot = format!("uci:/bin/sh {}", program(&folder, "uci.sh", text).display());
        let fault = events(&["--load-time", "1", "--init-time", "0.3", "--move-time", "0.3", &bot, &player("random")])
            .swap_remove(1);
        [fault["termination"].to_string(), fault["call"].to_string()].join(" ").replace('"', "")
    };
    assert_eq!(game("read -r hello; echo uciok; sleep 60\n"), "timeout initialize");
    assert_eq!(game("read -r hello; echo uciok; while :; do echo info string x; done\n"), "timeout initialize");
    assert_eq!(game("read -r hello; echo uciok; exit 4\n"), "exit initialize");
    assert_eq!(game("read -r hello; exit 0\n"), "exit load");
    assert_eq!(said("while :; do echo info depth 1; done")["termination"], "timeout");
    assert_eq!(said("kill -SEGV $$")["termination"], "crash");
}
