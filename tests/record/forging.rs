//! Records that the referee never writes, though each of their lines could be in one.

use amazons::record::{Record, Step};
use amazons::referee::{Call, EndEvent, FaultEvent, Interference, PlayerNumber, Termination};

use super::{count_moves, fault_of, honest, limits, recorded, refuted};
use crate::referee::Script;

const ONE: PlayerNumber = PlayerNumber::One;
const TWO: PlayerNumber = PlayerNumber::Two;

/// A game that a fault of player 1 in its second `play` decides, so after two moves.
fn timed_out() -> Record {
    recorded([Script::Fails(Call::Play, 2, Termination::Timeout), Script::Honest], None)
}

fn failing(player: PlayerNumber, call: Call) -> Record {
    let mut scripts = [Script::Honest; 2];
    scripts[player] = Script::Fails(call, 1, Termination::Timeout);
    recorded(scripts, Some(2))
}

/// A fault at the end of a record's moves.
fn fault(record: &Record, player: PlayerNumber, call: Call) -> Step {
    let mut fault = fault_of(&mut timed_out()).clone();
    fault.ply = (call == Call::Play).then_some(record.end.moves + 1);
    Step::Fault(FaultEvent { player, call, position: record.end.position.clone(), ..fault })
}

fn push(record: &mut Record, player: PlayerNumber, call: Call) {
    let fault = fault(record, player, call);
    record.steps.push(fault);
}

fn decide(record: &mut Record, winner: Option<PlayerNumber>) {
    (record.end.winner, record.end.termination) = (winner, Some(Termination::Timeout));
}

fn void(record: &mut Record) {
    record.end = EndEvent {
        winner: None,
        termination: Some(Termination::Void),
        detail: Some("the server failed".to_owned()),
        ..record.end.clone()
    };
}

fn check(original: Record, change: impl FnOnce(&mut Record), expected: &str) {
    let error = refuted(original, change).to_string();
    assert!(error.contains(expected), "'{error}' does not say '{expected}'");
}

#[test]
fn a_play_fault_belongs_to_whoever_was_asked_to_move() {
    type Change = fn(&mut FaultEvent);
    for (change, expected) in [
        ((|fault| fault.player = TWO) as Change, "the other player was to move"),
        (|fault| (fault.player, fault.ply) = (TWO, None), "the other player was to move"),
        (|fault| fault.ply = Some(99), "the ply is not the one to be played"),
        (|fault| fault.ply = None, "the ply is not the one to be played"),
        (|fault| fault.position = "nonsense".to_owned(), "the position is not that of the game"),
        (|fault| fault.call = Call::Load, "this call comes before the first move"),
    ] {
        check(timed_out(), |record| change(fault_of(record)), expected);
    }
    let limited = |record: &mut Record| limits(record).max_moves = Some(2);
    check(timed_out(), limited, "the move limit was reached");
    for (record, expected) in [(honest(), "is blocked"), (recorded([Script::Honest; 2], Some(2)), "the move limit")] {
        let to_move = if count_moves(&record).is_multiple_of(2) { ONE } else { TWO };
        check(record, |record| push(record, to_move, Call::Play), expected);
    }
}

#[test]
fn a_fault_is_what_its_evidence_says() {
    use Termination::{Crash, Exit, IllegalMove, LoadError, MaxMoves, NoMoves, ProtocolError, Violation, Void};
    let change = |termination, answer, signal, exit_code| {
        move |record: &mut Record| {
            let fault = fault_of(record);
            (fault.termination, fault.answer) = (termination, answer);
            (fault.signal, fault.exit_code) = (signal, exit_code);
            record.end.termination = Some(termination);
        }
    };
    for (termination, answer, signal, exit_code, expected) in [
        (NoMoves, None, None, None, "not a player's fault"),
        (MaxMoves, None, None, None, "not a player's fault"),
        (Void, None, None, None, "not a player's fault"),
        (IllegalMove, None, None, None, "the illegal move is missing"),
        (IllegalMove, Some([0, 0, 0]), Some(9), None, "still running"),
        (LoadError, None, None, None, "it had been loaded"),
        (Crash, None, None, None, "the signal of the crash is missing"),
        (Exit, None, Some(9), None, "the status of the exit is missing"),
        (Crash, None, Some(9), Some(1), "either a signal or a status"),
        (Crash, None, Some(0), None, "no process ends like that"),
        (Crash, None, Some(65), None, "no process ends like that"),
        (Exit, None, None, Some(-1), "no process ends like that"),
        (Exit, None, None, Some(256), "no process ends like that"),
        (Termination::Timeout, Some([0, 0, 0]), None, None, "only an illegal move"),
        (ProtocolError, Some([0, 0, 0]), None, None, "only an illegal move"),
        (Violation, Some([0, 0, 0]), None, None, "only an illegal move"),
    ] {
        check(timed_out(), change(termination, answer, signal, exit_code), expected);
    }
    let blames_the_machine = |record: &mut Record| {
        let fault = fault_of(record);
        (fault.termination, fault.machine) = (ProtocolError, Some(Interference::default()));
        record.end.termination = Some(ProtocolError);
    };
    check(timed_out(), blames_the_machine, "belongs to a fault of time");
    let mut record = timed_out();
    fault_of(&mut record).machine = Some(Interference::default());
    record.verify().expect("a fault of time may have been the machine's doing");
    for (termination, answer, signal, exit_code) in [
        (IllegalMove, Some([0, 0, 0]), None, None),
        (Crash, None, Some(11), None),
        (Exit, None, None, Some(0)),
        (ProtocolError, None, None, None),
        (ProtocolError, None, None, Some(64)),
    ] {
        let mut record = timed_out();
        change(termination, answer, signal, exit_code)(&mut record);
        record.verify().unwrap_or_else(|error| panic!("{termination}: {error}"));
    }
    let illegal = |record: &mut Record| {
        let fault = fault_of(record);
        (fault.termination, fault.answer) = (IllegalMove, Some([0, 0, 0]));
    };
    check(failing(ONE, Call::Load), illegal, "only an answer of play");
    check(failing(ONE, Call::Finalize), illegal, "only an answer of play");
}

#[test]
fn one_fault_decides_a_game() {
    check(timed_out(), |record| push(record, ONE, Call::Play), "a fault had decided the game");
    check(timed_out(), |record| push(record, TWO, Call::Initialize), "this call comes before the first move");
    check(timed_out(), |record| record.steps.swap(1, 2), "the other player was to move");
    let moved_on = |record: &mut Record| record.steps.push(honest().steps[2].clone());
    check(timed_out(), moved_on, "move 3: a fault had decided the game");
    check(timed_out(), |record| record.end.winner = None, "nobody is recorded as winner");
    check(timed_out(), |record| record.end.termination = Some(Termination::NoMoves), "had decided the game before");
    check(timed_out(), |record| record.end.termination = Some(Termination::MaxMoves), "had decided the game before");
    check(timed_out(), |record| record.end.termination = Some(Termination::Exit), "no fault explains");
    check(failing(ONE, Call::Finalize), |record| decide(record, Some(TWO)), "no fault explains");
}

#[test]
fn players_are_prepared_in_their_order() {
    let both = |first, second| {
        let fails = |call| Script::Fails(call, 1, Termination::Timeout);
        recorded([fails(first), fails(second)], None)
    };
    let early = "before that of the other player's fault";
    check(both(Call::Load, Call::Load), |record| record.steps.swap(0, 1), early);
    check(both(Call::Name, Call::Initialize), |record| record.steps.swap(0, 1), early);
    check(both(Call::Initialize, Call::Load), |record| record.steps.swap(0, 1), early);
    check(both(Call::Load, Call::Name), |record| fault_of(record).player = TWO, "it had failed before");
    check(both(Call::Load, Call::Load), |record| push(record, ONE, Call::Name), "both players had failed");
    check(both(Call::Load, Call::Load), void, "no call was left");
    check(both(Call::Load, Call::Load), |record| push(record, ONE, Call::Play), "a fault had decided the game");
    check(failing(ONE, Call::Name), |record| record.start.players[ONE].name = Some("x".to_owned()), "told its name");
    let unnamed = |record: &mut Record| {
        record.start.players[TWO].name = None;
        push(record, TWO, Call::Name);
    };
    check(failing(ONE, Call::Play), unnamed, "a fault had decided the game");
}

#[test]
fn finalize_comes_last_and_once() {
    let once = "players are finalised once, player 1 before player 2";
    check(failing(TWO, Call::Finalize), |record| push(record, TWO, Call::Finalize), once);
    check(failing(TWO, Call::Finalize), |record| push(record, ONE, Call::Finalize), once);
    for call in [Call::Load, Call::Initialize, Call::Name, Call::Play] {
        check(failing(ONE, call), |record| push(record, ONE, Call::Finalize), "gone before it could be finalised");
        let mut other = failing(ONE, call);
        push(&mut other, TWO, Call::Finalize);
        other.verify().expect("the other player is finalised");
    }
    let early = |record: &mut Record| record.steps.swap(1, 2);
    check(failing(ONE, Call::Finalize), early, "the position is not that of the game");
    let before = |record: &mut Record| {
        early(record);
        let Step::Fault(fault) = &mut record.steps[1] else { panic!("{:?}", record.steps) };
        fault.position = position_after_one_move();
    };
    check(failing(ONE, Call::Finalize), before, "move 2: the players had been finalised");
    let then_play = |record: &mut Record| {
        limits(record).max_moves = None;
        push(record, ONE, Call::Play);
    };
    check(failing(ONE, Call::Finalize), then_play, "the players had been finalised");
}

fn position_after_one_move() -> String {
    recorded([Script::Honest; 2], Some(1)).end.position
}

#[test]
fn the_move_limit_stops_the_game() {
    check(honest(), |record| limits(record).max_moves = Some(3), "move 4: the move limit was reached");
    let limited = |max_moves| recorded([Script::Honest; 2], Some(max_moves));
    check(limited(0), |record| limits(record).max_moves = None, "the move limit is not 0");
    check(limited(2), |record| record.end.winner = Some(ONE), "player 1 is recorded as winner, it is nobody");
}

#[test]
fn a_void_game_has_a_detail_and_no_winner() {
    let void_game = || recorded([Script::HostFails(Call::Play, 2), Script::Honest], None);
    check(void_game(), |record| record.end.detail = None, "a void game needs a detail");
    check(void_game(), |record| record.end.winner = Some(ONE), "it is nobody");
    check(void_game(), charge_a_legal_move, "the move is legal");
    for mut record in [honest(), timed_out(), recorded([Script::Honest; 2], Some(2)), failing(ONE, Call::Load)] {
        void(&mut record);
        record.verify().expect("the server may fail in finalize");
    }
    let both = Script::Fails(Call::Finalize, 1, Termination::Timeout);
    check(recorded([both; 2], Some(2)), void, "no call was left");
}

fn charge_a_legal_move(record: &mut Record) {
    push(record, ONE, Call::Play);
    let fault = fault_of(record);
    (fault.termination, fault.answer) = (Termination::IllegalMove, Some([0, 0, 0]));
    record.verify().expect("an illegal move may come before the server fails");
    let legal = honest().steps[2].clone();
    let Step::Move(mv) = legal else { panic!("{legal:?}") };
    fault_of(record).answer = Some([mv.from, mv.to, mv.arrow]);
}
