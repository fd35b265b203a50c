//! Whole talks with players.

use std::path::PathBuf;

use amazons_protocol::Dialect;
use amazons_rules::{Board, Position, Shape};

use super::Engine;
use crate::support::{compile_c, player, server};

/// Prints each call, and always walks along the lowest rank from a1.
const WALKER: &str = r#"
#include <stdio.h>
#include "player.h"
static unsigned at;
char const *get_player_name(void) { return "walker"; }
void initialize(unsigned id, struct graph_t *graph, unsigned count, unsigned *queens[2]) {
    (void)graph; (void)count;
    at = queens[0][0];
    printf("initialize %u\n", id);
}
struct move_t play(struct move_t previous) {
    struct move_t mv = {at, at + 1, at};
    printf("play after %d\n", (int)previous.queen_src);
    at = at + 1;
    return mv;
}
void finalize(void) {}
"#;

#[test]
fn it_says_who_it_is_in_both_dialects_and_errors_end_nothing() {
    let mut engine = Engine::start(&player("random"), &[]);
    engine.say("nonsense");
    assert_eq!(engine.hear("error").0, "error unknown command 'nonsense'");
    engine.say("aep 7");
    let (ok, said) = engine.hear("aepok");
    assert_eq!((ok.as_str(), said[0].as_str()), ("aepok 1", "id name random"), "the newest version that both support");
    engine.say("setoption name Colour value red");
    assert_eq!(engine.hear("error").0, "error setoption: unknown option 'Colour'");
    engine.say("position fen 5/6 w");
    assert!(engine.hear("error").0.starts_with("error position fen: "));
    engine.say("go movetime 10");
    assert_eq!(engine.hear("error").0, "error go: the last position was none");
    assert_eq!(engine.hear("bestmove").0, "bestmove none", "each go has its answer");
    engine.say("position startpos");
    assert_eq!(engine.hear("error").0, "error position: expected start or fen, found 'startpos'", "it is UCI's");
    engine.say("position start c6");
    engine.say("go movetime soon");
    assert_eq!(engine.hear("error").0, "error go: expected milliseconds, found 'soon'");
    assert_eq!(engine.hear("bestmove").0, "bestmove none");
    engine.say("position start");
    engine.say("position start c6 moves a5-a5/a5");
    assert!(engine.hear("error").0.starts_with("error position: move 1 'a5-a5/a5': "));
    engine.say("uci");
    let (_, said) = engine.hear("uciok");
    assert!(said.iter().any(|line| line.starts_with("option name UCI_Variant type combo default amazons")), "{said:?}");
    engine.say("setoption name Hash value 16");
    assert_eq!(engine.hear("info").0, "info string error: setoption: unknown option 'Hash'");
    engine.say("setoption name UCI_Variant value chess");
    assert_eq!(engine.hear("info").0, "info string error: setoption UCI_Variant: expected amazons, found 'chess'");
    engine.say("isready");
    assert_eq!(engine.hear("readyok").1, Vec::<String>::new());
    assert_eq!(engine.end(), (Some(0), Vec::new()));
}

#[test]
fn what_was_asked_before_the_end_of_the_input_is_answered_and_quit_ends_at_once() {
    let mut engine = Engine::start(&player("champion"), &["-m", "6"]);
    engine.say("go movetime 300");
    let (status, lines) = engine.end();
    assert!(status == Some(0) && lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    let mut engine = Engine::start(&player("champion"), &["-m", "6"]);
    engine.say("go movetime 600000");
    engine.say("isready");
    engine.hear("readyok");
    engine.say("quit");
    let (status, lines) = engine.end();
    assert!(status == Some(0) && !lines.iter().any(|line| line.starts_with("bestmove ")), "{lines:?}");
    let mut engine = Engine::start(&player("champion"), &["-m", "6"]);
    for line in ["aep 1", "go movetime 600000", "quit"] {
        engine.say(line);
    }
    let (status, lines) = engine.end();
    assert!(
        status == Some(0) && lines.iter().any(|line| line == "aepok 1"),
        "but for moves, all is answered: {lines:?}"
    );
}

/// As in `printf 'go\nquit\n' | server engine ...`.
#[test]
fn a_short_go_is_answered_before_quit() {
    for go in ["go movetime 100", "go", "go wtime 1000 btime 1000", "go\nisready"] {
        let mut engine = Engine::start(&player("random"), &["-m", "6"]);
        engine.say(&format!("aep 1\n{go}\nquit"));
        let (status, lines) = engine.end();
        assert!(status == Some(0) && lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {lines:?}");
    }
}

#[test]
fn what_is_echoed_is_escaped() {
    let mut engine = Engine::start(&player("random"), &["-m", "6"]);
    for (line, answer) in [
        ("\u{1b}[2Jx", "error unknown command '\\u{1b}[2Jx'"),
        ("setoption name \u{1b}[2J", "error setoption: unknown option '\\u{1b}[2J'"),
        ("position start \u{9b}7m", "error position start: "),
        ("go movetime \u{202e}", "error go: "),
        ("position start c6 moves \u{7}", "error position: move 1 '\\u{7}': "),
    ] {
        engine.say(line);
        let said = engine.hear("error").0;
        assert!(said.starts_with(answer) && said.is_ascii() && !said.contains('\u{7}'), "{said:?}");
    }
    assert_eq!(engine.end().0, Some(0));
}

#[test]
fn two_players_play_a_whole_game_through_it_on_every_shape() {
    for (name, shape) in
        [("c6", Shape::Square), ("d6", Shape::Donut), ("t6", Shape::Clover), ("86", Shape::FigureEight)]
    {
        let mut engines =
            [Engine::start(&player("random"), &["--seed", "3"]), Engine::start(&player("c_mobility"), &[])];
        let mut position = Position::start(Board::new(shape, 6).expect("a board").into());
        let mut moves: Vec<String> = Vec::new();
        while position.has_moves() {
            let engine = &mut engines[moves.len() % 2];
            let (text, _) = engine.go(&format!("position start {name} moves {}", moves.join(" ")), "go movetime 2000");
            let mv = position.board().parse_move(&text).expect("a move");
            position.try_play(mv).expect("a legal move");
            moves.push(text);
        }
        let (none, _) = engines[moves.len() % 2].go(&format!("position fen {position}"), "go movetime 100");
        assert_eq!(none, "none", "who is blocked has no move");
    }
}

#[test]
fn uci_is_spoken_on_the_standard_board() {
    let mut engine = Engine::start(&player("c_mobility"), &[]);
    engine.say("uci");
    engine.hear("uciok");
    engine.say("ucinewgame");
    let (text, said) = engine.go("position startpos moves d1d7,d7g7", "go wtime 60000 btime 60000 winc 100 binc 100");
    let mut position = Position::standard();
    let board = std::sync::Arc::clone(position.board());
    position.try_play(board.parse_move("d1d7,d7g7").expect("a move")).expect("legal");
    let mv = board.parse_move(&text).expect("a move");
    assert!(position.is_legal(mv).is_ok() && text == Dialect::Uci.move_text(&board, mv), "{text}");
    assert!(said.iter().all(|line| line.starts_with("info ")), "{said:?}");
}

/// The walker's output.
fn calls(said: &[String]) -> Vec<&str> {
    said.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
}

#[test]
fn a_player_goes_on_where_a_position_follows_and_starts_anew_elsewhere() {
    let (_folder, walker) = compile_c(WALKER, &[]);
    let mut engine = Engine::start(&walker, &[]);
    let start = "position fen q5/6/6/6/6/Q5 w";
    let go = "go movetime 1000";
    let (first, said) = engine.go(start, go);
    assert_eq!((first.as_str(), calls(&said)), ("a1-b1/a1", vec!["initialize 0", "play after -1"]));
    let (second, said) = engine.go(&format!("{start} moves a1-b1/a1 a6-a5/a6"), go);
    assert_eq!((second.as_str(), calls(&said)), ("b1-c1/b1", vec!["play after 0"]), "it goes on");
    let third = "position fen *5/*5/q5/6/6/**Q3 w";
    let (third, said) = engine.go(third, go);
    assert_eq!(
        (third.as_str(), calls(&said)),
        ("c1-d1/c1", vec!["play after 6"]),
        "the move is seen without being told"
    );
    let (again, said) = engine.go(start, go);
    assert_eq!((again.as_str(), calls(&said)), ("a1-b1/a1", vec!["initialize 0", "play after -1"]), "another game");
    let next = format!("{start} moves a1-b1/a1 a6-a5/a6");
    let (_, said) = engine.go(&next, "go movetime 900");
    assert_eq!(calls(&said), ["initialize 0", "play after -1"], "it learns its time when it starts");
    let clock = "go wtime 10000 btime 10000 winc 50 binc 50";
    let (_, said) = engine.go(start, clock);
    assert_eq!(calls(&said).len(), 2);
    let (_, said) = engine.go(&next, "go wtime 9900 btime 10000 winc 50 binc 50");
    assert_eq!(calls(&said), ["play after 0"], "clocks that agree go on");
    let after = format!("{next} b1-c1/b1 a5-a4/a5");
    let (_, said) = engine.go(&after, "go wtime 5000 btime 10000 winc 50 binc 50");
    assert_eq!(calls(&said).len(), 2, "its own clock shows twice as much, so it is told anew: {said:?}");
    engine.say("newgame");
    let (_, said) = engine.go(&next, clock);
    assert_eq!(calls(&said).len(), 2);
}

#[test]
fn a_player_that_fails_is_complained_about_and_started_again() {
    let (_folder, walker) = compile_c(WALKER, &[]);
    let mut engine = Engine::start(&walker, &[]);
    let (none, said) = engine.go("position fen q5/6/6/6/6/Q4Q w", "go movetime 1000");
    let queens = "error 1 black and 2 white queens: both sides need the same number, at least one";
    assert_eq!((none.as_str(), said), ("none", vec![queens.to_owned()]));
    let (none, said) = engine.go("position fen q5/6/6/6/6/Q*4 w", "go movetime 1000");
    let last = said.last().expect("a line");
    assert!(none == "none" && last.starts_with("error the player failed: illegal move: a1-b1/a1: "), "{said:?}");
    let (fine, _) = engine.go("position fen q5/6/6/6/6/Q5 w", "go movetime 1000");
    assert_eq!(fine, "a1-b1/a1");
}

#[test]
fn a_player_too_slow_loses_its_move_and_stop_does_not_confuse() {
    let slow =
        WALKER.replace("printf(\"play after", "if (previous.queen_src == UINT_MAX) for (;;) {} printf(\"play after");
    let slow = format!("#include <limits.h>\n{slow}");
    let (_folder, slow) = compile_c(&slow, &[]);
    let mut engine = Engine::start(&slow, &[]);
    engine.say("position fen q5/6/6/6/6/Q5 w");
    engine.say("go movetime 200");
    engine.say("go movetime 200");
    assert!(engine.hear("error").0.starts_with("error go: wait for bestmove"));
    engine.say("stop");
    let (best, said) = engine.hear("bestmove");
    assert!(best == "bestmove none" && said.iter().any(|line| line.contains("timeout in play")), "{said:?}");
}

#[test]
fn what_is_no_player_is_refused_in_one_line() {
    let refused = |file: PathBuf| {
        let ran = std::process::Command::new(server()).arg("engine").arg(file).output().expect("the server can be run");
        (ran.status.code(), String::from_utf8(ran.stderr).expect("text"))
    };
    let (status, line) = refused("/dev/null".into());
    assert_eq!(
        (status, line.as_str()),
        (Some(2), "server: /dev/null is not a shared library: it is a device or a pipe\n")
    );
    let (status, line) = refused("/nonexistent.so".into());
    assert!(status == Some(2) && line.starts_with("server: cannot read /nonexistent.so: "), "{line}");
}
