//! Games that end before a player is blocked: counting proves who wins, or both players say so.

use amazons::record::Record;
use amazons::referee::{PlayerNumber, Termination};
use amazons_solve::counted_winner;

use super::{count_moves, limits, lines, move_of, read, refuted};
use crate::cli::{player, server};
use crate::referee::{Script, a_match, play};

/// The record of a game that is counted.
fn counted() -> Record {
    let mut game = a_match("q2q/4/4/Q2Q b", PlayerNumber::One, None);
    game.start.limits.as_mut().expect("limits").adjudicate = true;
    game.rules = game.start.rules();
    let (outcome, events, _) = play(&game, [Script::Honest; 2]);
    assert_eq!(outcome.termination, Termination::Counted);
    read(&lines(&events, &game.position)).expect("our own record")
}

#[test]
fn a_counted_game_is_proven_again() {
    let record = counted();
    let position = record.verify().expect("a true record");
    let winner = record.end.winner.expect("a winner");
    assert_eq!(counted_winner(&position), Some(record.start.players[winner].color));
    assert!(position.has_moves() && count_moves(&record) > 0, "the players could have gone on");
    let (whole, ..) = play(&a_match("q2q/4/4/Q2Q b", PlayerNumber::One, None), [Script::Honest; 2]);
    assert!(whole.moves > record.end.moves);
}

#[test]
fn counting_is_never_taken_on_trust() {
    let other = refuted(counted(), |record| record.end.winner = record.end.winner.map(PlayerNumber::opponent));
    assert!(other.to_string().contains("is recorded as winner"), "{other}");
    let unasked = refuted(counted(), |record| limits(record).adjudicate = false);
    assert_eq!(unasked.to_string(), "end: counting does not decide the game here");
    let game = a_match("q2q/4/4/Q2Q b", PlayerNumber::One, None);
    let (_, events, _) = play(&game, [Script::Honest; 2]);
    let whole = read(&lines(&events, &game.position)).expect("our own record");
    let late = refuted(whole, |record| limits(record).adjudicate = true);
    assert!(late.to_string().contains("counting had decided the game"), "{late}");
    let limit = refuted(counted(), |record| {
        limits(record).max_moves = Some(record.end.moves);
        (record.end.winner, record.end.termination) = (None, Some(Termination::MaxMoves));
    });
    assert_eq!(limit.to_string(), "end: counting had decided the game");
}

/// The record of a game whose players tell these chances to win, and one of them resigns at 95 %.
fn told(chances: [f64; 2]) -> Record {
    let mut game = a_match("q3q/5/5/5/Q3Q b", PlayerNumber::One, None);
    game.start.limits.as_mut().expect("limits").resign = Some(95);
    game.rules = game.start.rules();
    let (_, events, _) = play(&game, chances.map(Script::Tells));
    read(&lines(&events, &game.position)).expect("our own record")
}

#[test]
fn players_that_agree_end_the_game() {
    let record = told([0.04, 0.95]);
    record.verify().expect("a true record");
    let end = &record.end;
    assert_eq!((end.winner, end.termination, end.moves), (Some(PlayerNumber::Two), Some(Termination::Resign), 6));
    for chances in [[0.06, 0.95], [0.95, 0.95], [0.04, 0.94], [f64::NAN, 0.99]] {
        let record = told(chances);
        record.verify().expect("a true record");
        assert_eq!(record.end.termination, Some(Termination::NoMoves), "{chances:?}");
    }
}

#[test]
fn agreement_is_never_taken_on_trust() {
    let agreed = || told([1.0, 0.0]);
    let unsure = refuted(agreed(), |record| move_of(record, 2).value = Some(0.5));
    assert!(unsure.to_string().contains("which cannot resign"), "{unsure}");
    let unasked = refuted(agreed(), |record| limits(record).resign = None);
    assert!(unasked.to_string().contains("which cannot resign"), "{unasked}");
    let other = refuted(agreed(), |record| record.end.winner = record.end.winner.map(PlayerNumber::opponent));
    assert!(other.to_string().contains("is recorded as winner"), "{other}");
    let late = refuted(told([0.94, 0.06]), |record| limits(record).resign = Some(90));
    assert_eq!(late.to_string(), "move 7: the players' values had decided the game");
}

#[test]
fn the_server_counts_games_when_asked_to() {
    let (folder, random) = (tempfile::tempdir().expect("a folder"), player("random"));
    let path = |name: &str| folder.path().join(name).display().to_string();
    let game = |name: &str, options: &[&str]| {
        let record = path(name);
        let ran = server(["-m", "6", "--seed", "1", "--record", &record, &random, &random].iter().chain(options));
        assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
        (ran, Record::read(&*std::fs::read(&record).expect("a record")).expect("a record"))
    };
    let (_, whole) = game("whole.jsonl", &[]);
    let (ran, counted) = game("counted.jsonl", &["--adjudicate"]);
    assert_eq!(counted.end.termination, Some(Termination::Counted));
    assert!(counted.end.moves < whole.end.moves);
    assert!(ran.last_line().contains("has fewer moves left"), "{}", ran.last_line());
    assert_eq!(server(["replay", "--quiet", &path("counted.jsonl")]).status, 0);
    for format in ["sgf", "pgn"] {
        let converted = path(&format!("counted.{format}"));
        assert_eq!(server(["convert", &path("counted.jsonl"), &converted]).status, 0);
        assert_eq!(server(["convert", &converted, &path(&format!("{format}.jsonl"))]).status, 0);
        let again = server(["replay", &path(&format!("{format}.jsonl"))]);
        assert!(again.status == 0 && again.out.contains("has fewer moves left"), "{}{}", again.out, again.err);
    }
    let check = server(["check", "--adjudicate", &random]);
    assert_eq!((check.status, check.err.lines().count()), (2, 1), "{}", check.err);
}
