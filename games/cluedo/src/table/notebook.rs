use std::fmt;

use crate::card_names::CardNames;
use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::game::{Asking, Event, Seats};
use crate::table::seats::SEATS_MAX;

/// Rank 0's knowledge of every card, from its own hand, the cards shown to it, the players that could not refute,
/// and who showed one of three cards to another player.
#[derive(Clone, Debug)]
pub struct Notebook {
    seats: Seats,
    sizes: Vec<usize>,
    /// The cards that each player is known to have.
    has: [CardSet; SEATS_MAX],
    /// The cards that each player is known not to have.
    lacks: [CardSet; SEATS_MAX],
    /// Sets of cards of which a player has at least one.
    clauses: Vec<(usize, CardSet)>,
    suggestion: Option<(usize, Triple)>,
}

/// A place in the notebook.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The player has the card.
    Has,
    /// The player does not have it.
    Lacks,
    /// The player has it or another of a few cards.
    Maybe,
    /// Nothing is known.
    Unknown,
}

impl Notebook {
    /// Begins with the hand of rank 0 and the sizes of all hands.
    pub fn new(seats: Seats, sizes: Vec<usize>, hand: CardSet) -> Self {
        let (mut has, mut lacks) = ([CardSet::EMPTY; SEATS_MAX], [hand; SEATS_MAX]);
        (has[0], lacks[0]) = (hand, Deck::CLASSIC.all() - hand);
        Self { seats, sizes, has, lacks, clauses: Vec::new(), suggestion: None }
    }

    /// Returns how many play.
    pub const fn players(&self) -> usize {
        self.seats.count
    }

    /// Notes what was heard.
    pub fn note(&mut self, event: &Event) {
        match *event {
            Event::Suggest { seat: rank, cards } => self.suggestion = Some((rank, cards)),
            Event::Pass { seat: rank } => {
                if let Some((_, cards)) = self.suggestion {
                    self.lacks[rank] |= CardSet::of(cards);
                }
            }
            Event::Show { seat: rank, card: Some(card), .. } => self.locate(rank, card),
            Event::Show { seat: rank, card: None, .. } => {
                if let Some((_, cards)) = self.suggestion {
                    self.clauses.push((rank, CardSet::of(cards)));
                }
            }
            _ => {}
        }
        self.conclude();
    }

    /// Returns what is known of a card and a player.
    pub fn mark(&self, rank: usize, card: Card) -> Mark {
        if self.has[rank].contains(card) {
            Mark::Has
        } else if self.lacks[rank].contains(card) {
            Mark::Lacks
        } else if self.clauses.iter().any(|&(holder, cards)| holder == rank && cards.contains(card)) {
            Mark::Maybe
        } else {
            Mark::Unknown
        }
    }

    /// Returns the cards of each type that may be in the solution.
    pub fn candidates(&self) -> [CardSet; 3] {
        let located = self.has.iter().fold(CardSet::EMPTY, |all, &hand| all | hand);
        let no_player = self.seats.ranks().fold(Deck::CLASSIC.all(), |all, rank| all & self.lacks[rank]);
        KINDS.map(|kind| {
            let cards = Deck::CLASSIC.of_kind(kind);
            let known = no_player & cards;
            if known.is_empty() { cards - located } else { known }
        })
    }

    fn locate(&mut self, rank: usize, card: Card) {
        self.has[rank].insert(card);
        for other in self.seats.asked(rank, Asking::Cyclic) {
            self.lacks[other].insert(card);
        }
    }

    /// Draws conclusions until there are no new ones.
    fn conclude(&mut self) {
        loop {
            let before = (self.has, self.lacks, self.clauses.len());
            // A full hand has no other cards; one that has just enough possible cards has all of them.
            for rank in self.seats.ranks() {
                let possible = Deck::CLASSIC.all() - self.lacks[rank];
                if self.has[rank].len() == self.sizes[rank] {
                    self.lacks[rank] = Deck::CLASSIC.all() - self.has[rank];
                } else if possible.len() == self.sizes[rank] {
                    possible.iter().for_each(|card| self.locate(rank, card));
                }
            }
            // A clause loses what the player does not have; its last card is the player's.
            let (has, lacks) = (self.has, self.lacks);
            for (rank, cards) in &mut self.clauses {
                *cards -= lacks[*rank];
            }
            for (rank, cards) in self.clauses.clone() {
                if let Some(card) = cards.only() {
                    self.locate(rank, card);
                }
            }
            self.clauses.retain(|&(rank, cards)| cards.len() > 1 && !cards.meets(has[rank]));
            // When the solution has another card of the type, or the card is not in it, the last possible holder has it.
            for (candidates, kind) in self.candidates().into_iter().zip(KINDS) {
                if candidates.len() == 1 {
                    self.place_others(Deck::CLASSIC.of_kind(kind) - candidates);
                }
            }
            if before == (self.has, self.lacks, self.clauses.len()) {
                return;
            }
        }
    }

    /// Gives each of these cards, which some player has, to the only player who may have it.
    fn place_others(&mut self, cards: CardSet) {
        for card in cards.iter() {
            let mut holders = self.seats.ranks().filter(|&rank| !self.lacks[rank].contains(card));
            if let (Some(rank), None) = (holders.next(), holders.next()) {
                self.locate(rank, card);
            }
        }
    }
}

/// The grid of cards and players: `x` has it, `-` does not, `?` has it or another, `.` unknown; `*` may be in the solution.
impl fmt::Display for Notebook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:20}  you", "")?;
        for rank in self.seats.ranks().skip(1) {
            write!(f, "   {rank}")?;
        }
        writeln!(f, "  solution")?;
        for (kind, candidates) in KINDS.into_iter().zip(self.candidates()) {
            for card in Deck::CLASSIC.range(kind) {
                write!(f, "{card:2} {:17}", CardNames::classic().name(card))?;
                for rank in self.seats.ranks() {
                    let mark = match self.mark(rank, card) {
                        Mark::Has => 'x',
                        Mark::Lacks => '-',
                        Mark::Maybe => '?',
                        Mark::Unknown => '.',
                    };
                    write!(f, "   {mark}")?;
                }
                writeln!(
                    f,
                    "   {}",
                    if !candidates.contains(card) {
                        '-'
                    } else if candidates.len() == 1 {
                        'x'
                    } else {
                        '*'
                    }
                )?;
            }
        }
        writeln!(f, "x has it, - does not, ? has it or another of a suggestion, . unknown, * may be in the solution")
    }
}
