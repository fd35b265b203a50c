//! One game as a state machine without input and output.

use crate::deck::{CardSet, Deck};
use crate::line::deal::Deal;
use crate::line::message::Fault;

/// What a player may do in its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Asks the others for one of three cards.
    Hypothesis([usize; 3]),
    /// Says what the secret is.
    Accusation([usize; 3]),
}

/// Something that happened; who may know of it is for the table to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A hypothesis, the cards as they were named.
    Hypothesis {
        /// Who made it.
        seat: usize,
        /// Its cards.
        cards: [usize; 3],
    },
    /// A player has none of the cards.
    Pass {
        /// Who.
        seat: usize,
    },
    /// A player showed a card.
    Shown {
        /// Who.
        seat: usize,
        /// To whom.
        to: usize,
        /// Which.
        card: usize,
    },
    /// Nobody showed a card to this seat.
    Nobody {
        /// The suggester.
        to: usize,
    },
    /// An accusation, cards by type.
    Accusation {
        /// Who made it.
        seat: usize,
        /// Its cards.
        cards: [usize; 3],
        /// Whether it was right; the game is over then.
        right: bool,
    },
    /// The turn limit, or nobody may play: the game is over.
    Limit,
}

/// Whom a game waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// This seat's hypothesis or accusation.
    Turn {
        /// Whose turn it is.
        seat: usize,
    },
    /// A card from this seat.
    Card {
        /// Who is asked.
        seat: usize,
        /// Who asks.
        to: usize,
        /// For which cards.
        cards: CardSet,
    },
    /// Nobody: this seat has won, or no seat.
    Over {
        /// The winner.
        winner: Option<usize>,
    },
}

/// A game: deal, turn, who is out, whom it waits for.
#[derive(Clone, Debug)]
pub struct Game {
    deck: Deck,
    deal: Deal,
    first: usize,
    turn: usize,
    limit: usize,
    out: u32,
    waiting: Waiting,
}

impl Game {
    /// Begins a game. Seats in the bit set `out` get no turns; the game stops when `turn > limit`.
    pub fn new(deal: Deal, first: usize, limit: usize, out: u32, events: &mut Vec<Event>) -> Self {
        let deck = Deck::course(deal.hands.len());
        let waiting = Waiting::Over { winner: None };
        let mut game = Self { deck, deal, first, turn: 0, limit, out, waiting };
        game.find_turn(events);
        game
    }

    /// Returns the turn limit of the rules: N^3.
    pub const fn default_limit(players: usize) -> usize {
        players.pow(3)
    }

    /// Returns whom the game waits for.
    pub const fn waiting(&self) -> Waiting {
        self.waiting
    }

    /// Returns the deal.
    pub const fn deal(&self) -> &Deal {
        &self.deal
    }

    /// Returns the number of seats visited before this turn.
    pub const fn turn(&self) -> usize {
        self.turn
    }

    /// Returns the seats that have no turns any more, as bits.
    pub const fn out(&self) -> u32 {
        self.out
    }

    /// Returns the cards that the seat that is asked may show.
    pub fn showable(&self) -> CardSet {
        match self.waiting {
            Waiting::Card { seat, cards, .. } => self.deal.hands[seat] & cards,
            Waiting::Turn { .. } | Waiting::Over { .. } => CardSet::EMPTY,
        }
    }

    /// Plays the turn of the seat that the game waits for.
    ///
    /// # Errors
    /// When the cards are not one of each type, or no turn is waited for; nothing has changed then.
    pub fn act(&mut self, action: Action, events: &mut Vec<Event>) -> Result<(), Fault> {
        let Waiting::Turn { seat } = self.waiting else { return Err(Fault::Action) };
        let (Action::Hypothesis(cards) | Action::Accusation(cards)) = action;
        let sorted = self.deck.triple(cards).ok_or(Fault::Action)?;
        match action {
            Action::Hypothesis(_) => {
                events.push(Event::Hypothesis { seat, cards });
                self.ask(seat, CardSet::of(cards), events);
            }
            Action::Accusation(_) => {
                let right = sorted == self.deal.secret;
                events.push(Event::Accusation { seat, cards: sorted, right });
                if right {
                    self.waiting = Waiting::Over { winner: Some(seat) };
                } else {
                    self.out |= 1 << seat;
                    self.turn += 1;
                    self.find_turn(events);
                }
            }
        }
        Ok(())
    }

    /// Shows a card of the seat that the game waits for.
    ///
    /// # Errors
    /// When the card was not named, is not held, or none is waited for; nothing has changed then.
    pub fn show(&mut self, card: usize, events: &mut Vec<Event>) -> Result<(), Fault> {
        let Waiting::Card { seat, to, .. } = self.waiting else { return Err(Fault::Card) };
        if card >= self.deck.len() || !self.showable().contains(card) {
            return Err(Fault::Card);
        }
        events.push(Event::Shown { seat, to, card });
        self.turn += 1;
        self.find_turn(events);
        Ok(())
    }

    /// Takes a seat's turns away, also the one that it has now.
    pub fn forfeit(&mut self, seat: usize, events: &mut Vec<Event>) {
        self.out |= 1 << seat;
        if self.waiting == (Waiting::Turn { seat }) {
            self.turn += 1;
            self.find_turn(events);
        }
    }

    /// Ends the game without a winner.
    pub const fn stop(&mut self) {
        self.waiting = Waiting::Over { winner: None };
    }

    /// Passes for those who have none of the cards, up to the first who has some.
    fn ask(&mut self, suggester: usize, cards: CardSet, events: &mut Vec<Event>) {
        let players = self.deal.hands.len();
        for seat in (1..players).map(|step| (suggester + step) % players) {
            if self.deal.hands[seat].meets(cards) {
                self.waiting = Waiting::Card { seat, to: suggester, cards };
                return;
            }
            events.push(Event::Pass { seat });
        }
        events.push(Event::Nobody { to: suggester });
        self.turn += 1;
        self.find_turn(events);
    }

    /// Waits for the next player who may play.
    fn find_turn(&mut self, events: &mut Vec<Event>) {
        let players = self.deal.hands.len();
        let all_out = self.out.count_ones() as usize >= players;
        while !all_out && self.turn <= self.limit {
            let seat = (self.first + self.turn) % players;
            if self.out >> seat & 1 == 0 {
                self.waiting = Waiting::Turn { seat };
                return;
            }
            self.turn += 1;
        }
        self.waiting = Waiting::Over { winner: None };
        events.push(Event::Limit);
    }
}
