//! Bots 0 to 4.

mod exact;
pub mod play;
mod simple;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::deck::{Card, CardSet, Triple};
use crate::game::{Action, Event, Player};
use crate::knowledge::logic::Rules;
use crate::knowledge::seen::Seen;

pub use exact::{Exact, ExactOptions, Learning};
pub use simple::{First, Information, Logic, Memory};

/// How a bot decides.
pub trait Policy: std::fmt::Debug + Send {
    /// A game begins; the seat has its hand.
    fn start(&mut self, _seen: &Seen) {}

    /// Returns what it accuses of now, if it does.
    fn accusation(&self, seen: &Seen) -> Option<Triple>;

    /// Returns the cards of a type that it may name.
    fn candidates(&self, seen: &Seen, kind: usize) -> CardSet;

    /// Decides in its turn: it accuses, or names one of the candidates of each type.
    fn act(&mut self, seen: &Seen, rng: &mut Xoshiro256PlusPlus) -> Action {
        match self.accusation(seen) {
            Some(secret) => Action::Accuse(secret),
            None => Action::Suggest(any_triple([0, 1, 2].map(|kind| self.candidates(seen, kind)), rng)),
        }
    }

    /// Chooses one of these cards, which the seat holds, to show to another.
    fn show(&mut self, seen: &Seen, cards: CardSet, to: usize, rng: &mut Xoshiro256PlusPlus) -> Option<Card>;

    /// Returns the chance that it gave its last accusation, if it counts chances.
    fn announced(&self) -> Option<f64> {
        None
    }

    fn finish(&mut self, _seen: &Seen) {}
}

/// A player of the classic game that decides by a policy.
#[derive(Debug)]
pub struct Bot {
    pub policy: Box<dyn Policy>,
    pub seen: Seen,
    pub rng: Xoshiro256PlusPlus,
}

impl Player for Bot {
    fn turn(&mut self) -> Action {
        self.policy.act(&self.seen, &mut self.rng)
    }

    fn show(&mut self, of: CardSet, to: usize) -> Card {
        let card = self.policy.show(&self.seen, of, self.seen.place(to), &mut self.rng);
        card.or(of.first()).unwrap_or(0)
    }

    fn observe(&mut self, event: &Event) {
        self.seen.observe(event);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Bot0,
    /// Accuses at once cards of the wrong types.
    Bot0Literal,
    /// Remembers what it was shown.
    Bot1,
    /// The same; accuses only after a hypothesis that nobody answered.
    Bot1Literal,
    /// The strict rules.
    Bot2,
    /// The further rules too.
    Bot2Extended,
    /// Those, and the questions that most likely nobody can answer.
    Bot3,
    Bot4,
}

impl Kind {
    pub const ALL: [Self; 8] = [
        Self::Bot0,
        Self::Bot0Literal,
        Self::Bot1,
        Self::Bot1Literal,
        Self::Bot2,
        Self::Bot2Extended,
        Self::Bot3,
        Self::Bot4,
    ];

    pub const fn name(self) -> &'static str {
        ["bot0", "bot0-literal", "bot1", "bot1-literal", "bot2", "bot2-extended", "bot3", "bot4"][self as usize]
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    pub fn policy(self) -> Box<dyn Policy> {
        match self {
            Self::Bot0 => Box::new(First { is_literal: false }),
            Self::Bot0Literal => Box::new(First { is_literal: true }),
            Self::Bot1 => Box::new(Memory { is_literal: false }),
            Self::Bot1Literal => Box::new(Memory { is_literal: true }),
            Self::Bot2 => Box::new(Logic { rules: Rules::Strict }),
            Self::Bot2Extended => Box::new(Logic { rules: Rules::Further }),
            Self::Bot3 => Box::new(Information),
            Self::Bot4 => Box::new(Exact::new(ExactOptions::default())),
        }
    }
}

fn any(cards: CardSet, rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
    match cards.len() {
        0 => None,
        1 => cards.first(),
        count => cards.nth(rng.random_range(0..count)),
    }
}

fn any_triple(cards: [CardSet; 3], rng: &mut Xoshiro256PlusPlus) -> [usize; 3] {
    cards.map(|cards| any(cards, rng).unwrap_or(0))
}

/// Returns one of the cards that are also in the first of the sets that has some of them.
fn prefer(cards: CardSet, sets: &[CardSet], rng: &mut Xoshiro256PlusPlus) -> Option<usize> {
    let best = sets.iter().map(|&set| set & cards).find(|set| !set.is_empty());
    any(best.unwrap_or(cards), rng)
}
