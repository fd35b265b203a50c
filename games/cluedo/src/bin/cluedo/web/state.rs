//! A page's view of a game at a moment.

use cluedo::deck::CardSet;
use cluedo::record::{Act, Rules, Story, Turn, Viewer};
use serde_json::{Value, json};

use crate::show::{card_name, ending_text, names};

/// Returns what a viewer sees after so many turns; nothing if that cannot be told.
pub(crate) fn state(story: &Story, viewer: Viewer, ply: Option<usize>) -> Option<Value> {
    if !story.shows(viewer) {
        return None;
    }
    let turns = story.turns.len();
    let ply = ply.unwrap_or(turns).min(turns);
    let cards: Vec<Value> = story
        .deck
        .all()
        .iter()
        .map(|card| json!({ "name": card_name(story, card), "kind": story.deck.kind(card) }))
        .collect();
    let hands: Vec<Option<Vec<usize>>> = (0..story.players())
        .map(|seat| {
            let is_seen = viewer == Viewer::All || viewer == Viewer::Seat(seat);
            story.hands[seat].filter(|_| is_seen).map(|hand| hand.iter().collect())
        })
        .collect();
    let viewers = [Viewer::Spectator].into_iter().chain((0..story.players()).map(Viewer::Seat)).chain([Viewer::All]);
    let view = story.view(viewer, ply);
    let counted = view.as_ref().and_then(|view| view.counted.as_ref());
    let triples = counted.map(|counted| counted.triples.clone()).unwrap_or_default();
    let secret = story.secret.filter(|_| viewer == Viewer::All || ply == turns);
    Some(json!({
        "rules": if story.rules == Rules::Classic { "classic" } else { "course" },
        "table": story.table,
        "game": story.game,
        "commitment": story.commitment,
        "seats": story.seats,
        "kinds": names(story).kinds,
        "cards": cards,
        "view": viewer_name(viewer),
        "viewers": viewers.filter(|&one| story.shows(one)).map(viewer_name).collect::<Vec<_>>(),
        "ply": ply,
        "turns": story.turns.iter().map(|turn| turn_state(story, viewer, turn)).collect::<Vec<_>>(),
        "ending": story.ending.map(|ending| ending_text(story, ending)),
        "secret": secret,
        "hands": hands,
        "grid": view.as_ref().map_or_else(|| truth(story), |view| view.json(story.players())),
        "deals": counted.map(|counted| format!("{:.0}", counted.deals)),
        "triples": triples.iter().map(|(cards, chance)| json!([cards, chance])).collect::<Vec<_>>(),
    }))
}

/// Returns a number that changes with everything that spectators may see.
pub(crate) fn stamp(story: &Story) -> usize {
    let answers = match story.turns.last().map(|turn| &turn.act) {
        Some(Act::Suggestion { passed, shown, .. }) => passed.len() + usize::from(shown.is_some()),
        _ => 0,
    };
    story.turns.len() * 256 + answers * 2 + usize::from(story.ending.is_some())
}

/// Returns a viewer as addresses name it.
pub(crate) fn viewer_name(viewer: Viewer) -> String {
    match viewer {
        Viewer::Spectator => "spectator".to_owned(),
        Viewer::Seat(seat) => seat.to_string(),
        Viewer::All => "all".to_owned(),
    }
}

fn turn_state(story: &Story, viewer: Viewer, turn: &Turn) -> Value {
    let seat = turn.seat;
    match &turn.act {
        Act::Suggestion { cards, passed, shown } => json!({
            "seat": seat,
            "act": "suggestion",
            "cards": cards,
            "passed": passed,
            "shown": shown.map(|answered| answered.seat),
            "card": shown.and_then(|answered| story.seen(viewer, seat, answered)),
            "nobody": shown.is_none() && passed.len() + 1 >= story.players(),
        }),
        Act::Accusation { .. } => match story.accused(viewer, turn) {
            Some((cards, is_right)) => json!({ "seat": seat, "act": "accusation", "cards": cards, "right": is_right }),
            None => json!({ "seat": seat, "act": "accusation" }),
        },
        Act::Fault(code) => json!({ "seat": seat, "act": "fault", "code": code }),
        Act::Leave => json!({ "seat": seat, "act": "leave" }),
    }
}

/// The grid of somebody who knows everything.
fn truth(story: &Story) -> Value {
    let secret = story.secret.map_or(CardSet::EMPTY, CardSet::of);
    let places: Vec<CardSet> = story.hands.iter().map(|hand| hand.unwrap_or_default()).chain([secret]).collect();
    let row = |card: usize| {
        let cell = |place: &CardSet| if place.contains(card) { json!(["x", 1.0]) } else { json!(["-", 0.0]) };
        places.iter().map(cell).collect::<Value>()
    };
    story.deck.all().iter().map(row).collect()
}
