use amazons::record::{Record, ReplayError};
use amazons::referee::{Call, EndEvent, PlayerNumber, Termination};
use amazons_rules::Move;

use super::{read, written};
use crate::referee::Script;

fn honest() -> Record {
    read(&written([Script::Honest; 2], None)).expect("our own record")
}

/// Changes a record and returns why it does not verify any more.
fn refuted(mut record: Record, change: impl FnOnce(&mut Record)) -> ReplayError {
    assert!(record.verify().is_ok());
    change(&mut record);
    record.verify().expect_err("a false record")
}

#[test]
fn every_ending_verifies() {
    let illegal = Script::Answers(2, Move { from: 0, to: 0, arrow: 0 });
    let failing = |call| Script::Fails(call, 1, Termination::Crash);
    for (scripts, max_moves) in [
        ([Script::Honest; 2], None),
        ([Script::Honest; 2], Some(2)),
        ([illegal, Script::Honest], None),
        ([Script::Honest, illegal], None),
        ([failing(Call::Load), Script::Honest], None),
        ([failing(Call::Load), failing(Call::Name)], None),
        ([failing(Call::Initialize), failing(Call::Load)], None),
        ([Script::Honest, failing(Call::Play)], None),
        ([failing(Call::Finalize), failing(Call::Finalize)], None),
        ([Script::HostFails(Call::Play, 2), Script::Honest], None),
    ] {
        let record = read(&written(scripts, max_moves)).expect("our own record");
        let position = record.verify().unwrap_or_else(|error| panic!("{scripts:?}: {error}"));
        assert_eq!(position.to_string(), record.end.position);
    }
}

#[test]
fn false_starts_are_refuted() {
    assert!(matches!(refuted(honest(), |record| record.start.board.shape = Some('z')), ReplayError::Shape(_)));
    assert!(matches!(refuted(honest(), |record| record.start.board.rows = 0), ReplayError::Board(_)));
    assert!(matches!(refuted(honest(), |record| record.start.position = "x".to_owned()), ReplayError::Position(_)));
    assert_eq!(refuted(honest(), |record| record.start.board.holes.push(3)), ReplayError::Start("holes"));
    assert_eq!(refuted(honest(), |record| record.start.queens.black[0] += 1), ReplayError::Start("queens"));
    let colors = refuted(honest(), |record| record.start.first = PlayerNumber::Two);
    assert_eq!(colors, ReplayError::Start("colours of the players"));
    let shape = refuted(honest(), |record| (record.start.board.shape, record.start.board.rows) = (Some('c'), 9));
    assert_eq!(shape, ReplayError::Start("columns and rows"));
}

#[test]
fn false_moves_are_refuted() {
    let turn = refuted(honest(), |record| record.moves[1].player = PlayerNumber::One);
    assert!(matches!(turn, ReplayError::Turn { ply: 2, found_player: PlayerNumber::One, .. }));
    let count = refuted(honest(), |record| record.moves[1].ply = 9);
    assert!(matches!(count, ReplayError::Turn { ply: 2, found_ply: 9, .. }));
    let text = refuted(honest(), |record| record.moves[0].text.push('x'));
    assert!(matches!(text, ReplayError::MoveText { ply: 1, .. }));
    let illegal = refuted(honest(), |record| {
        let first = record.moves[0].clone();
        record.moves[2] = amazons::referee::MoveEvent { ply: 3, ..first };
    });
    assert!(matches!(illegal, ReplayError::Illegal { ply: 3, .. }));
}

#[test]
fn false_ends_are_refuted() {
    let reason = |error| match error {
        ReplayError::Ending(reason) => reason,
        other => panic!("{other}"),
    };
    let changed = |change: fn(&mut EndEvent)| reason(refuted(honest(), |record| change(&mut record.end)));
    assert!(changed(|end| end.moves += 1).contains("moves are counted"));
    assert!(changed(|end| end.hash = "0".repeat(64)).contains("its hash"));
    assert!(changed(|end| end.position.push(' ')).contains("the final position is"));
    assert!(changed(|end| end.winner = end.winner.map(PlayerNumber::opponent)).contains("is recorded as winner"));
    assert!(changed(|end| end.winner = None).contains("nobody is recorded as winner"));
    assert_eq!(changed(|end| end.termination = Termination::MaxMoves), "the player to move is blocked");
    assert_eq!(changed(|end| end.termination = Termination::Crash), "no fault explains the ending 'crash'");
    let unfinished = reason(refuted(honest(), |record| {
        record.moves.pop();
        let position = record.moves.iter().fold(record.starting_position().expect("a position"), |mut position, mv| {
            position.play_unchecked(mv.played());
            position
        });
        record.end.moves -= 1;
        record.end.position = position.to_string();
        record.end.hash = EndEvent::hash_of(&record.end.position);
    }));
    assert_eq!(unfinished, "the player to move is not blocked");
    let limited = read(&written([Script::Honest; 2], Some(2))).expect("our own record");
    let limit = reason(refuted(limited, |record| record.start.limits.max_moves = Some(3)));
    assert_eq!(limit, "the move limit is not 2");
}

#[test]
fn false_faults_are_refuted() {
    let illegal = || {
        let answer = Script::Answers(1, Move { from: 0, to: 0, arrow: 0 });
        read(&written([answer, Script::Honest], None)).expect("our own record")
    };
    let reason = |error| match error {
        ReplayError::Fault { reason, .. } => reason,
        other => panic!("{other}"),
    };
    assert_eq!(reason(refuted(illegal(), |record| record.faults[0].answer = Some([0, 1, 0]))), "the move is legal");
    assert_eq!(reason(refuted(illegal(), |record| record.faults[0].answer = None)), "the illegal move is missing");
    let wrong_player = refuted(illegal(), |record| record.faults[0].player = PlayerNumber::Two);
    assert_eq!(reason(wrong_player), "the other player was to move");
    let nobody = refuted(illegal(), |record| record.faults[0].termination = Termination::NoMoves);
    assert_eq!(reason(nobody), "this ending is nobody's fault");
}
