use rand_xoshiro::rand_core::SeedableRng as _;

use crate::bots::{Bot as _, Exact, ExactOptions, Logic, Memory};
use crate::deck::{Card, CardSet, Deck, Triple};
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::Rules;
use crate::line::game::Action;
use crate::line::seat::Seat;
use crate::table::ai::{Ai, Strategy, Turn};
use crate::table::deal::hand_size;
use crate::table::event::Event;
use crate::table::message::Start;
use crate::table::random::Stream;
use crate::table::seats::{AiKind, AiType, Reasoning, Seats};

/// How much less likely a person names a card of its own than another, at first: people bluff more often than AIs.
const PERSON_NAMES_OWN: f64 = 0.2;

/// An AI that plays like a bot of the server, with the 21 cards and hands of any sizes.
#[derive(Clone, Debug)]
pub struct ReasoningAi {
    seats: Seats,
    seat: Seat,
    engine: Engine,
    stream: Stream,
    /// Whose suggestion was heard last, and its cards.
    suggested: (usize, CardSet),
}

#[derive(Clone, Debug)]
enum Engine {
    Memory(Memory),
    Logic(Logic),
    Exact(Exact),
}

/// An AI of any type.
#[derive(Clone, Debug)]
pub enum SeatedAi {
    /// It excludes its own cards and those it has been shown.
    Plain(Ai),
    /// It plays like a bot of the server.
    Reasoning(Box<ReasoningAi>),
}

/// Makes the AI that a start describes.
pub fn seat_ai(rank: usize, start: &Start, hand: CardSet) -> SeatedAi {
    SeatedAi::new(start.seats, rank, start.ai_type, hand, Stream::from_seed(start.stream))
}

impl ReasoningAi {
    /// Seats an AI with a hand and its own random numbers.
    pub fn new(seats: Seats, rank: usize, reasoning: Reasoning, hand: CardSet, stream: Stream) -> Self {
        let sizes: Vec<usize> = (0..seats.count).map(|place| hand_size(seats.count, place)).collect();
        let facts = Facts::new(Deck::CLASSIC, sizes, rank - seats.first, hand);
        let mut seat = Seat::of(facts);
        seat.game = 1;
        let engine = match reasoning {
            Reasoning::Memory => Engine::Memory(Memory { is_literal: false }),
            Reasoning::Logic => Engine::Logic(Logic::new(Rules::Further)),
            Reasoning::Exact => {
                let mut exact = Exact::new(ExactOptions::RANKS);
                exact.start(&seat);
                if seats.has_person() {
                    exact.guess(0, PERSON_NAMES_OWN);
                }
                Engine::Exact(exact)
            }
        };
        Self { seats, seat, engine, stream, suggested: (0, CardSet::EMPTY) }
    }

    /// Returns what it must accuse of now, if it must.
    pub fn accusation(&self) -> Option<Triple> {
        match &self.engine {
            Engine::Memory(memory) => memory.accusation(&self.seat),
            Engine::Logic(logic) => logic.accusation(&self.seat),
            Engine::Exact(exact) => exact.accusation(&self.seat),
        }
    }

    /// Returns the cards of one type that it may suggest.
    pub fn candidates(&self, kind: usize) -> CardSet {
        match &self.engine {
            Engine::Memory(memory) => memory.candidates(&self.seat, kind),
            Engine::Logic(logic) => logic.candidates(&self.seat, kind),
            Engine::Exact(exact) => exact.candidates(&self.seat, kind),
        }
    }

    fn place(&self, rank: usize) -> usize {
        rank - self.seats.first
    }
}

impl Strategy for ReasoningAi {
    fn turn(&mut self) -> Turn {
        let Self { seat, engine, stream, .. } = self;
        let action = match engine {
            Engine::Memory(memory) => memory.act(seat, stream),
            Engine::Logic(logic) => logic.act(seat, stream),
            Engine::Exact(exact) => exact.act(seat, stream),
        };
        match action {
            Action::Hypothesis(cards) => Turn::Suggest(cards),
            Action::Accusation(cards) => Turn::Accuse(cards),
        }
    }

    fn refute(&mut self, suggestion: Triple) -> Option<Card> {
        let held = CardSet::of(suggestion) & self.seat.facts.hand();
        if held.is_empty() {
            return None;
        }
        let to = self.place(self.suggested.0);
        let Self { seat, engine, stream, .. } = self;
        let shown = match engine {
            Engine::Memory(memory) => memory.show(seat, held, to, stream),
            Engine::Logic(logic) => logic.show(seat, held, to, stream),
            Engine::Exact(exact) => exact.show(seat, held, to, stream),
        };
        let shown = shown.or(held.first())?;
        self.seat.shown_to[to].insert(shown);
        Some(shown)
    }

    fn hear(&mut self, _cards: Triple) {}

    fn see(&mut self, _card: Card) {}

    fn unrefuted(&mut self, suggestion: Triple) {
        self.seat.unanswered = Some(suggestion);
    }

    fn hears_answers(&self) -> bool {
        !matches!(self.engine, Engine::Memory(_))
    }

    fn observe(&mut self, event: &Event) {
        let (suggester, named) = self.suggested;
        match *event {
            Event::Suggest { rank, cards } => {
                self.suggested = (rank, CardSet::of(cards));
                self.seat.facts.suggests(self.place(rank), self.suggested.1);
            }
            Event::Pass { rank } => self.seat.facts.passes(self.place(rank), named),
            Event::Show { rank, card: Some(card) } => self.seat.facts.shows_me(self.place(rank), named, card),
            Event::Show { rank, card: None } if self.place(suggester) != self.seat.me() => {
                self.seat.facts.shows(self.place(rank), named);
            }
            Event::Accuse { cards, is_right: false, .. } => self.seat.wrong.push(cards),
            Event::Show { .. } | Event::Accuse { .. } | Event::Leave { .. } => {}
        }
    }

    fn loses(&mut self, rank: usize) {
        self.seat.out |= 1 << self.place(rank);
    }
}

impl SeatedAi {
    /// Seats an AI of a type with a hand and its own random numbers.
    pub fn new(seats: Seats, rank: usize, ai_type: AiType, hand: CardSet, stream: Stream) -> Self {
        match (ai_type.kind(rank), ai_type.reasoning()) {
            (_, Some(reasoning)) => Self::Reasoning(Box::new(ReasoningAi::new(seats, rank, reasoning, hand, stream))),
            (kind, None) => Self::Plain(Ai::new(kind.unwrap_or(AiKind::Default), hand, stream)),
        }
    }

    /// Returns what it must accuse of now, if it must.
    pub fn accusation(&self) -> Option<Triple> {
        match self {
            Self::Plain(ai) => ai.solution(),
            Self::Reasoning(ai) => ai.accusation(),
        }
    }

    /// Returns the cards of one type that it may suggest.
    pub fn candidates(&self, kind: usize) -> CardSet {
        match self {
            Self::Plain(ai) => ai.candidates(kind),
            Self::Reasoning(ai) => ai.candidates(kind),
        }
    }

    fn strategy(&mut self) -> &mut dyn Strategy {
        match self {
            Self::Plain(ai) => ai,
            Self::Reasoning(ai) => &mut **ai,
        }
    }
}

impl Strategy for SeatedAi {
    fn turn(&mut self) -> Turn {
        self.strategy().turn()
    }

    fn refute(&mut self, suggestion: Triple) -> Option<Card> {
        self.strategy().refute(suggestion)
    }

    fn hear(&mut self, cards: Triple) {
        self.strategy().hear(cards);
    }

    fn see(&mut self, card: Card) {
        self.strategy().see(card);
    }

    fn unrefuted(&mut self, suggestion: Triple) {
        self.strategy().unrefuted(suggestion);
    }

    fn hears_answers(&self) -> bool {
        match self {
            Self::Plain(ai) => ai.hears_answers(),
            Self::Reasoning(ai) => ai.hears_answers(),
        }
    }

    fn observe(&mut self, event: &Event) {
        self.strategy().observe(event);
    }

    fn loses(&mut self, rank: usize) {
        self.strategy().loses(rank);
    }
}
