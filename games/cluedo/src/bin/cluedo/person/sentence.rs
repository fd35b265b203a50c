//! Sentences that tell a person the events of a game.

use cluedo::assist::words::capital;
use cluedo::card_names::CardNames;
use cluedo::deck::Card;
use cluedo::game::Event;
use cluedo::knowledge::view::View;
use cluedo::record::{Act, Story, Viewer};

use crate::show::names;

/// Returns the sentence that names the cards of a hand.
pub(crate) fn opening(story: &Story, me: usize) -> String {
    let hand = story.hands[me].unwrap_or_default();
    format!("Your cards: {}.", numbered(&names(story), hand.iter(), ", "))
}

/// Returns the sentence for the latest event; nothing if that goes without saying.
pub(crate) fn sentence(event: &Event, story: &Story, me: usize) -> Option<String> {
    let names = names(story);
    let name = |seat: usize| capital(&story.seats[seat]);
    let s = |seat| if seat == me { "" } else { "s" };
    Some(match *event {
        Event::Suggest { seat, cards } => format!("{} suggest{} {}.", name(seat), s(seat), names.list(cards)),
        Event::Pass { seat } => {
            let is_last = matches!(story.turns.last().map(|turn| &turn.act),
                Some(Act::Suggestion { passed, .. }) if passed.len() + 1 == story.players());
            format!("{} cannot refute.{}", name(seat), if is_last { " Nobody refutes." } else { "" })
        }
        Event::Show { seat, to, card: Some(card) } => {
            let number = if has_number(names.name(card), card) { String::new() } else { format!(" ({card})") };
            format!("{} show{} {} {}{number}.", name(seat), s(seat), story.seats[to], names.name(card))
        }
        Event::Show { seat, to, card: None } => format!("{} refutes {}.", name(seat), story.seats[to]),
        Event::Accuse { seat, cards: Some(cards), is_right } => {
            let verdict = if is_right { "right" } else { "wrong" };
            format!("{} accuse{}: {}. That is {verdict}.", name(seat), s(seat), names.list(cards))
        }
        Event::Accuse { seat, is_right: false, .. } if seat != me => format!("{} accuses wrongly.", name(seat)),
        Event::Leave { .. } => "You leave the game.".to_owned(),
        Event::Accuse { .. } | Event::Unanswered { .. } | Event::Fault { .. } => return None,
    })
}

pub(super) fn notebook(story: &Story, me: usize) -> String {
    let Some(facts) = story.facts(Viewer::Seat(me), story.turns.len()) else { return String::new() };
    let names = names(story);
    // "AI 1" and "seat 1" stand above their columns as 1.
    let seats = story.seats.iter().map(|name| name.rsplit(' ').next().unwrap_or_default());
    let places: Vec<String> = seats.chain(["solution"]).map(str::to_owned).collect();
    View::new(&facts).text(&places, |card| match names.name(card) {
        name if has_number(name, card) => name.to_owned(),
        name => format!("{card:2} {name}"),
    })
}

pub(super) fn numbered(names: &CardNames, cards: impl Iterator<Item = Card>, separator: &str) -> String {
    let text = |card| match names.name(card) {
        name if has_number(name, card) => name.to_owned(),
        name => format!("{card} {name}"),
    };
    cards.map(text).collect::<Vec<_>>().join(separator)
}

/// Returns whether a card is called by its number, as those of the course are.
fn has_number(name: &str, card: Card) -> bool {
    name.ends_with(&card.to_string())
}
