//! Games that end once counting proves who wins.

use amazons::record::Record;
use amazons::referee::{PlayerNumber, Termination};
use amazons_solve::counted_winner;

use super::{count_moves, limits, lines, read, refuted};
use crate::cli::{player, server};
use crate::referee::{Script, a_match, play};

/// The record of a game that is counted.
fn counted() -> Record {
    let mut game = a_match("q2q/4/4/Q2Q b", PlayerNumber::One, None);
    game.start.limits.as_mut().expect("limits").adjudicate = true;
    let (outcome, events, _) = play(&game, [Script::Honest; 2]);
    assert_eq!(outcome.termination, Termination::Counted);
    read(&lines(&events, &game.position)).expect("our own record")
}

#[test]
fn a_counted_game_is_proven_again() {
    let record = counted();
    let position = record.verify().expect("a true record");
    let winner = record.end.winner.expect("a winner");
    assert_eq!(
        counted_winner(&position).map(|color| color.to_string()),
        Some(record.start.players[winner].color.clone())
    );
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
    assert!(ran.last_line().contains("no region is shared"), "{}", ran.last_line());
    assert_eq!(server(["replay", "--quiet", &path("counted.jsonl")]).status, 0);
    for format in ["sgf", "pgn"] {
        let converted = path(&format!("counted.{format}"));
        assert_eq!(server(["convert", &path("counted.jsonl"), &converted]).status, 0);
        assert_eq!(server(["convert", &converted, &path(&format!("{format}.jsonl"))]).status, 0);
        let again = server(["replay", &path(&format!("{format}.jsonl"))]);
        assert!(again.status == 0 && again.out.contains("no region is shared"), "{}{}", again.out, again.err);
    }
    let check = server(["check", "--adjudicate", &random]);
    assert_eq!((check.status, check.err.lines().count()), (2, 1), "{}", check.err);
}
