//! A game as lines of JSON: what is secret comes in the last line.

use amazons_program::hex;
use serde::{Deserialize, Serialize};

use crate::classic::master::Setup;
use crate::classic::seats::AiType;
use crate::deal::Deal;
use crate::deck::{Card, Deck, KINDS, Triple};
use crate::game::Event;

/// The version of the lines.
pub(crate) const VERSION: u32 = 1;

pub(crate) const RULES: &str = "classic";

/// A line of a record. Seats are ranks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Line {
    Start(StartLine),
    Hypothesis { seat: usize, cards: Triple },
    Pass { seat: usize },
    Show { seat: usize },
    Accuse { seat: usize, cards: Triple, right: bool },
    Leave { seat: usize },
    End(EndLine),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct StartLine {
    pub(crate) version: u32,
    pub(crate) rules: String,
    /// How many suspects, weapons and rooms there are.
    pub(crate) cards: [usize; 3],
    pub(crate) seats: Vec<SeatLine>,
    /// Whether a person who accuses wrongly goes on refuting.
    pub(crate) stay: bool,
    /// The number of the game among those of one seed.
    pub(crate) game: u64,
    /// SHA-256 of the salt and the deal.
    pub(crate) commitment: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SeatLine {
    pub(crate) seat: usize,
    /// `person`, or the type of the AI.
    pub(crate) player: String,
    /// How many cards it has.
    pub(crate) hand: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndLine {
    pub(crate) winner: Option<usize>,
    pub(crate) secret: Triple,
    /// The hands, in the order of the seats.
    pub(crate) hands: Vec<Vec<Card>>,
    /// The cards that were shown, in order.
    pub(crate) shown: Vec<Card>,
    pub(crate) salt: String,
    pub(crate) seed: u64,
}

impl Line {
    /// Returns the event that it tells, without the card that is shown; `to` has made the last suggestion.
    pub(crate) const fn event(&self, to: usize) -> Option<Event> {
        match *self {
            Self::Hypothesis { seat, cards } => Some(Event::Suggest { seat, cards }),
            Self::Pass { seat } => Some(Event::Pass { seat }),
            Self::Show { seat } => Some(Event::Show { seat, to, card: None }),
            Self::Accuse { seat, cards, right } => Some(Event::Accuse { seat, cards: Some(cards), is_right: right }),
            Self::Leave { seat } => Some(Event::Leave { seat }),
            Self::Start(_) | Self::End(_) => None,
        }
    }
}

/// Writes a game line by line.
#[derive(Clone, Debug)]
pub struct Recorder {
    setup: Setup,
    deal: Deal,
    shown: Vec<Card>,
}

impl Recorder {
    pub fn new(setup: &Setup, deal: &Deal) -> Self {
        Self { setup: setup.clone(), deal: *deal, shown: Vec::new() }
    }

    /// Returns the first line, which tells nothing secret.
    pub fn start(&self) -> String {
        let Setup { seats, ais, streams, stays } = &self.setup;
        let seat = |rank: usize| SeatLine {
            seat: rank,
            player: player_name(ais, rank).to_owned(),
            hand: self.deal.hand(rank).len(),
        };
        line(&Line::Start(StartLine {
            version: VERSION,
            rules: RULES.to_owned(),
            cards: KINDS.map(|kind| Deck::CLASSIC.range(kind).len()),
            seats: seats.ranks().map(seat).collect(),
            stay: *stays,
            game: streams.game,
            commitment: self.deal.commitment(&streams.bytes("salt")),
        }))
    }

    /// Returns the line of an event, which must have all its cards; nothing for what follows from others.
    pub fn event(&mut self, event: &Event) -> Option<String> {
        Some(line(&match *event {
            Event::Suggest { seat, cards } => Line::Hypothesis { seat, cards },
            Event::Pass { seat } => Line::Pass { seat },
            Event::Show { seat, card, .. } => {
                self.shown.extend(card);
                Line::Show { seat }
            }
            Event::Accuse { seat, cards: Some(cards), is_right } => Line::Accuse { seat, cards, right: is_right },
            Event::Leave { seat } => Line::Leave { seat },
            Event::Unanswered { .. } | Event::Accuse { .. } | Event::Fault { .. } => return None,
        }))
    }

    /// Returns the last line, with all that was secret.
    pub fn end(&self, winner: Option<usize>) -> String {
        line(&Line::End(EndLine {
            winner,
            secret: self.deal.solution,
            hands: self.deal.lists(),
            shown: self.shown.clone(),
            salt: hex(&self.setup.streams.bytes("salt")),
            seed: self.setup.streams.seed,
        }))
    }
}

/// The name of the player with this rank in records.
pub(crate) fn player_name(ais: &[AiType], rank: usize) -> &'static str {
    match rank.checked_sub(1) {
        None => "person",
        Some(index) => ais.get(index).map_or("default", |ai_type| ai_type.name()),
    }
}

fn line(line: &Line) -> String {
    serde_json::to_string(line).expect("a line has strings as keys")
}
