//! Decks with names: the classic one, that of the course, or any other.

use thiserror::Error;

use crate::deck::Card;
use crate::names;
use crate::pack::Pack;

/// The most cards of a deck: their deals can be counted exactly.
pub const MAX_CARDS: usize = 40;

/// Cards of three types, with names.
#[derive(Clone, Debug)]
pub struct Deck {
    /// The numbers of the cards.
    pub pack: Pack,
    /// The names of the three types.
    pub kinds: [String; 3],
    names: Vec<String>,
    /// Types whose cards are things: "the Rope".
    takes_article: [bool; 3],
    lookup: Vec<(String, usize)>,
}

/// Why a text is not a deck, or not a card.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeckError {
    /// The text has more or fewer types.
    #[error("a deck has three lines, one for each type, as \"room: Hall, Study, Lounge\"; these are {0}")]
    Types(usize),
    /// A line has no name of a type.
    #[error("line {0}: write the type, a colon and its cards, as \"room: Hall, Study, Lounge\"")]
    Line(usize),
    /// Too few or too many cards.
    #[error("a deck has at least one card of each type and at most {MAX_CARDS} cards; these are {0}")]
    Size(usize),
    /// Two cards go by one name.
    #[error("two cards are called {0:?}")]
    Twice(String),
    /// No name begins like this.
    #[error("unknown card {0:?}: type its number or the beginning of its name; --deck FILE names other cards")]
    Unknown(String),
    /// Several names begin like this.
    #[error("{text:?} may be {one} or {other}: type more of it")]
    Ambiguous {
        /// The typed text.
        text: String,
        /// One of the cards.
        one: String,
        /// Another.
        other: String,
    },
}

impl Deck {
    /// Six suspects, six weapons and nine rooms, with English and French names.
    pub fn classic() -> Self {
        let names = Card::all().map(|card| card.name().to_owned()).collect();
        let lookup =
            Card::all().flat_map(|card| card.names().map(move |name| (names::plain(name), card.index()))).collect();
        let kinds = ["suspect", "weapon", "room"].map(str::to_owned);
        Self { pack: Pack::CLASSIC, kinds, names, takes_article: [false, true, true], lookup }
    }

    /// The course's cards for 2 to 10 players, called by their numbers.
    pub fn course(players: usize) -> Option<Self> {
        if !(2..=10).contains(&players) {
            return None;
        }
        let pack = Pack::course(players);
        let kinds = ["place", "weapon", "person"].map(str::to_owned);
        let names: Vec<String> = (0..pack.len()).map(|card| format!("{} {card}", kinds[pack.kind(card)])).collect();
        let lookup = names.iter().enumerate().map(|(card, name)| (name.clone(), card)).collect();
        Some(Self { pack, kinds, names, takes_article: [false; 3], lookup })
    }

    /// Reads a deck: three lines of a type, a colon, and names separated by commas; further names of the same card
    /// follow after `/`, and a line that begins with `#` is a comment.
    ///
    /// # Errors
    /// When the text is something else.
    ///
    /// ```
    /// let text = "who: Ann, Bob/Robert\nwith: rope, knife\nwhere: attic, cellar";
    /// let deck = cluedo::assist::deck::Deck::parse(text)?;
    /// assert_eq!(deck.find("robert")?, 1);
    /// # Ok::<(), cluedo::assist::deck::DeckError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, DeckError> {
        let lines: Vec<(usize, &str)> = text
            .lines()
            .enumerate()
            .map(|(place, line)| (place + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
            .collect();
        let Ok([one, two, three]) = <[_; 3]>::try_from(lines.as_slice()) else {
            return Err(DeckError::Types(lines.len()));
        };
        let (mut kinds, mut sizes) = ([const { String::new() }; 3], [0; 3]);
        let (mut names, mut lookup) = (Vec::new(), Vec::new());
        for (kind, (place, line)) in [one, two, three].into_iter().enumerate() {
            let (title, cards) = line.split_once(':').ok_or(DeckError::Line(place))?;
            kinds[kind] = names::plain(title);
            if kinds[kind].is_empty() {
                return Err(DeckError::Line(place));
            }
            for card in cards.split(',').map(str::trim).filter(|card| !card.is_empty()) {
                let aliases: Vec<&str> =
                    card.split('/').map(str::trim).filter(|name| !names::plain(name).is_empty()).collect();
                let first = aliases.first().ok_or(DeckError::Line(place))?;
                lookup.extend(aliases.iter().map(|name| (names::plain(name), names.len())));
                names.push((*first).to_owned());
                sizes[kind] += 1;
            }
        }
        let pack = Pack::new(sizes).filter(|pack| pack.len() <= MAX_CARDS).ok_or(DeckError::Size(names.len()))?;
        for (place, (name, card)) in lookup.iter().enumerate() {
            if lookup[..place].iter().any(|(other, of)| other == name && of != card) {
                return Err(DeckError::Twice(name.clone()));
            }
        }
        Ok(Self { pack, kinds, names, takes_article: [false; 3], lookup })
    }

    /// Returns a card's name.
    pub fn name(&self, card: usize) -> &str {
        &self.names[card]
    }

    /// Returns a card's name as it stands in a sentence.
    pub fn the(&self, card: usize) -> String {
        let article = if self.takes_article[self.pack.kind(card)] { "the " } else { "" };
        format!("{article}{}", self.names[card])
    }

    /// Returns whether cards of a type are called "the ..".
    pub const fn takes_article(&self, kind: usize) -> bool {
        self.takes_article[kind]
    }

    /// Finds the card that a person means: its number, or the unambiguous beginning of any word of a name.
    ///
    /// # Errors
    /// When no card or several fit.
    pub fn find(&self, text: &str) -> Result<usize, DeckError> {
        let shown = || text.chars().take(40).collect::<String>();
        let found = names::find(&self.lookup, text);
        match found[..] {
            [card] => Ok(card),
            [] => match text.parse() {
                Ok(card) if card < self.pack.len() => Ok(card),
                _ => Err(DeckError::Unknown(shown())),
            },
            [one, other, ..] => Err(DeckError::Ambiguous {
                text: shown(),
                one: self.names[one].clone(),
                other: self.names[other].clone(),
            }),
        }
    }
}
