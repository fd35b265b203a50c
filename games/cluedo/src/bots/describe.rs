//! A seat's knowledge, as text for a person.

use std::fmt::Write as _;

use crate::card_names::COURSE_KINDS;
use crate::knowledge::chances::{MAX_STATES, Uncounted};
use crate::knowledge::view::{Counted, View};
use crate::line::seat::Seat;

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
