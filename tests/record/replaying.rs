use amazons::record::{ReplayError, Step};
use amazons::referee::{Call, EndEvent, PlayerNumber, QueensEvent, StartEvent, Termination};
use amazons_rules::Move;

use super::{fault_of, honest, limits, move_of, recorded, refuted};
use crate::referee::Script;

#[test]
fn every_ending_verifies() {
    let illegal = Script::Answers(2, Move { from: 0, to: 0, arrow: 0 });
    let failing = |call| Script::Fails(call, 1, Termination::Timeout);
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
        ([failing(Call::Name), failing(Call::Initialize)], None),
        ([failing(Call::Load), failing(Call::Finalize)], None),
        ([failing(Call::Play), failing(Call::Finalize)], None),
        ([failing(Call::Finalize), illegal], None),
        ([Script::HostFails(Call::Load, 1), Script::Honest], None),
        ([failing(Call::Load), Script::HostFails(Call::Name, 1)], None),
        ([Script::HostFails(Call::Play, 2), Script::Honest], None),
        ([Script::HostFails(Call::Play, 2), failing(Call::Finalize)], None),
        ([illegal, Script::HostFails(Call::Finalize, 1)], None),
        ([Script::HostFails(Call::Finalize, 1), failing(Call::Play)], None),
        ([failing(Call::Finalize), Script::HostFails(Call::Finalize, 1)], Some(0)),
    ] {
        let record = recorded(scripts, max_moves);
        let position = record.verify().unwrap_or_else(|error| panic!("{scripts:?}: {error}"));
        assert_eq!(position.to_string(), record.end.position);
    }
}

#[test]
fn false_starts_are_refuted() {
    assert!(matches!(refuted(honest(), |record| record.start.board.shape = Some('z')), ReplayError::Shape(_)));
    assert!(matches!(refuted(honest(), |record| record.start.board.rows = 0), ReplayError::Board(_)));
    assert!(matches!(refuted(honest(), |record| record.start.position = "x".to_owned()), ReplayError::Position(_)));
    let reason = |change: fn(&mut StartEvent)| match refuted(honest(), |record| change(&mut record.start)) {
        ReplayError::Start(reason) => reason,
        other => panic!("{other}"),
    };
    assert!(reason(|start| start.board.holes.push(3)).contains("the holes"));
    assert!(reason(|start| start.queens.black[0] += 1).contains("the queens"));
    assert!(reason(|start| start.first = PlayerNumber::Two).contains("the colours"));
    assert!(reason(|start| (start.board.shape, start.board.rows) = (Some('c'), 9)).contains("as many columns as rows"));
    assert!(reason(|start| start.players[1].directions = Some("compass".to_owned())).contains("the directions"));
    for text in ["q2q/4/4/Q2Q b", "q2q/4/4/Q2Q b - - 7 1", "q2q/4/4/Q2Q B - - 0 1", " q2q/4/4/Q2Q b - - 0 1"] {
        let spelled = refuted(honest(), |record| record.start.position = text.to_owned());
        assert!(spelled.to_string().contains("not spelled"), "{text}: {spelled}");
    }
    for (text, black, white) in [("q2q/4/4/Q3 b", vec![0, 3], vec![12]), ("4/4/4/4 b", vec![], vec![])] {
        let unequal = refuted(honest(), |record| {
            record.start.position = text.to_owned();
            record.start.queens = QueensEvent { black, white };
        });
        assert!(unequal.to_string().contains("equally many queens"), "{unequal}");
    }
}

#[test]
fn false_moves_are_refuted() {
    let turn = refuted(honest(), |record| move_of(record, 1).player = PlayerNumber::One);
    assert!(matches!(turn, ReplayError::Turn { ply: 2, found_player: PlayerNumber::One, .. }));
    let count = refuted(honest(), |record| move_of(record, 1).ply = 9);
    assert!(matches!(count, ReplayError::Turn { ply: 2, found_ply: 9, .. }));
    let text = refuted(honest(), |record| move_of(record, 0).text.push('x'));
    assert!(matches!(text, ReplayError::MoveText { ply: 1, .. }));
    let illegal = refuted(honest(), |record| {
        let first = move_of(record, 0).clone();
        *move_of(record, 2) = amazons::referee::MoveEvent { ply: 3, ..first };
    });
    assert!(matches!(illegal, ReplayError::Illegal { ply: 3, .. }));
}

#[test]
fn false_ends_are_refuted() {
    let reason = |error: ReplayError| match error.to_string().strip_prefix("end: ") {
        Some(reason) => reason.to_owned(),
        None => panic!("{error}"),
    };
    let changed = |change: fn(&mut EndEvent)| reason(refuted(honest(), |record| change(&mut record.end)));
    assert!(changed(|end| end.moves += 1).contains("moves are counted"));
    assert!(changed(|end| end.hash = "0".repeat(64)).contains("its hash"));
    assert!(changed(|end| end.position.push(' ')).contains("the final position is"));
    assert!(changed(|end| end.winner = end.winner.map(PlayerNumber::opponent)).contains("is recorded as winner"));
    assert!(changed(|end| end.winner = None).contains("nobody is recorded as winner"));
    assert_eq!(changed(|end| end.termination = Some(Termination::MaxMoves)), "the player to move is blocked");
    assert_eq!(changed(|end| end.termination = Some(Termination::Crash)), "no fault explains the ending 'crash'");
    let detail = "a void game needs a detail, no other has one";
    assert_eq!(changed(|end| end.detail = Some("x".to_owned())), detail);
    assert_eq!(changed(|end| end.termination = Some(Termination::Void)), detail);
    let unfinished = reason(refuted(honest(), |record| {
        record.steps.pop();
        let mut position = record.starting_position().expect("a position");
        for step in &record.steps {
            let Step::Move(mv) = step else { panic!("{step:?}") };
            position.play_unchecked(mv.played());
        }
        record.end.moves -= 1;
        record.end.position = position.to_string();
        record.end.hash = EndEvent::hash_of(&record.end.position);
    }));
    assert_eq!(unfinished, "the player to move is not blocked");
    let limited = recorded([Script::Honest; 2], Some(2));
    let limit = reason(refuted(limited, |record| limits(record).max_moves = Some(3)));
    assert_eq!(limit, "the move limit is not 2");
}

#[test]
fn false_faults_are_refuted() {
    let illegal = || {
        let answer = Script::Answers(1, Move { from: 0, to: 0, arrow: 0 });
        recorded([answer, Script::Honest], None)
    };
    let reason = |error| match error {
        ReplayError::Fault { reason, .. } => reason,
        other => panic!("{other}"),
    };
    assert_eq!(reason(refuted(illegal(), |record| fault_of(record).answer = Some([0, 1, 0]))), "the move is legal");
    assert_eq!(reason(refuted(illegal(), |record| fault_of(record).answer = None)), "the illegal move is missing");
    let wrong_player = refuted(illegal(), |record| fault_of(record).player = PlayerNumber::Two);
    assert_eq!(reason(wrong_player), "the other player was to move");
    let nobody = refuted(illegal(), |record| fault_of(record).termination = Termination::NoMoves);
    assert_eq!(reason(nobody), "this ending is not a player's fault");
}
