use amazons::referee::{Call, Cause, EndEvent, Event, FaultEvent, Outcome, PlayerNumber, Termination, Void, play_game};
use amazons_rules::{Move, MoveList};

use super::{Collected, Script, Scripted, a_match, play};

const BOARD: &str = "q2q/4/4/Q2Q b";

fn faults(events: &[Event]) -> Vec<&FaultEvent> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Fault(fault) => Some(fault),
            _ => None,
        })
        .collect()
}

fn end(events: &[Event]) -> &EndEvent {
    match events.last() {
        Some(Event::End(end)) => end,
        other => panic!("the last event is {other:?}"),
    }
}

fn assert_verdict(outcome: &Outcome, events: &[Event], winner: Option<PlayerNumber>, termination: Termination) {
    assert_eq!((outcome.winner, outcome.termination), (winner, termination));
    assert_eq!((end(events).winner, end(events).termination), (winner, Some(termination)));
    assert_eq!(end(events).moves, outcome.moves);
    assert_eq!(end(events).position, outcome.position.to_string());
}

#[test]
fn whoever_cannot_move_has_lost() {
    for first in PlayerNumber::ALL {
        let (outcome, events, seats) = play(&a_match(BOARD, first, None), [Script::Honest; 2]);
        let last_mover = if outcome.moves % 2 == 1 { first } else { first.opponent() };
        assert_verdict(&outcome, &events, Some(last_mover), Termination::NoMoves);
        assert!(outcome.moves > 2 && !outcome.position.has_moves());
        assert!(outcome.at_fault.is_empty() && faults(&events).is_empty());
        assert_eq!(events.len(), outcome.moves as usize + 2);
        for seat in &seats {
            assert_eq!(seat.calls[..3], [Call::Load, Call::Initialize, Call::Name]);
            assert_eq!(seat.calls.last(), Some(&Call::Finalize));
            assert_eq!(seat.calls.iter().filter(|call| **call == Call::Finalize).count(), 1);
        }
        assert_eq!(seats[first].heard[0], None, "only the first call has no previous move");
        assert!(seats[first].heard[1..].iter().chain(&seats[first.opponent()].heard).all(Option::is_some));
    }
}

#[test]
fn a_player_that_is_blocked_at_once_is_not_called() {
    let (outcome, events, seats) = play(&a_match("q*/*Q b", PlayerNumber::One, None), [Script::Honest; 2]);
    // The queens of both sides are neighbours of nothing free.
    assert_verdict(&outcome, &events, Some(PlayerNumber::Two), Termination::NoMoves);
    assert_eq!(outcome.moves, 0);
    assert!(seats.iter().all(|seat| !seat.calls.contains(&Call::Play)));
    assert!(seats.iter().all(|seat| seat.calls.contains(&Call::Finalize)));
}

#[test]
fn the_move_limit_stops_the_game_without_a_winner() {
    let (outcome, events, _) = play(&a_match(BOARD, PlayerNumber::Two, Some(3)), [Script::Honest; 2]);
    assert_verdict(&outcome, &events, None, Termination::MaxMoves);
    assert_eq!(outcome.moves, 3);
}

#[test]
fn being_blocked_counts_more_than_the_move_limit() {
    let (full, ..) = play(&a_match(BOARD, PlayerNumber::One, None), [Script::Honest; 2]);
    let (outcome, events, _) = play(&a_match(BOARD, PlayerNumber::One, Some(full.moves)), [Script::Honest; 2]);
    assert_verdict(&outcome, &events, full.winner, Termination::NoMoves);
}

#[test]
fn an_illegal_move_loses_and_is_reported_with_its_reason() {
    let resignation = Move { from: u32::MAX, to: u32::MAX, arrow: u32::MAX };
    let mut moves = MoveList::new();
    a_match(BOARD, PlayerNumber::One, None).position.legal_moves(&mut moves);
    let gave_up = format!(
        "it gave up, although it had {} legal moves (bestmove none, or three times UINT_MAX)",
        moves.iter().count()
    );
    for (answer, reason) in [
        (resignation, &*gave_up),
        (Move { from: 12, to: 8, arrow: 4 }, "a1-a2/a3: the queen on a1 (12) is white's"),
        (Move { from: 0, to: 6, arrow: 1 }, "a4-c3/b4: no line leads the queen from a4 (0) to c3 (6)"),
    ] {
        let game = a_match(BOARD, PlayerNumber::One, None);
        let (outcome, events, seats) = play(&game, [Script::Answers(1, answer), Script::Honest]);
        assert_verdict(&outcome, &events, Some(PlayerNumber::Two), Termination::IllegalMove);
        assert_eq!(outcome.at_fault, [PlayerNumber::One]);
        assert_eq!(outcome.position, game.position, "an illegal move changes nothing");
        let [fault] = faults(&events)[..] else { panic!("one fault is reported") };
        assert_eq!((fault.call, fault.ply), (Call::Play, Some(1)));
        assert_eq!(fault.answer, Some([answer.from, answer.to, answer.arrow]));
        assert_eq!(fault.detail, reason);
        assert!(seats.iter().all(|seat| seat.calls.contains(&Call::Finalize)), "both are finalised");
    }
}

#[test]
fn a_fault_in_any_call_before_the_end_loses() {
    for call in [Call::Load, Call::Initialize, Call::Name, Call::Play] {
        for termination in [Termination::Crash, Termination::Timeout, Termination::Exit, Termination::ProtocolError] {
            let (outcome, events, seats) =
                play(&a_match(BOARD, PlayerNumber::One, None), [Script::Honest, Script::Fails(call, 1, termination)]);
            assert_verdict(&outcome, &events, Some(PlayerNumber::One), termination);
            assert!(matches!(events[0], Event::Start(_)), "a start is always reported");
            let [fault] = faults(&events)[..] else { panic!("one fault is reported, not its echo in finalize") };
            assert_eq!((fault.player, fault.call, fault.termination), (PlayerNumber::Two, call, termination));
            assert_eq!(fault.log.as_deref(), Some("player 2.log"));
            assert_eq!(fault.log_tail.len(), 3 + 1 + 7);
            assert_eq!((fault.log_tail[3].as_str(), fault.log_tail[10].as_str()), ("...", "line 19\\u{7}"));
            assert!(seats[0].calls.contains(&Call::Finalize), "the survivor is finalised");
            assert_eq!(seats[1].calls.contains(&Call::Finalize), matches!(call, Call::Name | Call::Play));
        }
    }
}

#[test]
fn a_player_that_the_machine_delayed_loses_only_when_no_excuse_counts() {
    for call in [Call::Load, Call::Initialize, Call::Name, Call::Play] {
        for opponent in [Script::Honest, Script::Fails(Call::Initialize, 1, Termination::Crash)] {
            let mut game = a_match(BOARD, PlayerNumber::One, None);
            let scripts = [opponent, Script::IsDelayed(call, 1)];
            game.excuses = true;
            let (outcome, events, seats) = play(&game, scripts);
            if call == Call::Play && opponent != Script::Honest {
                // It was not called before the game was over.
                assert_verdict(&outcome, &events, Some(PlayerNumber::Two), Termination::Crash);
                continue;
            }
            assert_verdict(&outcome, &events, None, Termination::Void);
            assert!(outcome.at_fault.is_empty() && faults(&events).is_empty());
            assert!(matches!(events[0], Event::Start(_)), "a start is always reported");
            let detail = "player 2: scripted, which may be the machine's doing";
            let void = Void { reason: detail.to_owned(), cause: Cause::Disturbed };
            assert_eq!((outcome.void, end(&events).detail.as_deref()), (Some(void), Some(detail)));
            assert_eq!(seats[0].calls.contains(&Call::Finalize), opponent == Script::Honest);
            game.excuses = false;
            let (outcome, events, _) = play(&game, scripts);
            assert!(outcome.void.is_none() && outcome.at_fault.contains(&PlayerNumber::Two));
            let fault = faults(&events).into_iter().find(|fault| fault.player == PlayerNumber::Two).expect("a fault");
            assert_eq!(fault.machine.map(|machine| machine.steal_us), Some(5000));
        }
    }
}

#[test]
fn both_players_are_initialised_before_either_is_judged() {
    let scripts =
        [Script::Fails(Call::Load, 1, Termination::LoadError), Script::Fails(Call::Initialize, 1, Termination::Crash)];
    let (outcome, events, _) = play(&a_match(BOARD, PlayerNumber::One, None), scripts);
    assert_verdict(&outcome, &events, None, Termination::LoadError);
    assert_eq!(outcome.at_fault, [PlayerNumber::One, PlayerNumber::Two]);
    assert_eq!(faults(&events).len(), 2);
}

#[test]
fn a_fault_in_finalize_is_reported_and_changes_nothing() {
    let (honest, ..) = play(&a_match(BOARD, PlayerNumber::One, None), [Script::Honest; 2]);
    for player in PlayerNumber::ALL {
        let mut scripts = [Script::Honest; 2];
        scripts[player] = Script::Fails(Call::Finalize, 1, Termination::Crash);
        let (outcome, events, seats) = play(&a_match(BOARD, PlayerNumber::One, None), scripts);
        assert_verdict(&outcome, &events, honest.winner, Termination::NoMoves);
        assert_eq!(outcome.at_fault, [player]);
        assert_eq!(faults(&events).iter().map(|fault| fault.call).collect::<Vec<_>>(), [Call::Finalize]);
        assert!(seats.iter().all(|seat| seat.calls.contains(&Call::Finalize)));
    }
}

#[test]
fn our_own_failure_makes_the_game_void() {
    for (call, number) in [(Call::Load, 1), (Call::Initialize, 1), (Call::Name, 1), (Call::Play, 2)] {
        let scripts = [Script::HostFails(call, number), Script::Honest];
        let (outcome, events, seats) = play(&a_match(BOARD, PlayerNumber::One, None), scripts);
        assert_verdict(&outcome, &events, None, Termination::Void);
        assert!(outcome.at_fault.is_empty(), "void is never a player's doing");
        assert!(outcome.void.is_some_and(|void| void.reason.contains("scripted") && void.cause == Cause::Passing));
        assert!(end(&events).detail.is_some());
        assert!(matches!(events[0], Event::Start(_)), "a start is always reported");
        let initialized = call == Call::Play;
        assert_eq!(seats[1].calls.contains(&Call::Finalize), initialized, "after {call}");
    }
}

#[test]
fn our_own_failure_in_finalize_changes_nothing() {
    let (honest, ..) = play(&a_match(BOARD, PlayerNumber::One, None), [Script::Honest; 2]);
    let scripts = [Script::HostFails(Call::Finalize, 1), Script::Honest];
    let (outcome, events, seats) = play(&a_match(BOARD, PlayerNumber::One, None), scripts);
    assert_verdict(&outcome, &events, honest.winner, Termination::NoMoves);
    assert!(seats.iter().all(|seat| seat.calls.contains(&Call::Finalize)));
}

#[test]
fn an_observer_that_is_full_stops_the_game_but_not_finalize() {
    let game = a_match(BOARD, PlayerNumber::One, None);
    for full_at in [0, 1, 3] {
        let mut seats = [Script::Honest; 2].map(|script| Scripted::new(script, &game.position));
        let mut observer = Collected { full_at: Some(full_at), ..Collected::default() };
        let [one, two] = &mut seats;
        let error = play_game(&game, [one, two], &mut [&mut observer]).expect_err("the observer is full");
        assert_eq!(error.to_string(), "cannot report the game");
        assert_eq!(observer.events.len(), full_at);
        assert!(seats.iter().all(|seat| seat.calls.contains(&Call::Finalize)));
    }
}
