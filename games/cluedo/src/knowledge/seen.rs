//! A seat's observations of a game, event by event.

use crate::deck::{CardSet, Deck, Triple};
use crate::game::Event;
use crate::knowledge::facts::Facts;

/// Everything that a seat has seen of a game.
#[derive(Clone, Debug)]
pub struct Seen {
    pub facts: Facts,
    /// Turns so far, of all seats, where there is a limit to them.
    pub turn: usize,
    /// Seats that have accused wrongly, as bits.
    pub out: u32,
    /// The cards of wrong accusations, where they are told.
    pub wrong: Vec<Triple>,
    /// A suggestion of its own that no seat answered.
    pub unanswered: Option<Triple>,
    /// The own cards that each seat has been shown.
    pub shown_to: Vec<CardSet>,
    /// The number of the first seat: facts count from 0.
    first: usize,
    /// The cards of the last suggestion.
    named: CardSet,
}

impl Seen {
    /// Begins with the sizes of all hands from seat `first` on, and the hand of seat `me`.
    pub fn new(deck: Deck, sizes: Vec<usize>, first: usize, me: usize, hand: CardSet) -> Self {
        let shown_to = vec![CardSet::EMPTY; sizes.len()];
        let facts = Facts::new(deck, sizes, me - first, hand);
        Self { facts, turn: 0, out: 0, wrong: Vec::new(), unanswered: None, shown_to, first, named: CardSet::EMPTY }
    }

    /// Begins another game of the same seats.
    pub fn restart(&mut self, hand: CardSet) {
        let Facts { deck, sizes, me, .. } = &mut self.facts;
        *self = Self::new(*deck, std::mem::take(sizes), self.first, *me + self.first, hand);
    }

    pub const fn me(&self) -> usize {
        self.facts.me
    }

    pub fn players(&self) -> usize {
        self.facts.players()
    }

    /// The number of other seats that may still win.
    pub fn rivals(&self) -> usize {
        (0..self.players()).filter(|&seat| seat != self.me() && self.out >> seat & 1 == 0).count()
    }

    /// The number of a seat among facts.
    pub const fn place(&self, seat: usize) -> usize {
        seat - self.first
    }

    /// Takes in an event as this seat sees it.
    pub fn observe(&mut self, event: &Event) {
        let (me, first) = (self.me(), self.first);
        let place = |seat: usize| seat - first;
        match *event {
            Event::Suggest { seat, cards } => {
                self.named = CardSet::of(cards);
                if place(seat) != me {
                    self.facts.suggests(place(seat), self.named);
                }
            }
            Event::Pass { seat } => self.facts.passes(place(seat), self.named),
            Event::Show { seat, to, card } => match card {
                Some(card) if place(seat) == me => self.shown_to[place(to)].insert(card),
                Some(card) => self.facts.shows_me(place(seat), self.named, card),
                None if place(to) != me => self.facts.shows(place(seat), self.named),
                None => {}
            },
            Event::Unanswered { seat, cards } if place(seat) == me => self.unanswered = Some(cards),
            Event::Accuse { seat, cards, is_right: false } => {
                self.out |= 1 << place(seat);
                self.wrong.extend(cards);
            }
            Event::Unanswered { .. } | Event::Accuse { .. } | Event::Fault { .. } | Event::Leave { .. } => {}
        }
    }
}
