//! What bots do with what a foreign server sends, and single decisions.

use cluedo::bots::play::{SeatedBot, seat_bot};
use cluedo::bots::{Kind, Policy as _};
use cluedo::deal::{Deal, stream};
use cluedo::deck::CardSet;
use cluedo::game::Action;
use cluedo::line::message::{Answer, Fault, Line};
use cluedo::line::seat::Seat;

use super::direct::play;
use super::measured::players;

fn player(kind: Kind, seat: usize, players: usize) -> SeatedBot {
    seat_bot(kind, seat, players, stream(1, 0, 0, "test"))
}

#[test]
fn bot0_accuses_and_never_shows() {
    let mut one = player(Kind::Bot0, 0, 3);
    one.answer(Line::Hand(CardSet::of([0, 5, 10])));
    assert_eq!(one.answer(Line::Turn), Some(Answer::Accusation([0, 4, 8])));
    assert_eq!(player(Kind::Bot0Literal, 0, 3).answer(Line::Turn), Some(Answer::Accusation([0, 3, 6])));
    one.answer(Line::Hypothesis([0, 4, 8]));
    assert_eq!(one.answer(Line::Ask), None);
    // As a whole game: bot0 is asked first and says nothing.
    let deal = Deal::parse("3 7 11 | 2 6 10 | 0 4 8 | 1 5 9", 3).expect("a deal");
    let mut seats = players(&[Kind::Bot2, Kind::Bot0, Kind::Bot2], 1);
    let outcome = play(&deal, 0, &mut seats);
    assert!(outcome.winner.is_some() || outcome.fault == Some((1, Fault::NoCard)), "{outcome:?}");
    let mut seats = players(&[Kind::Bot0Literal, Kind::Bot1, Kind::Bot1], 1);
    assert_eq!(play(&deal, 0, &mut seats).fault, Some((0, Fault::Action)));
}

#[test]
fn a_seat_bears_other_servers() {
    let hand = CardSet::of([0, 4, 8]);
    let begin = || {
        let mut seat = Seat::new(0, 3);
        seat.hear(Line::Hand(hand));
        seat.hear(Line::Turn);
        seat.says(&Answer::Hypothesis([1, 5, 9]));
        seat
    };
    let orders: [&[Line]; 4] = [
        &[Line::ShownToYou(1, 5)],
        &[Line::Hypothesis([1, 5, 9]), Line::ShownToYou(1, 5), Line::Shown(1)],
        &[Line::Shown(1), Line::ShownToYou(1, 5)],
        &[Line::Hypothesis([1, 5, 9]), Line::Shown(1), Line::ShownToYou(1, 5), Line::ShownToYou(1, 5)],
    ];
    for lines in orders {
        let mut seat = begin();
        for &line in lines {
            assert_eq!(seat.hear(line), None);
        }
        assert_eq!(seat.facts.has[1], CardSet::one(5), "{lines:?}");
        assert_eq!(seat.facts.shown.len(), 1, "{lines:?}");
        assert!(seat.facts.sets[1].is_empty() && seat.facts.named.iter().all(Vec::is_empty), "{lines:?}");
        assert_eq!(seat.unknown_lines, 0, "{lines:?}");
    }
}

#[test]
fn suggesters_and_players_who_are_out_are_inferred() {
    let mut seat = Seat::new(3, 4);
    seat.hear(Line::Hand(CardSet::of([0, 5, 10])));
    seat.hear(Line::Hypothesis([1, 6, 11]));
    seat.hear(Line::Pass(1));
    seat.hear(Line::Shown(2));
    assert_eq!(seat.facts.named[0].len(), 1);
    // Seat 1 is passed over: seat 2 suggests, and asks this seat first.
    seat.hear(Line::Hypothesis([0, 6, 12]));
    assert!(seat.hear(Line::Ask).is_some());
    assert_eq!((seat.facts.named[2].len(), seat.out, seat.turn), (1, 0b10, 2));
    assert_eq!(seat.rivals(), 2);
}

#[test]
fn what_no_seat_may_be_asked_is_answered_anyway() {
    for kind in [Kind::Bot1, Kind::Bot2, Kind::Bot3, Kind::Bot4] {
        let mut one = player(kind, 1, 3);
        one.answer(Line::Hand(CardSet::of([0, 5, 10])));
        one.answer(Line::Hypothesis([1, 6, 11]));
        assert_eq!(one.answer(Line::Ask), Some(Answer::Show(1)), "{kind:?}");
    }
}

#[test]
fn extended_bots_show_what_the_asker_has_seen() {
    for kind in [Kind::Bot2Extended, Kind::Bot3, Kind::Bot4] {
        let mut one = player(kind, 1, 4);
        one.answer(Line::Hand(CardSet::of([0, 5, 10])));
        one.answer(Line::Hypothesis([1, 5, 11]));
        assert_eq!(one.answer(Line::Ask), Some(Answer::Show(5)));
        for _ in 0..20 {
            one.answer(Line::Hypothesis([0, 5, 10]));
            assert_eq!(one.answer(Line::Ask), Some(Answer::Show(5)), "{kind:?}");
        }
    }
}

#[test]
fn bot4_never_dares_alone_and_always_at_the_last_turn() {
    let mut bot = cluedo::bots::Exact::new(cluedo::bots::ExactOptions { daring: Some(0.01), ..Default::default() });
    let mut rng = stream(1, 0, 0, "alone");
    let mut seat = Seat::new(0, 4);
    seat.hear(Line::Hand(CardSet::of([0, 5, 10])));
    bot.start(&seat);
    assert!(matches!(bot.act(&seat, &mut rng), Action::Accuse(_)), "it dares");
    seat.seen.out = 0b1110;
    assert!(matches!(bot.act(&seat, &mut rng), Action::Suggest(_)), "it is alone");
    let mut careful = cluedo::bots::Exact::new(cluedo::bots::ExactOptions { daring: Some(1.0), ..Default::default() });
    careful.start(&seat);
    seat.seen.out = 0;
    seat.seen.turn = 60;
    assert!(matches!(careful.act(&seat, &mut rng), Action::Suggest(_)), "turn 64 is its own too");
    seat.seen.turn = 64;
    assert!(matches!(careful.act(&seat, &mut rng), Action::Accuse(_)), "the last turn");
}
