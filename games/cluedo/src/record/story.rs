//! A game as those who look on can follow it, turn by turn, and what they know at a moment.

use thiserror::Error;

use crate::deck::{CardSet, Deck, Triple};
use crate::fail::fail_if;
use crate::game::Event;
use crate::knowledge::facts::Facts;
use crate::knowledge::view::{Counted, View};

/// Which game it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// 21 cards, accusations are public.
    Classic,
    /// N + 1 cards of each type, accusations are secret until the end.
    Course,
}

/// A turn, or something that a seat did out of turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub seat: usize,
    pub act: Act,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    Suggestion {
        /// The cards as they were named.
        cards: [usize; 3],
        /// The seats without a matching card, in order.
        passed: Vec<usize>,
        shown: Option<Answered>,
    },
    /// It accused; of what, and whether it was right, may be unknown.
    Accusation {
        /// The cards, and whether they are the secret.
        cards: Option<([usize; 3], bool)>,
    },
    /// Its client made an error with this number.
    Fault(u32),
    Leave,
}

/// The seat that showed a card, and the card, if known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    pub seat: usize,
    pub card: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A seat has won.
    Won(usize),
    Nobody,
    /// An error with this number.
    Error(u32),
}

/// Maximum number of states of a count for a page or a line of text; above, only conclusions by rules are shown.
const MAX_STATES: usize = 1 << 19;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// Knows what all hear.
    Spectator,
    /// Knows what this seat has seen.
    Seat(usize),
    /// Knows everything, after the end.
    All,
}

/// A game: what all may know, and of hands and the secret what is known to the one who tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    pub rules: Rules,
    /// Its table; 0 for classic games.
    pub table: u64,
    /// Its number at the table.
    pub game: u64,
    /// The players' names.
    pub seats: Vec<String>,
    pub deck: Deck,
    pub sizes: Vec<usize>,
    /// The fingerprint of the deal, published before the game.
    pub commitment: String,
    pub turns: Vec<Turn>,
    /// The hands that are known: all after the end.
    pub hands: Vec<Option<CardSet>>,
    /// The secret, after the end.
    pub secret: Option<[usize; 3]>,
    pub ending: Option<Ending>,
}

/// Why an event or an end does not fit a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum StoryError {
    #[error("{0:?} are not a card of each type")]
    Cards(Triple),
    #[error("seat {0} was not asked")]
    NotAsked(usize),
    #[error("there is no such card")]
    NoCard,
    #[error("there is no seat {0}")]
    NoSeat(usize),
    #[error("the last line does not tell who had which card")]
    Deal,
}

impl Story {
    /// Begins a game of which no hand is known.
    pub fn new(rules: Rules, seats: Vec<String>, deck: Deck, sizes: Vec<usize>) -> Self {
        let (hands, turns) = (vec![None; seats.len()], Vec::new());
        let (table, game, commitment) = (0, 0, String::new());
        Self { rules, table, game, seats, deck, sizes, commitment, turns, hands, secret: None, ending: None }
    }

    pub const fn players(&self) -> usize {
        self.seats.len()
    }

    /// Takes an event in, as far as its cards are known.
    /// Fails when there is no such seat or card, or a seat answers that was not asked.
    pub fn note(&mut self, event: &Event) -> Result<(), StoryError> {
        let legal = |cards| self.deck.triple(cards).ok_or(StoryError::Cards(cards));
        match *event {
            Event::Suggest { seat, cards } => {
                legal(cards)?;
                self.push(seat, Act::Suggestion { cards, passed: Vec::new(), shown: None })
            }
            Event::Accuse { seat, cards, is_right } => {
                cards.map(legal).transpose()?;
                self.push(seat, Act::Accusation { cards: cards.map(|cards| (cards, is_right)) })
            }
            Event::Fault { seat, code } => self.push(seat, Act::Fault(code)),
            Event::Leave { seat } => self.push(seat, Act::Leave),
            Event::Pass { seat } => {
                self.check(seat)?;
                match self.open() {
                    Some((passed, None)) if passed.contains(&seat) => Ok(()),
                    Some((passed, None)) => {
                        passed.push(seat);
                        Ok(())
                    }
                    _ => Err(StoryError::NotAsked(seat)),
                }
            }
            Event::Show { seat, card, .. } => {
                self.check(seat)?;
                fail_if(card.is_some_and(|card| card >= self.deck.len()), StoryError::NoCard)?;
                match self.open() {
                    Some((_, shown)) if shown.is_none_or(|by| by.card.is_none() && card.is_some()) => {
                        *shown = Some(Answered { seat, card });
                        Ok(())
                    }
                    _ => Err(StoryError::NotAsked(seat)),
                }
            }
            Event::Unanswered { .. } => Ok(()),
        }
    }

    /// Returns the seat that has made the last suggestion.
    pub fn suggester(&self) -> usize {
        let is_suggestion = |turn: &&Turn| matches!(turn.act, Act::Suggestion { .. });
        self.turns.iter().rev().find(is_suggestion).map_or(0, |turn| turn.seat)
    }

    fn push(&mut self, seat: usize, act: Act) -> Result<(), StoryError> {
        self.check(seat)?;
        self.turns.push(Turn { seat, act });
        Ok(())
    }

    /// Ends the game and tells all that was secret; `shown` and `accused` are cards in the order of the turns.
    /// An error says that these cards do not fit the game, which then ends without them.
    pub fn end(
        &mut self,
        ending: Ending,
        secret: [usize; 3],
        hands: &[CardSet],
        shown: &[usize],
        accused: &[[usize; 3]],
    ) -> Result<(), StoryError> {
        self.ending = Some(ending);
        let all = hands.iter().fold(CardSet::EMPTY, |all, &hand| all | hand);
        let is_deal = self.deck.triple(secret) == Some(secret)
            && hands.len() == self.players()
            && hands.iter().zip(&self.sizes).all(|(hand, &size)| hand.len() == size)
            && all == self.deck.all() - CardSet::of(secret);
        fail_if(!is_deal || matches!(ending, Ending::Won(seat) if seat >= self.players()), StoryError::Deal)?;
        let is_card = |&card: &usize| card < self.deck.len();
        let (mut shown, mut accused) = (shown.iter().copied().filter(is_card), accused.iter().copied());
        for turn in &mut self.turns {
            match &mut turn.act {
                Act::Suggestion { shown: Some(answered), .. } => {
                    let card = shown.next();
                    answered.card = answered.card.or(card);
                }
                Act::Accusation { cards: cards @ None } => {
                    *cards =
                        accused.next().and_then(|cards| self.deck.triple(cards)).map(|cards| (cards, cards == secret));
                }
                _ => {}
            }
        }
        self.hands = hands.iter().copied().map(Some).collect();
        self.secret = Some(secret);
        Ok(())
    }

    /// Returns whether this viewer's knowledge can be told: a seat's once its hand is known, all after the end.
    pub fn shows(&self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Spectator => true,
            Viewer::Seat(seat) => self.hands.get(seat).is_some_and(Option::is_some),
            Viewer::All => self.secret.is_some(),
        }
    }

    /// Returns the card that was shown in a turn, if the viewer has seen it.
    pub fn seen(&self, viewer: Viewer, suggester: usize, answered: Answered) -> Option<usize> {
        let has_seen = match viewer {
            Viewer::Spectator => false,
            Viewer::Seat(seat) => seat == suggester || seat == answered.seat,
            Viewer::All => true,
        };
        answered.card.filter(|_| has_seen)
    }

    /// Returns what was accused of and whether it was right, if the viewer knows it.
    pub fn accused(&self, viewer: Viewer, turn: &Turn) -> Option<([usize; 3], bool)> {
        let Act::Accusation { cards } = turn.act else { return None };
        let is_own = viewer == Viewer::All || viewer == Viewer::Seat(turn.seat);
        cards.filter(|(_, is_right)| self.rules == Rules::Classic || is_own || *is_right)
    }

    /// Returns what somebody has seen in the first turns; nothing if that cannot be told.
    pub fn facts(&self, viewer: Viewer, turns: usize) -> Option<Facts> {
        let (me, hand) = match viewer {
            Viewer::Seat(seat) => (seat, (*self.hands.get(seat)?)?),
            Viewer::Spectator => (self.players(), CardSet::EMPTY),
            Viewer::All => return None,
        };
        let mut sizes = self.sizes.clone();
        if viewer == Viewer::Spectator {
            sizes.push(0);
        }
        let mut facts = Facts::new(self.deck, sizes, me, hand);
        for turn in self.turns.iter().take(turns) {
            let Act::Suggestion { cards, passed, shown } = &turn.act else { continue };
            let named = CardSet::of(*cards);
            facts.suggests(turn.seat, named);
            for &seat in passed {
                facts.passes(seat, named);
            }
            if let Some(answered) = *shown {
                match self.seen(viewer, turn.seat, answered) {
                    Some(card) => facts.shows_me(answered.seat, named, card),
                    None => facts.shows(answered.seat, named),
                }
            }
        }
        Some(facts)
    }

    /// Returns what somebody knows after the first turns; nothing if that cannot be told.
    pub fn view(&self, viewer: Viewer, turns: usize) -> Option<View> {
        let facts = self.facts(viewer, turns)?;
        let view = View::new(&facts);
        let counted = Counted::new(&facts, &view.known, MAX_STATES, MAX_STATES >> 6).ok();
        Some(View { counted, ..view })
    }

    fn check(&self, seat: usize) -> Result<(), StoryError> {
        if seat < self.players() { Ok(()) } else { Err(StoryError::NoSeat(seat)) }
    }

    /// Returns the answers to the suggestion that may still get some.
    fn open(&mut self) -> Option<(&mut Vec<usize>, &mut Option<Answered>)> {
        let turn = self.turns.iter_mut().rev().find(|turn| !matches!(turn.act, Act::Fault(_)))?;
        match &mut turn.act {
            Act::Suggestion { passed, shown, .. } => Some((passed, shown)),
            _ => None,
        }
    }
}
