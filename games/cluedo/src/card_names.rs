//! The names of a deck's cards: the classic deck, that of the course, or any other.

use std::sync::LazyLock;

use thiserror::Error;

use crate::deck::{Card, Deck, KINDS};
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

/// Why a text is not a deck.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeckError {
    #[error("a deck has three lines, one for each type, as \"room: Hall, Study, Lounge\"; these are {0}")]
    Types(usize),
    #[error("line {0}: write the type, a colon and its cards, as \"room: Hall, Study, Lounge\"")]
    Line(usize),
    #[error("a deck has at least one card of each type and at most {MAX_NAMED_CARDS} cards; these are {0}")]
    Size(usize),
    #[error("two cards are called {0:?}")]
    Twice(String),
}

/// Why a text is not the card that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CardError {
    #[error("there is no card {0}: the numbers are 0 to {1}")]
    OutOfRange(String, Card),
    #[error("unknown card {0:?}: type its number or the beginning of its name")]
    Unknown(String),
    #[error("{card} is a {kind}, not a {wanted}: choose {first} to {last}")]
    OtherType {
        card: String,
        kind: String,
        /// The type that was asked for.
        wanted: String,
        first: Card,
        last: Card,
    },
    #[error("{text:?} may be {one} or {other}: type more of it, or the number")]
    Ambiguous {
        /// The typed text.
        text: String,
        one: String,
        other: String,
    },
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
        if !(2..=10).contains(&players) {
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
    /// # Ok::<(), cluedo::card_names::DeckError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, DeckError> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(place, line)| (place + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let Ok(lines) = <[_; 3]>::try_from(lines.as_slice()) else { return Err(DeckError::Types(lines.len())) };
        let (mut kinds, mut sizes) = ([const { String::new() }; 3], [0; 3]);
        let (mut names, mut lookup) = (Vec::new(), Vec::new());
        for (kind, (place, line)) in KINDS.into_iter().zip(lines) {
            let (title, cards) = line.split_once(':').ok_or(DeckError::Line(place))?;
            kinds[kind] = plain(title);
            if kinds[kind].is_empty() {
                return Err(DeckError::Line(place));
            }
            for card in cards.split(',').map(str::trim).filter(|card| !card.is_empty()) {
                let aliases: Vec<String> =
                    card.split('/').filter(|name| !plain(name).is_empty()).map(|name| name.trim().to_owned()).collect();
                if aliases.is_empty() {
                    return Err(DeckError::Line(place));
                }
                lookup.extend(aliases.iter().map(|name| (plain(name), names.len())));
                names.push(aliases);
                sizes[kind] += 1;
            }
        }
        let deck = Deck::new(sizes).filter(|deck| deck.len() <= MAX_NAMED_CARDS).ok_or(DeckError::Size(names.len()))?;
        for (place, (name, card)) in lookup.iter().enumerate() {
            if lookup[..place].iter().any(|(other, of)| other == name && of != card) {
                return Err(DeckError::Twice(name.clone()));
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
        let shown = || text.chars().take(40).collect::<String>();
        let mut found = find(&self.lookup, text);
        if found.is_empty() && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = text.parse().ok().filter(|&card| card < self.deck.len());
            found.push(number.ok_or_else(|| CardError::OutOfRange(shown(), self.deck.len() - 1))?);
        }
        let fitting: Vec<Card> =
            found.iter().copied().filter(|&card| kind.is_none_or(|kind| kind == self.deck.kind(card))).collect();
        match (&fitting[..], &found[..], kind) {
            ([card], _, _) => Ok(*card),
            ([], [card, ..], Some(kind)) => Err(CardError::OtherType {
                card: self.name(*card).to_owned(),
                kind: self.kinds[self.deck.kind(*card)].clone(),
                wanted: self.kinds[kind].clone(),
                first: self.deck.range(kind).start,
                last: self.deck.range(kind).end - 1,
            }),
            ([one, other, ..], _, _) => Err(CardError::Ambiguous {
                text: shown(),
                one: self.name(*one).to_owned(),
                other: self.name(*other).to_owned(),
            }),
            _ => Err(CardError::Unknown(shown())),
        }
    }
}
