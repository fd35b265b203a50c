//! The names of a deck's cards: the classic deck, that of the course, or any other.

use std::ops::Range;
use std::sync::LazyLock;

use thiserror::Error;

use crate::deal::PLAYERS;
use crate::deck::{Card, Deck, KINDS};
use crate::fail::fail_if;
use crate::names::{find, plain};

/// Maximum number of cards of a deck that a person describes.
const MAX_NAMED_CARDS: usize = 40;

/// The classic deck: English and French names, then others that sold cards have.
const CLASSIC: &str = "suspect: Miss Scarlett/Mademoiselle Rose, Colonel Mustard/Colonel Moutarde, \
    Mrs White/Madame Leblanc/Dr Orchid, Reverend Green/Docteur Olive/Mr Green, Mrs Peacock/Madame Pervenche, \
    Professor Plum/Professeur Violet
weapon: Candlestick/Chandelier, Knife/Couteau/Dagger/Poignard, Lead pipe/Matraque/Lead piping/Barre de fer, \
    Revolver/Revolver, Rope/Corde/Hangman's knot, Spanner/Clef anglaise/Wrench/Clé anglaise
room: Kitchen/Cuisine, Dining room/Salle à manger, Ballroom/Salle de bal/Ball room, Conservatory/Véranda, \
    Billiard room/Billard/Billiards room, Library/Bibliothèque, Study/Bureau, Hall/Hall, Lounge/Salon";

/// The names of the course game's types.
pub const COURSE_KINDS: [&str; 3] = ["place", "weapon", "person"];

/// An example of a deck's line.
const EXAMPLE: &str = "as \"room: Hall, Study, Lounge\"";

/// Why a text is no deck, or names no card.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CardError {
    #[error("a deck has three lines, one for each type, {EXAMPLE}; these are {0}")]
    Lines(usize),
    #[error("line {0}: write the type, a colon and its cards, {EXAMPLE}")]
    Line(usize),
    #[error("a deck has at least one card of each type and at most {MAX_NAMED_CARDS} cards; these are {0}")]
    Size(usize),
    #[error("two cards are called {0:?}")]
    Twice(String),
    #[error("there is no card {number}: the numbers are 0 to {last}")]
    Number { number: String, last: Card },
    #[error("{name} is a {other}, not a {wanted}: choose {} to {}", cards.start, cards.end - 1)]
    Kind { name: String, other: String, wanted: String, cards: Range<Card> },
    #[error("{text:?} may be {one} or {other}: type more of it, or the number")]
    Ambiguous { text: String, one: String, other: String },
    #[error("unknown card {0:?}: type its number or the beginning of its name")]
    Unknown(String),
}

#[derive(Clone, Debug)]
pub struct CardNames {
    pub deck: Deck,
    pub kinds: [String; 3],
    /// All names of each card.
    names: Vec<Vec<String>>,
    /// Types whose cards are things: "the Rope".
    takes_article: [bool; 3],
    /// All names, made [`plain`].
    lookup: Vec<(String, Card)>,
}

impl CardNames {
    pub fn classic() -> &'static Self {
        static CARDS: LazyLock<CardNames> = LazyLock::new(|| {
            let cards = CardNames::parse(CLASSIC).expect("the classic deck is right");
            CardNames { takes_article: [false, true, true], ..cards }
        });
        &CARDS
    }

    /// Returns the course's cards for 2 to 10 players, called by their numbers.
    pub fn course(players: usize) -> Option<Self> {
        if !PLAYERS.contains(&players) {
            return None;
        }
        let deck = Deck::course(players);
        let names: Vec<Vec<String>> =
            deck.all().iter().map(|card| vec![format!("{} {card}", COURSE_KINDS[deck.kind(card)])]).collect();
        let lookup = names.iter().map(|names| names[0].clone()).zip(0..).collect();
        Some(Self { deck, kinds: COURSE_KINDS.map(str::to_owned), names, takes_article: [false; 3], lookup })
    }

    /// Reads a deck: three lines of a type, a colon, and names separated by commas; further names of the same card
    /// follow after `/`, and a line that begins with `#` is a comment.
    ///
    /// ```
    /// let text = "who: Ann, Bob/Robert\nwith: rope, knife\nwhere: attic, cellar";
    /// let cards = cluedo::card_names::CardNames::parse(text)?;
    /// assert_eq!(cards.find("robert", None), Ok(1));
    /// # Ok::<(), cluedo::card_names::CardError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, CardError> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(place, line)| (place + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let lines = <[_; 3]>::try_from(lines).map_err(|lines| CardError::Lines(lines.len()))?;
        let (mut kinds, mut sizes) = ([const { String::new() }; 3], [0; 3]);
        let (mut names, mut lookup) = (Vec::new(), Vec::new());
        for (kind, (place, line)) in KINDS.into_iter().zip(lines) {
            let (title, cards) = line.split_once(':').ok_or(CardError::Line(place))?;
            kinds[kind] = plain(title);
            fail_if(kinds[kind].is_empty(), CardError::Line(place))?;
            for card in cards.split(',').map(str::trim).filter(|card| !card.is_empty()) {
                let aliases: Vec<String> =
                    card.split('/').filter(|name| !plain(name).is_empty()).map(|name| name.trim().to_owned()).collect();
                fail_if(aliases.is_empty(), CardError::Line(place))?;
                lookup.extend(aliases.iter().map(|name| (plain(name), names.len())));
                names.push(aliases);
                sizes[kind] += 1;
            }
        }
        let deck = Deck::new(sizes).filter(|deck| deck.len() <= MAX_NAMED_CARDS);
        let deck = deck.ok_or(CardError::Size(names.len()))?;
        for (place, (name, card)) in lookup.iter().enumerate() {
            if lookup[..place].iter().any(|(other, of)| other == name && of != card) {
                return Err(CardError::Twice(name.clone()));
            }
        }
        Ok(Self { deck, kinds, names, takes_article: [false; 3], lookup })
    }

    pub fn name(&self, card: Card) -> &str {
        &self.names[card][0]
    }

    /// Returns all names of a card: in the classic deck the English one, then the French one.
    pub fn names(&self, card: Card) -> &[String] {
        &self.names[card]
    }

    /// Returns a card's name as it stands in a sentence.
    pub fn the(&self, card: Card) -> String {
        let article = if self.takes_article[self.deck.kind(card)] { "the " } else { "" };
        format!("{article}{}", self.name(card))
    }

    /// Returns the names of cards, separated by commas.
    pub fn list(&self, cards: impl IntoIterator<Item = Card>) -> String {
        cards.into_iter().map(|card| self.name(card)).collect::<Vec<_>>().join(", ")
    }

    /// Finds the card that a person means: its number, or the unambiguous beginning of any word of a name. Case and
    /// accents do not matter. Only cards of `kind` count, if it is given.
    pub fn find(&self, text: &str, kind: Option<usize>) -> Result<Card, CardError> {
        let (deck, shown) = (self.deck, || text.chars().take(40).collect::<String>());
        let mut found = find(&self.lookup, text);
        if found.is_empty() && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().ok().filter(|&card| card < deck.len());
            found.push(number.ok_or_else(|| CardError::Number { number: shown(), last: deck.len() - 1 })?);
        }
        let fitting: Vec<Card> =
            found.iter().copied().filter(|&card| kind.is_none_or(|kind| kind == deck.kind(card))).collect();
        Err(match (&fitting[..], &found[..], kind) {
            ([card], _, _) => return Ok(*card),
            ([], [card, ..], Some(kind)) => {
                let [other, wanted] = [deck.kind(*card), kind].map(|kind| self.kinds[kind].clone());
                CardError::Kind { name: self.name(*card).to_owned(), other, wanted, cards: deck.range(kind) }
            }
            ([one, other, ..], _, _) => {
                let [one, other] = [one, other].map(|card| self.name(*card).to_owned());
                CardError::Ambiguous { text: shown(), one, other }
            }
            _ => CardError::Unknown(shown()),
        })
    }
}
