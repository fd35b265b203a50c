//! The course's rules: a turn limit, and answers of clients that may be wrong.

use crate::deal::Deal;
use crate::deck::{CardSet, Deck};
use crate::game::{Action, Asking, Game, Seats, Waiting};
use crate::line::message::Answer;

#[derive(Clone, Debug)]
pub struct Round {
    pub deal: Deal,
    pub game: Game,
}

/// Returns the turn limit of the rules: N^3.
pub const fn default_limit(players: usize) -> usize {
    players.pow(3)
}

pub const fn begin(players: usize, first: usize, limit: usize) -> Game {
    Game::new(Seats { first: 0, count: players }, first, Asking::Cyclic, limit)
}

/// Returns the action of a client in its turn, if it names a card of each type. A suggestion keeps its order.
pub fn action(answer: &Answer, deck: Deck) -> Option<Action> {
    match *answer {
        Answer::Hypothesis(cards) => deck.triple(cards).map(|_| Action::Suggest(cards)),
        Answer::Accusation(cards) => deck.triple(cards).map(Action::Accuse),
        Answer::Hello(_) | Answer::Show(_) => None,
    }
}

/// Returns the cards that the seat that is asked may show.
pub fn showable(game: &Game, deal: &Deal) -> CardSet {
    match game.waiting() {
        Waiting::Answer { seat, cards, .. } => deal.hand(seat) & CardSet::of(cards),
        Waiting::Turn { .. } | Waiting::Over { .. } => CardSet::EMPTY,
    }
}
