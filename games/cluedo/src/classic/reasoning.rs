use rand_xoshiro::rand_core::SeedableRng as _;

use crate::bots::{Bot, Exact, ExactOptions, Logic, Memory, Policy};
use crate::classic::ai::Ai;
use crate::classic::message::Start;
use crate::classic::random::Stream;
use crate::classic::seats::AiType;
use crate::deal::hand_size;
use crate::deck::{Card, CardSet, Deck, Triple};
use crate::game::{Action, Event, Player, Seats};
use crate::knowledge::logic::Rules;
use crate::knowledge::seen::Seen;

/// How much less likely a person names a card of its own than another, at first: people bluff more often than AIs.
const PERSON_NAMES_OWN: f64 = 0.2;

/// An AI of any type.
#[derive(Debug)]
pub enum SeatedAi {
    /// It excludes its own cards and those it has been shown.
    Plain(Ai),
    /// A bot of the server, with the 21 cards and hands of any sizes.
    Reasoning(Box<Bot>),
}

pub fn seat_ai(rank: usize, start: &Start, hand: CardSet) -> SeatedAi {
    SeatedAi::new(start.seats, rank, start.ai_type, hand, Stream::from_seed(start.stream))
}

impl SeatedAi {
    pub fn new(seats: Seats, rank: usize, ai_type: AiType, hand: CardSet, rng: Stream) -> Self {
        if !ai_type.reasons() {
            return Self::Plain(Ai::new(ai_type, rank, hand, rng));
        }
        let sizes = (0..seats.count).map(|place| hand_size(Deck::CLASSIC, seats.count, place)).collect();
        let seen = Seen::new(Deck::CLASSIC, sizes, seats.first, rank, hand);
        let policy: Box<dyn Policy> = match ai_type {
            AiType::Memory => Box::new(Memory { is_literal: false }),
            AiType::Logic => Box::new(Logic { rules: Rules::Further }),
            // The others do not reason, and were seated above.
            AiType::Exact | AiType::Default | AiType::Listening | AiType::Mix => {
                let mut exact = Exact::new(ExactOptions::RANKS);
                exact.start(&seen);
                if seats.has_person() {
                    exact.guess(0, PERSON_NAMES_OWN);
                }
                Box::new(exact)
            }
        };
        Self::Reasoning(Box::new(Bot { policy, seen, rng }))
    }

    /// Returns what it must accuse of now, if it must.
    pub fn accusation(&self) -> Option<Triple> {
        match self {
            Self::Plain(ai) => ai.solution(),
            Self::Reasoning(bot) => bot.policy.accusation(&bot.seen),
        }
    }

    pub fn candidates(&self, kind: usize) -> CardSet {
        match self {
            Self::Plain(ai) => ai.candidates(kind),
            Self::Reasoning(bot) => bot.policy.candidates(&bot.seen, kind),
        }
    }

    fn player(&mut self) -> &mut dyn Player {
        match self {
            Self::Plain(ai) => ai,
            Self::Reasoning(bot) => &mut **bot,
        }
    }
}

impl Player for SeatedAi {
    fn turn(&mut self) -> Action {
        self.player().turn()
    }

    fn show(&mut self, of: CardSet, to: usize) -> Card {
        self.player().show(of, to)
    }

    fn observe(&mut self, event: &Event) {
        self.player().observe(event);
    }
}
