//! A seat's observations.

use crate::deck::{CardSet, Deck};

/// A card that was shown to me, among those that I had named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShownToMe {
    pub seat: usize,
    pub named: CardSet,
    pub card: usize,
}

/// Everything that a seat has seen of a game.
#[derive(Clone, Debug)]
pub struct Facts {
    pub deck: Deck,
    /// How many cards each seat holds.
    pub sizes: Vec<usize>,
    pub me: usize,
    /// Cards that a seat certainly has.
    pub has: Vec<CardSet>,
    /// Cards that a seat certainly has not.
    pub lacks: Vec<CardSet>,
    /// Sets of cards; a seat has at least one card of each of its sets.
    pub sets: Vec<Vec<CardSet>>,
    /// Cards that are certainly not secret, whoever has them.
    pub not_secret: CardSet,
    pub shown: Vec<ShownToMe>,
    /// Hypotheses of each seat.
    pub named: Vec<Vec<CardSet>>,
}

impl Facts {
    pub fn new(deck: Deck, sizes: Vec<usize>, me: usize, hand: CardSet) -> Self {
        let players = sizes.len();
        let mut facts = Self {
            deck,
            sizes,
            me,
            has: vec![CardSet::EMPTY; players],
            lacks: vec![hand; players],
            sets: vec![Vec::new(); players],
            not_secret: CardSet::EMPTY,
            shown: Vec::new(),
            named: vec![Vec::new(); players],
        };
        facts.has[me] = hand;
        facts.lacks[me] = deck.all() - hand;
        facts
    }

    /// Begins with a hand of the course game: N + 1 cards of each type, three for each of N players.
    pub fn course(players: usize, me: usize, hand: CardSet) -> Self {
        Self::new(Deck::course(players), vec![3; players], me, hand)
    }

    pub fn players(&self) -> usize {
        self.sizes.len()
    }

    pub fn hand(&self) -> CardSet {
        self.has[self.me]
    }

    pub fn suggests(&mut self, seat: usize, named: CardSet) {
        self.named[seat].push(named);
    }

    pub fn passes(&mut self, seat: usize, named: CardSet) {
        if seat != self.me {
            self.lacks[seat] |= named;
        }
    }

    /// A seat showed one of the cards to another seat.
    pub fn shows(&mut self, seat: usize, named: CardSet) {
        if seat != self.me {
            self.sets[seat].push(named);
        }
    }

    pub fn shows_me(&mut self, seat: usize, named: CardSet, card: usize) {
        if seat != self.me {
            self.has[seat].insert(card);
            self.shown.push(ShownToMe { seat, named, card });
        }
    }

    /// Returns the cards shown to me.
    pub fn seen(&self) -> CardSet {
        self.shown.iter().map(|shown| shown.card).collect()
    }
}
