//! The 21 cards of the classic game and their names.

use std::fmt;

use thiserror::Error;

use crate::names::{find, plain};

/// The number of cards.
pub const CARDS: usize = 21;

/// A suspect, a weapon and a room, in this order.
pub const KINDS: [Kind; 3] = [Kind::Suspect, Kind::Weapon, Kind::Room];

/// The three types of cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Cards 0 to 5.
    Suspect,
    /// Cards 6 to 11.
    Weapon,
    /// Cards 12 to 20.
    Room,
}

/// One of the 21 cards, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A suspect, a weapon and a room, in this order.
pub type Triple = [Card; 3];

/// A set of cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(u32);

/// English names, in the order of the numbers.
const ENGLISH: [&str; CARDS] = [
    "Miss Scarlett",
    "Colonel Mustard",
    "Mrs White",
    "Reverend Green",
    "Mrs Peacock",
    "Professor Plum",
    "Candlestick",
    "Knife",
    "Lead pipe",
    "Revolver",
    "Rope",
    "Spanner",
    "Kitchen",
    "Dining room",
    "Ballroom",
    "Conservatory",
    "Billiard room",
    "Library",
    "Study",
    "Hall",
    "Lounge",
];

/// French names, in the same order.
const FRENCH: [&str; CARDS] = [
    "Mademoiselle Rose",
    "Colonel Moutarde",
    "Madame Leblanc",
    "Docteur Olive",
    "Madame Pervenche",
    "Professeur Violet",
    "Chandelier",
    "Couteau",
    "Matraque",
    "Revolver",
    "Corde",
    "Clef anglaise",
    "Cuisine",
    "Salle à manger",
    "Salle de bal",
    "Véranda",
    "Billard",
    "Bibliothèque",
    "Bureau",
    "Hall",
    "Salon",
];

/// Further names that sold cards have, with the card of each.
const OTHER_NAMES: [(&str, u8); 11] = [
    ("Dr Orchid", 2),
    ("Mr Green", 3),
    ("Dagger", 7),
    ("Poignard", 7),
    ("Lead piping", 8),
    ("Barre de fer", 8),
    ("Hangman's knot", 10),
    ("Wrench", 11),
    ("Clé anglaise", 11),
    ("Ball room", 14),
    ("Billiards room", 16),
];

impl Kind {
    /// Returns the number of its first card.
    pub const fn first(self) -> u8 {
        [0, 6, 12][self as usize]
    }

    /// Returns how many cards it has.
    pub const fn count(self) -> u8 {
        [6, 6, 9][self as usize]
    }

    /// Returns its cards in order.
    pub fn cards(self) -> impl ExactSizeIterator<Item = Card> + Clone {
        (self.first()..self.first() + self.count()).map(Card)
    }

    /// Returns the set of its cards.
    pub const fn set(self) -> CardSet {
        CardSet(((1 << self.count()) - 1) << self.first())
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(["suspect", "weapon", "room"][*self as usize])
    }
}

impl Card {
    /// Returns the card with this number.
    pub const fn new(number: u8) -> Option<Self> {
        if (number as usize) < CARDS { Some(Self(number)) } else { None }
    }

    /// Returns all cards in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        (0..21).map(Self)
    }

    /// Returns its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns its number, as an index.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns its type.
    pub const fn kind(self) -> Kind {
        match self.0 {
            0..6 => Kind::Suspect,
            6..12 => Kind::Weapon,
            _ => Kind::Room,
        }
    }

    /// Returns its English name.
    pub const fn name(self) -> &'static str {
        ENGLISH[self.0 as usize]
    }

    /// Returns its French name.
    pub const fn french(self) -> &'static str {
        FRENCH[self.0 as usize]
    }

    /// Returns all names that it goes by: English, French, others.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let others = OTHER_NAMES.iter().filter(move |&&(_, number)| number == self.0).map(|&(name, _)| name);
        [self.name(), self.french()].into_iter().chain(others)
    }

    /// Finds the card that a person means: its number, or the unambiguous beginning of any word of a name, English or
    /// French. Case and accents do not matter. Only cards of `kind` count, if it is given.
    ///
    /// # Errors
    /// When nothing fits, the card is of another type, or several cards fit.
    pub fn parse(text: &str, kind: Option<Kind>) -> Result<Self, CardError> {
        let shown = || text.chars().take(40).collect::<String>();
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let found = if is_number {
            vec![text.parse().ok().and_then(Self::new).ok_or_else(|| CardError::OutOfRange(shown()))?]
        } else {
            named(text)
        };
        let fitting: Vec<Self> =
            found.iter().copied().filter(|card| kind.is_none_or(|kind| kind == card.kind())).collect();
        match (&fitting[..], &found[..]) {
            ([card], _) => Ok(*card),
            ([], [card, ..]) => Err(CardError::OtherType { card: *card, wanted: kind.unwrap_or(card.kind()) }),
            ([], []) => Err(CardError::Unknown(shown())),
            ([one, other, ..], _) => Err(CardError::Ambiguous { text: shown(), one: *one, other: *other }),
        }
    }
}

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl CardSet {
    /// No card.
    pub const EMPTY: Self = Self(0);

    /// All cards.
    pub const ALL: Self = Self((1 << CARDS) - 1);

    /// Returns how many cards it has.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether it has no card.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns whether it has a card.
    pub const fn contains(self, card: Card) -> bool {
        self.0 & 1 << card.0 != 0
    }

    /// Adds a card.
    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Removes a card.
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// Returns the cards that it does not have.
    pub const fn complement(self) -> Self {
        Self(!self.0 & Self::ALL.0)
    }

    /// Returns the cards that are in both.
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the cards that are in either.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the card with the lowest number, if there is any.
    pub const fn first(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(self.lowest()) }
    }

    /// Returns how many cards of a type it has.
    #[inline]
    pub const fn count(self, kind: Kind) -> usize {
        COUNTS[self.of_kind(kind)] as usize
    }

    /// Returns the card of a type that this many of its cards of that type come before, without a branch.
    ///
    /// # Panics
    /// When it has fewer cards of the type.
    #[inline]
    pub fn nth(self, kind: Kind, index: usize) -> Card {
        let place = NTH[self.of_kind(kind)][index];
        assert!(place < kind.count(), "there are fewer cards");
        Card(kind.first() + place)
    }

    /// Returns the cards of a type as the bits of a number below 512.
    #[inline]
    const fn of_kind(self, kind: Kind) -> usize {
        (self.and(kind.set()).0 >> kind.first()) as usize
    }

    #[expect(clippy::cast_possible_truncation, reason = "a number of bits")]
    const fn lowest(self) -> Card {
        Card(self.0.trailing_zeros() as u8)
    }
}

/// For each set of at most nine bits, the number of its first bit, its second, and so on; 255 when there are fewer.
const NTH: [[u8; 9]; 512] = {
    let mut table = [[u8::MAX; 9]; 512];
    let mut set = 0;
    while set < 512 {
        let (mut bit, mut index) = (0, 0);
        while bit < 9 {
            if set >> bit & 1 == 1 {
                table[set][index] = bit;
                index += 1;
            }
            bit += 1;
        }
        set += 1;
    }
    table
};

/// For each set of at most nine bits, how many they are: quicker than counting them where there is no instruction for it.
const COUNTS: [u8; 512] = {
    let mut counts = [0; 512];
    let mut set = 1;
    while set < 512 {
        counts[set] = counts[set / 2] + [0, 1][set % 2];
        set += 1;
    }
    counts
};

impl IntoIterator for CardSet {
    type Item = Card;
    type IntoIter = Cards;

    fn into_iter(self) -> Cards {
        Cards(self)
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<T: IntoIterator<Item = Card>>(cards: T) -> Self {
        let mut set = Self::EMPTY;
        for card in cards {
            set.insert(card);
        }
        set
    }
}

impl From<Triple> for CardSet {
    fn from([suspect, weapon, room]: Triple) -> Self {
        Self(1 << suspect.0 | 1 << weapon.0 | 1 << room.0)
    }
}

/// The cards of a set in order.
#[derive(Clone, Debug)]
pub struct Cards(CardSet);

impl Iterator for Cards {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = self.0.first()?;
        self.0.remove(card);
        Some(card)
    }
}

/// Why a text is not the card that is wanted.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CardError {
    /// There is no card with this number.
    #[error("there is no card {0}: the numbers are 0 to 20")]
    OutOfRange(String),
    /// No name begins like this.
    #[error("unknown card {0:?}: type its number or the beginning of its name")]
    Unknown(String),
    /// The card is of another type.
    #[error("{card} is a {}, not a {wanted}: choose {} to {}", card.kind(), wanted.first(),
        wanted.first() + wanted.count() - 1)]
    OtherType {
        /// The card.
        card: Card,
        /// The type that was asked for.
        wanted: Kind,
    },
    /// Several names begin like this.
    #[error("{text:?} may be {one} or {other}: type more of it, or the number")]
    Ambiguous {
        /// What was typed.
        text: String,
        /// One of the cards.
        one: Card,
        /// Another.
        other: Card,
    },
}

/// Returns the cards of which a name, or a word of one, begins with a text; only those fully named, if there are any.
fn named(text: &str) -> Vec<Card> {
    let names: Vec<(String, usize)> =
        Card::all().flat_map(|card| card.names().map(move |name| (plain(name), card.index()))).collect();
    find(&names, text).into_iter().filter_map(|number| Card::new(u8::try_from(number).ok()?)).collect()
}
