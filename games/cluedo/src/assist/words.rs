//! Events and conclusions, in sentences.

use crate::assist::case::Case;
use crate::assist::entry::{Entry, Fact};
use crate::deck::CardSet;
use crate::knowledge::deals::MAX_EXACT;

/// Joins words: "a, b and c".
pub fn join(words: &[String], last: &str) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// Writes a number of deals with a comma before each three digits, or about how large it is.
pub fn grouped(number: f64) -> String {
    if number > MAX_EXACT {
        return format!("about {number:.1e}");
    }
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Takes the capital from "You" and "The".
pub fn uncapital(text: &str) -> String {
    let found = ["You ", "The "].into_iter().find_map(|word| Some((word, text.strip_prefix(word)?)));
    found.map_or_else(|| text.to_owned(), |(word, rest)| word.to_lowercase() + rest)
}

impl Case {
    /// Returns what a player is called: "you" for the owner.
    pub fn who(&self, seat: usize) -> &str {
        if self.me == Some(seat) { "you" } else { &self.names[seat] }
    }

    /// Returns a player and the form of a verb: "you have", "Carl has".
    pub(crate) fn does(&self, seat: usize, you: &str, other: &str) -> String {
        format!("{} {}", self.who(seat), if self.me == Some(seat) { you } else { other })
    }

    /// Returns "your", or "Carl's".
    pub(crate) fn whose(&self, seat: usize) -> String {
        if self.me == Some(seat) { "your".to_owned() } else { format!("{}'s", self.names[seat]) }
    }

    /// Returns cards as they stand in a sentence.
    pub fn cards(&self, cards: CardSet, last: &str) -> String {
        let names: Vec<String> = cards.iter().map(|card| self.card_names.the(card)).collect();
        join(&names, last)
    }

    /// Returns three cards by their bare names.
    pub fn triple(&self, cards: [usize; 3]) -> String {
        self.card_names.list(cards)
    }

    /// Returns a fact as a sentence without a full stop: "Carl has the Rope".
    pub fn fact(&self, fact: Fact) -> String {
        self.facts(CardSet::one(fact.card), fact.place, fact.is_there)
    }

    /// Returns facts about several cards as one sentence without a full stop.
    pub(crate) fn facts(&self, cards: CardSet, place: usize, is_there: bool) -> String {
        let text = match (place == self.names.len(), is_there) {
            (true, _) => {
                let verb = if cards.len() == 1 { "is" } else { "are" };
                let not = if is_there { "" } else { " not" };
                format!("{} {verb}{not} in the solution", self.cards(cards, "and"))
            }
            (false, true) => format!("{} {}", self.does(place, "have", "has"), self.cards(cards, "and")),
            (false, false) => {
                format!("{} {}", self.does(place, "do not have", "does not have"), self.cards(cards, "or"))
            }
        };
        capital(&text)
    }

    /// Returns what happened as a sentence without a full stop.
    pub fn sentence(&self, entry: &Entry) -> String {
        match entry {
            Entry::Suggestion { by, cards, passed, shown } => {
                let passes = passed.iter().map(|&seat| self.does(seat, "pass", "passes"));
                let shows = shown.map(|shown| {
                    let to = if self.me == Some(*by) { "you " } else { "" };
                    let what = shown
                        .card
                        .map_or_else(|| "a card".to_owned(), |card| to.to_owned() + &self.card_names.the(card));
                    format!("{} {what}", self.does(shown.seat, "show", "shows"))
                });
                let answers: Vec<String> = passes.chain(shows).collect();
                let gap = if answers.is_empty() { "" } else { ": " };
                let suggests = self.does(*by, "suggest", "suggests");
                capital(&format!("{suggests} {}{gap}{}", self.triple(*cards), answers.join(", ")))
            }
            Entry::WrongAccusation { by, cards } => {
                capital(&format!("{} {}, wrongly", self.does(*by, "accuse", "accuses"), self.triple(*cards)))
            }
            Entry::Known(fact) => self.fact(*fact),
        }
    }

    /// Returns what sources are called: "your hand and entries 3 and 7".
    pub fn sources(&self, sources: &[usize]) -> String {
        let numbers: Vec<String> = sources.iter().filter(|&&source| source > 0).map(usize::to_string).collect();
        let hand = sources.contains(&0).then(|| "your hand".to_owned());
        let entries = match numbers.len() {
            0 => None,
            1 => Some(format!("entry {}", numbers[0])),
            _ => Some(format!("entries {}", join(&numbers, "and"))),
        };
        let parts: Vec<String> = hand.into_iter().chain(entries).collect();
        if parts.is_empty() { "the rules alone".to_owned() } else { join(&parts, "and") }
    }
}
