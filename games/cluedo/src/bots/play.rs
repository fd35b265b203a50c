//! A bot at a seat of a course game: lines go in, answers come out; and its knowledge as text for a person.

use std::fmt::Write as _;

use rand_xoshiro::Xoshiro256PlusPlus;

use crate::bots::{Kind, Policy};
use crate::card_names::COURSE_KINDS;
use crate::game::Action;
use crate::knowledge::chances::{MAX_STATES, Uncounted};
use crate::knowledge::view::{Counted, View};
use crate::line::message::{Answer, Line};
use crate::line::seat::{Request, Seat};

#[derive(Debug)]
pub struct SeatedBot {
    pub seat: Seat,
    pub policy: Box<dyn Policy>,
    rng: Xoshiro256PlusPlus,
}

pub fn seat_bot(kind: Kind, seat: usize, players: usize, rng: Xoshiro256PlusPlus) -> SeatedBot {
    SeatedBot { seat: Seat::new(seat, players), policy: kind.policy(), rng }
}

impl SeatedBot {
    /// Takes a line in and returns the answer, if the line asks for one and the bot has one.
    pub fn answer(&mut self, line: Line) -> Option<Answer> {
        let Self { seat, policy, rng } = self;
        if matches!(line, Line::Won(_) | Line::Error(_)) {
            policy.finish(seat);
        }
        let game = seat.game;
        let request = seat.hear(line);
        if seat.game > game {
            policy.start(seat);
        }
        let answer = match request? {
            Request::Act => match policy.act(seat, rng) {
                Action::Suggest(cards) => Answer::Hypothesis(cards),
                Action::Accuse(cards) => Answer::Accusation(cards),
            },
            Request::Show { to, named } => Answer::Show(match seat.forced_card(named) {
                Some(card) => card,
                None => policy.show(seat, named & seat.facts.hand(), to, rng)?,
            }),
        };
        seat.says(&answer);
        Some(answer)
    }
}

/// Counts the deals that agree with what a seat has seen.
pub fn count(seat: &Seat, view: &View) -> Result<Counted, Uncounted> {
    Counted::new(&seat.facts, &view.known, MAX_STATES, usize::MAX)
}

/// Describes what a seat knows, with chances if they were counted.
pub fn describe(seat: &Seat, view: &View) -> String {
    let (facts, players) = (&seat.facts, seat.players());
    let mut text =
        format!("game {} turn {}, seat {} of {players}, hand {}\n", seat.game, seat.turn, facts.me, facts.hand());
    let places: Vec<String> = (0..players).map(|seat| seat.to_string()).chain(["secret".to_owned()]).collect();
    text += &view.text(&places, |card| format!("{} {card}", COURSE_KINDS[facts.deck.kind(card)]));
    for (other, sets) in view.known.sets.iter().enumerate().filter(|(_, sets)| !sets.is_empty()) {
        let sets: Vec<String> = sets.iter().map(|set| format!("{{{set}}}")).collect();
        let _ = writeln!(text, "seat {other} has one of each: {}", sets.join(" "));
    }
    for ([a, b, c], chance) in view.counted.iter().flat_map(|counted| &counted.triples) {
        let _ = writeln!(text, "secret {a} {b} {c}: {:.1} %", 100.0 * chance);
    }
    text
}
