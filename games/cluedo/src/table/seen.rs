use crate::deck::{CardSet, Deck, Triple};
use crate::knowledge::facts::Facts;
use crate::table::event::Event;

/// What the person at rank 0 has seen of a game, as facts to count deals by.
#[derive(Clone, Debug)]
pub struct Seen {
    facts: Facts,
    /// Accusations that were wrong.
    wrong: Vec<Triple>,
    /// The cards that were suggested last.
    named: CardSet,
}

impl Seen {
    /// Begins with the sizes of all hands, from rank 0 on, and the hand of rank 0.
    pub fn new(sizes: Vec<usize>, hand: CardSet) -> Self {
        let facts = Facts::new(Deck::CLASSIC, sizes, 0, hand);
        Self { facts, wrong: Vec::new(), named: CardSet::EMPTY }
    }

    /// Notes what was heard, and cards that the person saw.
    pub fn note(&mut self, event: &Event) {
        match *event {
            Event::Suggest { rank, cards } => {
                self.named = CardSet::of(cards);
                self.facts.suggests(rank, self.named);
            }
            Event::Pass { rank } => self.facts.passes(rank, self.named),
            Event::Show { rank, card: Some(card) } => self.facts.shows_me(rank, self.named, card),
            Event::Show { rank, card: None } => self.facts.shows(rank, self.named),
            Event::Accuse { cards, is_right: false, .. } => self.wrong.push(cards),
            Event::Accuse { .. } | Event::Leave { .. } => {}
        }
    }

    /// Returns the facts.
    pub const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the triples that are known not to be the solution.
    pub fn wrong(&self) -> &[Triple] {
        &self.wrong
    }
}
