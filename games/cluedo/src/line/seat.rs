//! The game as one seat sees it: from the server's lines and its own answers to facts.

use std::ops::Deref;

use crate::deck::{CardSet, Deck};
use crate::game::Event;
use crate::knowledge::seen::Seen;
use crate::line::message::{Answer, Line};

/// The server's request to a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A hypothesis or an accusation.
    Act,
    /// One of these cards, which this suggester named; both may be unknown to a seat that was told nothing.
    Show { to: usize, named: CardSet },
}

/// The latest hypothesis, and the answers to it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hypothesis {
    /// Its cards as they were named.
    pub named: [usize; 3],
    /// The suggester, once known.
    pub suggester: Option<usize>,
    /// The card that was shown, if it was shown by me or to me.
    pub card: Option<usize>,
    /// Whether nobody else will be asked.
    is_answered: bool,
}

/// A seat of a course game: it follows the lines of the server, and derefs to what it has seen.
#[derive(Clone, Debug)]
pub struct Seat {
    pub seen: Seen,
    /// Its game, from 1; 0 before the first.
    pub game: u64,
    /// Lines that it did not understand.
    pub unknown_lines: u64,
    /// The events that the last line or answer told.
    pub events: Vec<Event>,
    pub hypothesis: Option<Hypothesis>,
    last_suggester: Option<usize>,
}

impl Deref for Seat {
    type Target = Seen;

    fn deref(&self) -> &Seen {
        &self.seen
    }
}

impl Seat {
    /// Takes a seat, as `B seat players` says.
    pub fn new(seat: usize, players: usize) -> Self {
        let seen = Seen::new(Deck::course(players), vec![3; players], 0, seat, CardSet::EMPTY);
        Self { seen, game: 0, unknown_lines: 0, events: Vec::new(), hypothesis: None, last_suggester: None }
    }

    /// Returns the card to show if the hand has none of those named: a defect of the server, which must be told something.
    pub fn forced_card(&self, named: CardSet) -> Option<usize> {
        let hand = self.facts.hand();
        (named & hand).is_empty().then(|| named.first().or_else(|| hand.first()).unwrap_or(0))
    }

    /// Takes a line of the server in; returns what the server waits for.
    pub fn hear(&mut self, line: Line) -> Option<Request> {
        let players = self.players();
        self.events.clear();
        match line {
            Line::Hand(hand) if hand.len() == 3 && (hand - self.facts.deck.all()).is_empty() => self.start(hand),
            Line::Turn => {
                self.turn_of(self.me());
                return Some(Request::Act);
            }
            // The own hypothesis comes back from some servers; it is not known as such after the seat was given back.
            Line::Hypothesis(_) if self.hypothesis.is_some_and(|now| self.is_mine(now) && !now.is_answered) => {}
            Line::Hypothesis(cards) if self.facts.deck.triple(cards).is_some() => {
                self.hypothesis = Some(Hypothesis { named: cards, ..Hypothesis::default() });
            }
            Line::Ask => {
                self.reacts(self.me());
                let (to, named) = self.hypothesis.map_or((self.me(), CardSet::EMPTY), |now| {
                    (now.suggester.unwrap_or(self.me()), CardSet::of(now.named))
                });
                return Some(Request::Show { to, named });
            }
            Line::Pass(seat) if seat < players => {
                if self.reacts(seat).is_some() {
                    self.happen(Event::Pass { seat });
                }
            }
            Line::Shown(seat) if seat < players => {
                if let Some(now) = self.reacts(seat).filter(|now| !now.is_answered) {
                    self.change(|now| now.is_answered = true);
                    // An own answer is known.
                    if let Some(to) = now.suggester.filter(|_| now.card.is_none()) {
                        self.happen(Event::Show { seat, to, card: None });
                    }
                }
            }
            Line::ShownToYou(seat, card) if seat < players => self.shown_to_me(seat, card),
            Line::Nobody => {
                if let Some(now) = self.hypothesis.filter(|now| !now.is_answered) {
                    self.change(|now| now.is_answered = true);
                    if let Some(seat) = now.suggester {
                        self.happen(Event::Unanswered { seat, cards: now.named });
                    }
                }
            }
            Line::Welcome { .. } | Line::Won(_) | Line::Error(_) => {}
            _ => self.unknown_lines += 1,
        }
        None
    }

    pub fn says(&mut self, answer: &Answer) {
        let seat = self.me();
        self.events.clear();
        match *answer {
            Answer::Hypothesis(cards) if self.facts.deck.triple(cards).is_some() => {
                let suggester = Some(seat);
                self.hypothesis = Some(Hypothesis { named: cards, suggester, ..Hypothesis::default() });
                self.happen(Event::Suggest { seat, cards });
            }
            Answer::Accusation(_) => self.happen(Event::Accuse { seat, cards: None, is_right: false }),
            Answer::Show(card) if card < self.facts.deck.len() => {
                if let Some(to) = self.hypothesis.and_then(|now| now.suggester) {
                    self.change(|now| now.card = Some(card));
                    self.happen(Event::Show { seat, to, card: Some(card) });
                }
            }
            Answer::Hello(_) | Answer::Hypothesis(_) | Answer::Show(_) => {}
        }
    }

    fn start(&mut self, hand: CardSet) {
        self.seen.restart(hand);
        self.game += 1;
        self.hypothesis = None;
        self.last_suggester = None;
    }

    fn happen(&mut self, event: Event) {
        self.seen.observe(&event);
        self.events.push(event);
    }

    fn is_mine(&self, now: Hypothesis) -> bool {
        now.suggester == Some(self.me())
    }

    fn change(&mut self, change: impl FnOnce(&mut Hypothesis)) {
        if let Some(now) = &mut self.hypothesis {
            change(now);
        }
    }

    /// A seat reacts to the current hypothesis; the first to react tells who made it.
    fn reacts(&mut self, seat: usize) -> Option<Hypothesis> {
        let players = self.players();
        self.is_made_by((seat + players - 1) % players);
        self.hypothesis
    }

    /// Takes in who made the current hypothesis, if that was not known.
    fn is_made_by(&mut self, suggester: usize) {
        let Some(now) = self.hypothesis.as_mut().filter(|now| now.suggester.is_none()) else { return };
        now.suggester = Some(suggester);
        let cards = now.named;
        self.turn_of(suggester);
        self.happen(Event::Suggest { seat: suggester, cards });
    }

    /// It is a seat's turn; seats that were passed over have accused wrongly.
    fn turn_of(&mut self, seat: usize) {
        let players = self.players();
        if let Some(last) = self.last_suggester {
            let mut next = (last + 1) % players;
            self.seen.turn += 1;
            while next != seat {
                if self.out >> next & 1 == 0 {
                    self.happen(Event::Accuse { seat: next, cards: None, is_right: false });
                }
                self.seen.turn += 1;
                next = (next + 1) % players;
            }
        }
        self.last_suggester = Some(seat);
    }

    fn shown_to_me(&mut self, seat: usize, card: usize) {
        // Only the suggester is told the card.
        self.is_made_by(self.me());
        let is_named = |now: Hypothesis| card < self.facts.deck.len() && now.named.contains(&card);
        if !self.hypothesis.is_some_and(|now| self.is_mine(now) && is_named(now)) {
            self.unknown_lines += 1;
            return;
        }
        self.change(|now| now.is_answered = true);
        // The same card may be shown again for another hypothesis, but only one for each.
        if let Some(now) = self.hypothesis.as_mut().filter(|now| now.card.is_none()) {
            now.card = Some(card);
            let to = self.me();
            self.happen(Event::Show { seat, to, card: Some(card) });
        }
    }
}
