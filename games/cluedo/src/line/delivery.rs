//! Routes the events of a game to its seats, as lines.

use serde::{Deserialize, Serialize};

use crate::game::Event;
use crate::line::message::Line;

/// The seats that hear a hypothesis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Echo {
    /// Everybody but who made it.
    #[default]
    Others,
    All,
}

/// Sends the lines of an event, each to its seat.
pub fn deliver(event: Event, players: usize, echo: Echo, send: &mut impl FnMut(usize, Line)) {
    let mut to_all = |line, but: Option<usize>| {
        for seat in (0..players).filter(|&seat| Some(seat) != but) {
            send(seat, line);
        }
    };
    match event {
        Event::Suggest { seat, cards } => {
            to_all(Line::Hypothesis(cards), (echo == Echo::Others).then_some(seat));
        }
        Event::Pass { seat } => to_all(Line::Pass(seat), None),
        Event::Show { seat, to, card } => {
            to_all(Line::Shown(seat), Some(to));
            if let Some(card) = card {
                send(to, Line::ShownToYou(seat, card));
            }
        }
        Event::Unanswered { .. } => to_all(Line::Nobody, None),
        Event::Accuse { seat, is_right: true, .. } => to_all(Line::Won(seat), None),
        Event::Accuse { .. } | Event::Fault { .. } | Event::Leave { .. } => {}
    }
}
