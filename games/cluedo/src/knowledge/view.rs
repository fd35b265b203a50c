//! The grid of cards and seats: what follows from the facts, and chances where deals were counted.

use serde_json::{Value, json};

use crate::deck::{Card, Triple};
use crate::knowledge::chances::{Chances, Uncounted};
use crate::knowledge::facts::Facts;
use crate::knowledge::logic::{Deductions, Rules};
use crate::knowledge::problem::{Problem, Weighing};

/// The state of a card and a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Has,
    Lacks,
    /// The seat has it or another of a few cards.
    OneOf,
    /// Nothing is known.
    Open,
}

impl Mark {
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Has => "x",
            Self::Lacks => "-",
            Self::OneOf => "o",
            Self::Open => "?",
        }
    }
}

/// The knowledge of a seat, or of a spectator: one more seat, which has no cards.
#[derive(Clone, Debug)]
pub struct View {
    pub known: Deductions,
    /// The chances, unless there are too many deals to count or none.
    pub counted: Option<Counted>,
}

/// Chances by counting all deals.
#[derive(Clone, Debug)]
pub struct Counted {
    /// How many deals agree with the facts.
    pub deals: f64,
    /// For each seat, and last for the secret: the chance of each card.
    pub places: Vec<Vec<f64>>,
    /// The likeliest secrets.
    pub triples: Vec<(Triple, f64)>,
}

impl Deductions {
    pub fn mark(&self, seat: usize, card: Card) -> Mark {
        if self.has[seat].contains(card) {
            Mark::Has
        } else if self.lacks[seat].contains(card) {
            Mark::Lacks
        } else if self.sets[seat].iter().any(|set| set.contains(card)) {
            Mark::OneOf
        } else {
            Mark::Open
        }
    }

    pub fn secret_mark(&self, card: Card) -> Mark {
        let candidates = self.candidates(self.deck().kind(card));
        match candidates.only() {
            _ if !candidates.contains(card) => Mark::Lacks,
            Some(_) => Mark::Has,
            None => Mark::Open,
        }
    }
}

impl Counted {
    /// Counts, in at most so many states; the likeliest secrets only if there are fewer states than `for_secrets`.
    pub fn new(facts: &Facts, known: &Deductions, max_states: usize, for_secrets: usize) -> Result<Self, Uncounted> {
        let alike = Chances::within(Problem::new(facts, known, Weighing::Alike), max_states)?;
        let shown = Chances::within(Problem::new(facts, known, Weighing::Shown), max_states)?;
        let mut places = known.certain();
        shown.add_places(1.0, &mut places);
        // Which card of each type is secret needs more states than how many ways there are.
        let few = shown.size().0 < for_secrets;
        let triples = if few { shown.triples().unwrap_or_default() } else { Vec::new() };
        let triples = triples.into_iter().take(5).collect();
        Ok(Self { deals: alike.total(), places, triples })
    }
}

impl View {
    /// Returns what follows from the facts by rules.
    pub fn new(facts: &Facts) -> Self {
        Self { known: Deductions::new(facts, Rules::Further), counted: None }
    }

    /// Returns what is known of a card at a place: a seat, or the secret after `seats` seats.
    fn cell(&self, card: Card, place: usize, seats: usize) -> (Mark, Option<f64>) {
        let (mark, row) = if place == seats {
            (self.known.secret_mark(card), self.known.has.len())
        } else {
            (self.known.mark(place, card), place)
        };
        (mark, self.counted.as_ref().map(|counted| counted.places[row][card]))
    }

    /// Returns for each card a mark and a chance at each of so many seats, and last as the secret.
    pub fn json(&self, seats: usize) -> Value {
        let row = |card| -> Value {
            let cell = |place| {
                let (mark, chance) = self.cell(card, place, seats);
                json!([mark.symbol(), chance])
            };
            (0..=seats).map(cell).collect()
        };
        self.known.deck().all().iter().map(row).collect()
    }

    /// Returns a row of marks, or chances in percent, for each card; `places` are the names of the seats, then of the
    /// secret.
    pub fn text(&self, places: &[String], name: impl Fn(Card) -> String) -> String {
        let names: Vec<String> = self.known.deck().all().iter().map(name).collect();
        let wide = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let least = if self.counted.is_some() { 5 } else { 1 };
        let widths: Vec<usize> = places.iter().map(|place| place.chars().count().max(least) + 2).collect();
        let mut text = " ".repeat(wide);
        for (place, &width) in places.iter().zip(&widths) {
            text += &format!("{place:>width$}");
        }
        for (name, card) in names.iter().zip(0..) {
            text += &format!("\n{name:wide$}");
            for (place, &width) in widths.iter().enumerate() {
                text += &match self.cell(card, place, places.len() - 1) {
                    (Mark::OneOf | Mark::Open, Some(chance)) => format!("{:width$.1}", 100.0 * chance),
                    (mark, _) => format!("{:>width$}", mark.symbol()),
                };
            }
        }
        text += "\n";
        match &self.counted {
            None => text += "x has it, - does not, o has it or another card of a suggestion, ? unknown\n",
            Some(counted) => {
                text += &format!("{:.0} deals left; chances in percent, x certain, - impossible\n", counted.deals);
            }
        }
        text
    }
}
