//! Records of games not played here.

use amazons::record::{RECORD_FORMAT, Record, ReplayError, Step};
use amazons::referee::{PlayerNumber, SourceEvent, StartEvent, Termination};
use amazons_formats::{Ending, Game};
use amazons_rules::{Color, Shape};

use super::{honest, move_of, recorded, refuted};
use crate::formats;
use crate::referee::Script;

/// The record of a game played elsewhere to its end.
fn foreign() -> Record {
    Record::from(&formats::annotated_game(formats::start(Shape::Donut, 6), 1000, 0))
}

#[test]
fn games_that_were_played_here_tell_everything() {
    type Change = fn(&mut StartEvent);
    for forget in [
        (|start| start.seed = None) as Change,
        |start| start.limits = None,
        |start| start.isolation = None,
        |start| start.players[0].file = None,
    ] {
        let reason = refuted(honest(), |record| forget(&mut record.start));
        assert!(reason.to_string().contains("a game that was played here has"), "{reason}");
    }
    type Forget = fn(&mut Record);
    for forget in [(|record| move_of(record, 1).wall_us = None) as Forget, |record| move_of(record, 1).left_us = None] {
        assert_eq!(refuted(honest(), forget), ReplayError::Untold { ply: 2 });
    }
    let ending = refuted(honest(), |record| record.end.termination = None);
    assert_eq!(ending.to_string(), "end: a game that was played here has a known end");
    assert_eq!(refuted(honest(), |record| move_of(record, 0).value = Some(1.5)), ReplayError::Value { ply: 1 });
}

#[test]
fn games_from_elsewhere_follow_the_rules() {
    let record = foreign();
    assert_eq!(record.verify().expect("true").to_string(), record.end.position);
    let mut nameless = foreign();
    nameless.start.source = Some(SourceEvent::default());
    (nameless.end.winner, nameless.end.termination, nameless.end.detail) = (Some(PlayerNumber::Two), None, None);
    nameless.verify().expect("a winner may be all that is known");
    assert!(matches!(refuted(foreign(), |record| move_of(record, 3).to = 0), ReplayError::MoveText { ply: 4, .. }));
    let last = refuted(foreign(), |record| record.end.winner = record.end.winner.map(PlayerNumber::opponent));
    assert!(last.to_string().starts_with("end: the winner is player "), "{last}");
    let limit = refuted(foreign(), |record| record.end.termination = Some(Termination::MaxMoves));
    assert_eq!(limit.to_string(), "end: nobody wins when the ending is 'move limit'");
    let timeout = Script::Fails(amazons::referee::Call::Play, 2, Termination::Timeout);
    let Some(fault) = recorded([timeout, Script::Honest], None).steps.pop() else { panic!("no fault") };
    let Step::Fault(told) = &fault else { panic!("{fault:?}") };
    let player = told.player;
    let error = refuted(foreign(), |record| record.steps.push(fault));
    assert_eq!(error, ReplayError::Fault { player, reason: "only the server that played the game can report one" });
}

#[test]
fn a_record_is_a_game_and_a_game_is_a_record() {
    for seed in 0..20 {
        let game = formats::annotated_game(formats::start(Shape::ALL[seed as usize % 4], 8), 9 * seed as usize, seed);
        let again = formats::read(RECORD_FORMAT, formats::written(RECORD_FORMAT, &game)).expect("our own record");
        assert_eq!(again.position().to_string(), game.position().to_string());
        assert_eq!((again.moves(), &again.details), (game.moves(), &game.details));
        assert_eq!((again.outcome, again.comment), (game.outcome, game.comment));
    }
}

#[test]
fn what_was_played_here_is_told_elsewhere() {
    let honest = Game::try_from(&honest()).expect("a true record");
    let outcome = honest.outcome.as_ref().expect("an end");
    assert_eq!((outcome.ending, outcome.detail.as_deref()), (Some(Ending::NoMoves), None));
    let [black, white] = Color::ALL.map(|color| honest.name(color).map(str::to_owned));
    assert!(black.is_some() && white.is_some(), "{black:?} {white:?}");
    assert_eq!(honest.details.time_control.as_deref(), Some("1/0.003"));
    assert_eq!(honest.moves()[0].time, Some(std::time::Duration::from_micros(720)), "what is charged");
    let timeout = Script::Fails(amazons::referee::Call::Play, 2, Termination::Timeout);
    let failed = Game::try_from(&recorded([timeout, Script::Honest], None)).expect("a true record");
    let outcome = failed.outcome.expect("an end");
    assert_eq!((outcome.winner, outcome.ending), (Some(Color::White), Some(Ending::Timeout)));
    assert_eq!(outcome.detail.as_deref(), Some("black: timeout in play: scripted"));
    let mut lie = super::honest();
    lie.end.moves += 1;
    assert!(Game::try_from(&lie).is_err(), "only true records are converted");
}
