//! Whose turn it is, who is asked and who is out: one game for both sets of rules.
//!
//! A [`Game`] knows no hands. It follows [events](Event) and refuses those out of turn. With its [`Deal`] it also judges them
//! ([`Game::judge`]), or makes them from what players decide ([`Game::act`], [`Game::show`]).

use thiserror::Error;

use crate::deal::Deal;
use crate::deck::{Card, CardSet, Triple};
pub use crate::seats::{Asking, Seats};

/// Why an event cannot happen, or is not true of the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RuleError {
    #[error("the game is over already")]
    Over,
    #[error("it is the turn of seat {due}, not {seat}")]
    Turn { seat: usize, due: usize },
    #[error("seat {0} has not answered the last suggestion yet")]
    Unanswered(usize),
    #[error("seat {due} must answer, not {seat}")]
    Answer { seat: usize, due: usize },
    #[error("seat {0} answers, but nothing was suggested")]
    Unasked(usize),
    #[error("seat {0} passes, but has a card")]
    Pass(usize),
    #[error("seat {0} cannot show this card")]
    Show(usize),
    #[error("the accusation is judged wrongly")]
    Judgement,
}

/// A player's decision in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// It asks the others for one of three cards.
    Suggest(Triple),
    /// It claims that these three are the solution.
    Accuse(Triple),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A seat asks the others for one of three cards.
    Suggest { seat: usize, cards: Triple },
    /// A seat has none of them.
    Pass { seat: usize },
    /// A seat shows one of them to the seat that suggested them. The card is known to these two only.
    Show { seat: usize, to: usize, card: Option<Card> },
    /// No seat had one of the cards that this one suggested.
    Unanswered { seat: usize, cards: Triple },
    /// A seat accuses. The cards may be hidden from others.
    Accuse { seat: usize, cards: Option<Triple>, is_right: bool },
    /// A seat's client makes an error with this number.
    Fault { seat: usize, code: u32 },
    /// A person leaves, which ends the game.
    Leave { seat: usize },
}

/// A player of either game: a bot, an AI of the classic game, or a person who never leaves.
pub trait Player {
    fn turn(&mut self) -> Action;

    /// Chooses one of these cards of its hand to show to another seat.
    fn show(&mut self, of: CardSet, to: usize) -> Card;

    /// Takes in an event [as its seat sees it](Event::seen_by).
    fn observe(&mut self, _event: &Event) {}
}

/// The move that a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// The suggestion or the accusation of this seat.
    Turn { seat: usize },
    /// The answer of a seat to the suggestion of another: a card, or none.
    Answer { seat: usize, to: usize, cards: Triple },
    /// Nothing: it is over.
    Over { winner: Option<usize> },
}

/// A game without its cards.
#[derive(Clone, Debug)]
pub struct Game {
    seats: Seats,
    asking: Asking,
    limit: usize,
    turn: usize,
    /// The seat whose turn it is, or was last.
    active: usize,
    out: u32,
    waiting: Waiting,
}

impl Event {
    /// Returns the event as a seat sees it: a card that is shown is known to the two seats concerned only.
    #[inline]
    #[must_use]
    pub fn seen_by(self, viewer: usize) -> Self {
        match self {
            Self::Show { seat, to, .. } if viewer != seat && viewer != to => Self::Show { seat, to, card: None },
            other => other,
        }
    }
}

impl Game {
    /// Begins a game at a seat. It ends without a winner when more than `limit` seats were visited.
    #[inline]
    pub const fn new(seats: Seats, first: usize, asking: Asking, limit: usize) -> Self {
        Self { seats, asking, limit, turn: 0, active: first, out: 0, waiting: Waiting::Turn { seat: first } }
    }

    /// Begins a course game.
    pub const fn course(players: usize, first: usize, limit: usize) -> Self {
        Self::new(Seats { first: 0, count: players }, first, Asking::Cyclic, limit)
    }

    #[inline]
    pub const fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// The cards that the seat that is asked may show.
    pub fn choices(&self, deal: &Deal) -> CardSet {
        match self.waiting {
            Waiting::Answer { seat, cards, .. } => deal.hand(seat) & CardSet::of(cards),
            Waiting::Turn { .. } | Waiting::Over { .. } => CardSet::EMPTY,
        }
    }

    /// How many seats were visited before this turn, those that are out included.
    #[inline]
    pub const fn turn(&self) -> usize {
        self.turn
    }

    pub const fn is_out(&self, seat: usize) -> bool {
        self.out >> seat & 1 == 1
    }

    /// Follows an event, and returns the one that follows from it: that no seat has answered. An error changes nothing.
    pub fn apply(&mut self, event: &Event) -> Result<Option<Event>, RuleError> {
        match (*event, self.waiting) {
            (Event::Fault { .. }, _) => Ok(None),
            (_, Waiting::Over { .. }) => Err(RuleError::Over),
            (Event::Suggest { seat, .. } | Event::Accuse { seat, .. }, Waiting::Turn { seat: due }) if seat != due => {
                Err(RuleError::Turn { seat, due })
            }
            (Event::Suggest { .. } | Event::Accuse { .. }, Waiting::Answer { seat: due, .. }) => {
                Err(RuleError::Unanswered(due))
            }
            (Event::Pass { seat } | Event::Show { seat, .. }, Waiting::Answer { seat: due, .. }) if seat != due => {
                Err(RuleError::Answer { seat, due })
            }
            (Event::Pass { seat } | Event::Show { seat, .. }, Waiting::Turn { .. })
            | (Event::Unanswered { seat, .. }, _) => Err(RuleError::Unasked(seat)),
            _ => Ok(self.advance(event)),
        }
    }

    /// Follows an event that must also be true of the cards. A card that is shown must be known.
    pub fn judge(&mut self, event: &Event, deal: &Deal) -> Result<Option<Event>, RuleError> {
        let held = self.choices(deal);
        let follows = self.apply(event)?;
        match *event {
            Event::Pass { seat } if !held.is_empty() => Err(RuleError::Pass(seat)),
            Event::Show { seat, card, .. } if !card.is_some_and(|card| held.contains(card)) => {
                Err(RuleError::Show(seat))
            }
            Event::Accuse { cards: Some(cards), is_right, .. } if is_right != (cards == deal.solution) => {
                Err(RuleError::Judgement)
            }
            _ => Ok(follows),
        }
    }

    /// Plays the turn of the seat that has it, and passes for all that have none of the cards. Does nothing when no turn is
    /// waited for.
    #[inline]
    pub fn act(&mut self, action: Action, deal: &Deal, mut on: impl FnMut(Event)) {
        let Waiting::Turn { seat } = self.waiting else { return };
        match action {
            Action::Suggest(cards) => {
                on(Event::Suggest { seat, cards });
                let named = CardSet::of(cards);
                for asked in self.seats.asked(seat, self.asking) {
                    if deal.hand(asked).meets(named) {
                        self.waiting = Waiting::Answer { seat: asked, to: seat, cards };
                        return;
                    }
                    on(Event::Pass { seat: asked });
                }
                self.end_turn();
                on(Event::Unanswered { seat, cards });
            }
            Action::Accuse(cards) => {
                let event = Event::Accuse { seat, cards: Some(cards), is_right: cards == deal.solution };
                self.advance(&event);
                on(event);
            }
        }
    }

    /// Shows a card of the seat that is asked. Does nothing when none is waited for.
    #[inline]
    pub fn show(&mut self, card: Card, mut on: impl FnMut(Event)) {
        if let Waiting::Answer { seat, to, .. } = self.waiting {
            self.end_turn();
            on(Event::Show { seat, to, card: Some(card) });
        }
    }

    /// Ends the turn of a suggestion whose answers are not heard.
    pub fn skip_answers(&mut self) {
        if let Waiting::Answer { .. } = self.waiting {
            self.end_turn();
        }
    }

    /// Takes a seat's turns away, the one that it has now included.
    pub fn forfeit(&mut self, seat: usize) {
        self.out |= 1 << seat;
        if self.waiting == (Waiting::Turn { seat }) {
            self.end_turn();
        }
    }

    /// Ends the game without a winner.
    pub const fn stop(&mut self) {
        self.waiting = Waiting::Over { winner: None };
    }

    /// Follows an event that can happen.
    fn advance(&mut self, event: &Event) -> Option<Event> {
        match *event {
            Event::Suggest { seat, cards } => return self.ask(seat, seat, cards),
            Event::Pass { seat } => {
                if let Waiting::Answer { to, cards, .. } = self.waiting {
                    return self.ask(seat, to, cards);
                }
            }
            Event::Show { .. } => self.end_turn(),
            Event::Accuse { seat, is_right: true, .. } => self.waiting = Waiting::Over { winner: Some(seat) },
            Event::Accuse { seat, .. } => {
                self.out |= 1 << seat;
                self.end_turn();
            }
            Event::Leave { .. } => self.stop(),
            Event::Unanswered { .. } | Event::Fault { .. } => {}
        }
        None
    }

    /// Asks the seat after another, if there is one.
    fn ask(&mut self, last: usize, to: usize, cards: Triple) -> Option<Event> {
        let mut asked = self.seats.asked(to, self.asking);
        if last != to {
            asked.find(|&seat| seat == last);
        }
        if let Some(seat) = asked.next() {
            self.waiting = Waiting::Answer { seat, to, cards };
            return None;
        }
        self.end_turn();
        Some(Event::Unanswered { seat: to, cards })
    }

    #[inline]
    fn end_turn(&mut self) {
        self.turn += 1;
        self.active = self.seats.after(self.active);
        self.find_turn();
    }

    /// Waits for the next seat that may play.
    #[inline]
    fn find_turn(&mut self) {
        while self.turn <= self.limit {
            if !self.is_out(self.active) {
                self.waiting = Waiting::Turn { seat: self.active };
                return;
            }
            if self.out & self.seats.bits() == self.seats.bits() {
                break;
            }
            self.turn += 1;
            self.active = self.seats.after(self.active);
        }
        self.stop();
    }
}
