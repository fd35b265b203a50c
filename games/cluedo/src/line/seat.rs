//! The game as one seat sees it: from the server's lines and its own answers to facts.

use crate::deck::CardSet;
use crate::knowledge::facts::Facts;
use crate::line::message::{Answer, Line};

/// What the server wants from a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A hypothesis or an accusation.
    Act,
    /// One of these cards, which this suggester named; both may be unknown to a seat that was told nothing.
    Show {
        /// Who asks.
        to: usize,
        /// The cards that were named.
        named: CardSet,
    },
}

/// The latest hypothesis, and the answers to it.
#[derive(Clone, Copy, Debug)]
pub struct Hypothesis {
    /// Its cards as they were named.
    pub named: [usize; 3],
    /// Its cards.
    pub cards: CardSet,
    /// Who made it, once that can be told.
    pub suggester: Option<usize>,
    /// Who had none of the cards, as bits.
    pub passed: u32,
    /// Who showed a card.
    pub shown_by: Option<usize>,
    /// The card that was shown, if it was shown by me or to me.
    pub card: Option<usize>,
    /// Whether nobody else will be asked.
    is_answered: bool,
}

impl Hypothesis {
    const fn new(named: [usize; 3], suggester: Option<usize>) -> Self {
        let cards = CardSet::of(named);
        Self { named, cards, suggester, passed: 0, shown_by: None, card: None, is_answered: false }
    }
}

/// A seat of a course game.
#[derive(Clone, Debug)]
pub struct Seat {
    /// What it knows of this game.
    pub facts: Facts,
    /// Its game, from 1; 0 before the first.
    pub game: u64,
    /// Turns so far, of all seats, as far as they can be told.
    pub turn: usize,
    /// Seats that have accused wrongly, as bits.
    pub out: u32,
    /// What they accused of, where that is told.
    pub wrong: Vec<[usize; 3]>,
    /// A hypothesis of its own that nobody answered.
    pub unanswered: Option<[usize; 3]>,
    /// Whether it has made a hypothesis in this game.
    pub has_asked: bool,
    /// Which of its cards each seat has been shown.
    pub shown_to: Vec<CardSet>,
    /// Lines that it did not understand.
    pub unknown_lines: u64,
    current: Option<Hypothesis>,
    last_suggester: Option<usize>,
}

impl Seat {
    /// Takes a seat, as `B seat players` says.
    pub fn new(seat: usize, players: usize) -> Self {
        Self::of(Facts::course(players, seat, CardSet::EMPTY))
    }

    /// Takes the seat that has these facts, of any cards.
    pub fn of(facts: Facts) -> Self {
        let players = facts.players();
        Self {
            facts,
            game: 0,
            turn: 0,
            out: 0,
            wrong: Vec::new(),
            unanswered: None,
            has_asked: false,
            shown_to: vec![CardSet::EMPTY; players],
            unknown_lines: 0,
            current: None,
            last_suggester: None,
        }
    }

    /// Returns its number.
    pub const fn me(&self) -> usize {
        self.facts.me
    }

    /// Returns how many play.
    pub fn players(&self) -> usize {
        self.facts.players()
    }

    /// Returns the number of other seats that may still win.
    pub fn rivals(&self) -> usize {
        (0..self.players()).filter(|&seat| seat != self.me() && self.out >> seat & 1 == 0).count()
    }

    /// Returns the latest hypothesis of this game.
    pub const fn hypothesis(&self) -> Option<Hypothesis> {
        self.current
    }

    /// Takes a line of the server in; returns what the server waits for.
    pub fn hear(&mut self, line: Line) -> Option<Request> {
        let players = self.players();
        match line {
            Line::Hand(hand) if hand.len() == 3 && (hand - self.facts.deck.all()).is_empty() => self.start(hand),
            Line::Turn => {
                self.turn_of(self.me());
                return Some(Request::Act);
            }
            // The own hypothesis comes back from some servers; it is not known as such after the seat was given back.
            Line::Hypothesis(_) if self.current.is_some_and(|now| self.is_mine(now) && !now.is_answered) => {}
            Line::Hypothesis(cards) if self.facts.deck.triple(cards).is_some() => {
                self.current = Some(Hypothesis::new(cards, None));
            }
            Line::Ask => {
                self.reacts(self.me());
                let (to, named) = self
                    .current
                    .map_or((self.me(), CardSet::EMPTY), |now| (now.suggester.unwrap_or(self.me()), now.cards));
                return Some(Request::Show { to, named });
            }
            Line::Pass(seat) if seat < players => {
                if let Some(now) = self.reacts(seat) {
                    self.facts.passes(seat, now.cards);
                    self.change(|now| now.passed |= 1 << seat);
                }
            }
            Line::Shown(seat) if seat < players => {
                if let Some(now) = self.reacts(seat).filter(|now| !now.is_answered) {
                    self.change(|now| (now.is_answered, now.shown_by) = (true, Some(seat)));
                    if !self.is_mine(now) {
                        self.facts.shows(seat, now.cards);
                    }
                }
            }
            Line::ShownToYou(seat, card) if seat < players => self.shown_to_me(seat, card),
            Line::Nobody => {
                if let Some(now) = self.current.filter(|now| !now.is_answered) {
                    self.unanswered = if self.is_mine(now) { Some(now.named) } else { self.unanswered };
                    self.change(|now| now.is_answered = true);
                }
            }
            Line::Welcome { .. } | Line::Won(_) | Line::Error(_) => {}
            _ => self.unknown_lines += 1,
        }
        None
    }

    /// Takes an own answer in.
    pub fn says(&mut self, answer: &Answer) {
        match *answer {
            Answer::Hypothesis(cards) if self.facts.deck.triple(cards).is_some() => {
                self.current = Some(Hypothesis::new(cards, Some(self.me())));
                self.has_asked = true;
            }
            Answer::Accusation(_) => self.out |= 1 << self.me(),
            Answer::Show(card) => {
                if let Some(to) = self.current.and_then(|now| now.suggester).filter(|_| card < self.facts.deck.len()) {
                    self.shown_to[to].insert(card);
                    if to != self.me() {
                        let me = self.me();
                        self.change(|now| (now.shown_by, now.card) = (Some(me), Some(card)));
                    }
                }
            }
            Answer::Hello(_) | Answer::Hypothesis(_) => {}
        }
    }

    fn start(&mut self, hand: CardSet) {
        self.facts.restart(hand);
        self.game += 1;
        self.turn = 0;
        self.out = 0;
        self.wrong.clear();
        self.unanswered = None;
        self.has_asked = false;
        self.shown_to.fill(CardSet::EMPTY);
        self.current = None;
        self.last_suggester = None;
    }

    fn is_mine(&self, now: Hypothesis) -> bool {
        now.suggester == Some(self.me())
    }

    fn change(&mut self, change: impl FnOnce(&mut Hypothesis)) {
        if let Some(now) = &mut self.current {
            change(now);
        }
    }

    /// A seat reacts to the current hypothesis; the first to react tells who made it.
    fn reacts(&mut self, seat: usize) -> Option<Hypothesis> {
        let players = self.players();
        self.is_made_by((seat + players - 1) % players);
        self.current
    }

    /// Takes in who made the current hypothesis, if that was not known.
    fn is_made_by(&mut self, suggester: usize) {
        let Some(now) = self.current.as_mut().filter(|now| now.suggester.is_none()) else { return };
        now.suggester = Some(suggester);
        let cards = now.cards;
        self.turn_of(suggester);
        if suggester == self.me() {
            self.has_asked = true;
        } else {
            self.facts.suggests(suggester, cards);
        }
    }

    /// It is a seat's turn; seats that were passed over have accused wrongly.
    fn turn_of(&mut self, seat: usize) {
        let players = self.players();
        if let Some(last) = self.last_suggester {
            let mut next = (last + 1) % players;
            self.turn += 1;
            while next != seat {
                self.out |= 1 << next;
                self.turn += 1;
                next = (next + 1) % players;
            }
        }
        self.last_suggester = Some(seat);
    }

    fn shown_to_me(&mut self, seat: usize, card: usize) {
        // Only the suggester is told the card.
        self.is_made_by(self.me());
        let is_named = |now: Hypothesis| card < self.facts.deck.len() && now.cards.contains(card);
        if !self.current.is_some_and(|now| self.is_mine(now) && is_named(now)) {
            self.unknown_lines += 1;
            return;
        }
        self.change(|now| now.is_answered = true);
        // The same card may be shown again for another hypothesis, but only one for each.
        if let Some(now) = self.current.as_mut().filter(|now| now.card.is_none()) {
            (now.shown_by, now.card) = (Some(seat), Some(card));
            self.facts.shows_me(seat, now.cards, card);
        }
    }
}
