//! Cards of three types, numbered, and sets of them.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Range, Sub, SubAssign};

/// A card's number in its deck: type 0, then type 1, then type 2, from 0.
pub type Card = usize;

/// A card of each type, in order.
pub type Triple = [Card; 3];

pub const KINDS: [usize; 3] = [0, 1, 2];

pub const MAX_CARDS: usize = 64;

/// A set of cards, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CardSet(pub u64);

/// How many cards of each type a game has.
///
/// ```
/// let deck = cluedo::deck::Deck::course(3);
/// assert_eq!(deck.len(), 12);
/// assert_eq!(deck.kind(7), 1);
/// assert_eq!(deck.of_kind(2).iter().collect::<Vec<_>>(), [8, 9, 10, 11]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deck {
    ends: [usize; 3],
}

impl Deck {
    /// Six suspects, six weapons, nine rooms.
    pub const CLASSIC: Self = Self { ends: [6, 12, 21] };

    /// The deck of the course game: `players + 1` cards of each type. Panics with more than 20 players.
    pub const fn course(players: usize) -> Self {
        assert!(players <= 20, "at most 20 players");
        let size = players + 1;
        Self { ends: [size, 2 * size, 3 * size] }
    }

    /// Returns a deck with these numbers of cards of each type, unless one is zero or they are more than 64 in all.
    pub fn new(sizes: [usize; 3]) -> Option<Self> {
        let ends = [sizes[0], sizes[0] + sizes[1], sizes[0] + sizes[1] + sizes[2]];
        (sizes.iter().all(|&size| (1..=MAX_CARDS).contains(&size)) && ends[2] <= MAX_CARDS).then_some(Self { ends })
    }

    #[expect(clippy::len_without_is_empty, reason = "a deck is never empty")]
    pub const fn len(&self) -> usize {
        self.ends[2]
    }

    /// Returns the type of a card: 0, 1 or 2.
    pub const fn kind(&self, card: Card) -> usize {
        (card >= self.ends[0]) as usize + (card >= self.ends[1]) as usize
    }

    pub const fn range(&self, kind: usize) -> Range<Card> {
        let first = if kind == 0 { 0 } else { self.ends[kind - 1] };
        first..self.ends[kind]
    }

    pub const fn of_kind(&self, kind: usize) -> CardSet {
        let range = self.range(kind);
        CardSet(below(range.end) & !below(range.start))
    }

    pub const fn all(&self) -> CardSet {
        CardSet(below(self.ends[2]))
    }

    /// Sorts three cards by type, if there is one of each.
    pub fn triple(&self, cards: Triple) -> Option<Triple> {
        let mut sorted = [usize::MAX; 3];
        for card in cards {
            if card >= self.len() {
                return None;
            }
            sorted[self.kind(card)] = card;
        }
        sorted.iter().all(|&card| card != usize::MAX).then_some(sorted)
    }
}

/// Returns the bits below a number.
const fn below(end: usize) -> u64 {
    if end >= 64 { u64::MAX } else { (1 << end) - 1 }
}

impl CardSet {
    pub const EMPTY: Self = Self(0);

    pub const fn one(card: Card) -> Self {
        Self(1 << card)
    }

    pub const fn of(cards: Triple) -> Self {
        Self(1 << cards[0] | 1 << cards[1] | 1 << cards[2])
    }

    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card & 1 != 0
    }

    pub const fn contains_all(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }

    /// Returns whether both have a card in common.
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the only card, if there is exactly one.
    pub const fn only(self) -> Option<Card> {
        if self.0.is_power_of_two() { Some(self.0.trailing_zeros() as usize) } else { None }
    }

    /// Returns the lowest card.
    pub const fn first(self) -> Option<Card> {
        if self.0 == 0 { None } else { Some(self.0.trailing_zeros() as usize) }
    }

    /// Returns the card with this place among its cards, from 0.
    pub fn nth(self, place: usize) -> Option<Card> {
        self.iter().nth(place)
    }

    pub const fn insert(&mut self, card: Card) {
        self.0 |= 1 << card;
    }

    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card);
    }

    /// Returns the cards in order.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let card = Self(rest).first()?;
            rest &= rest - 1;
            Some(card)
        })
    }
}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        cards.into_iter().fold(Self::EMPTY, |set, card| set | Self::one(card))
    }
}

/// Implements operators of sets by those of their bits.
macro_rules! operators {
    ($($operator:ident $name:ident, $assignment:ident $assign:ident: $bits:expr;)*) => {$(
        impl $operator for CardSet {
            type Output = Self;

            fn $name(self, other: Self) -> Self {
                Self($bits(self.0, other.0))
            }
        }

        impl $assignment for CardSet {
            fn $assign(&mut self, other: Self) {
                *self = self.$name(other);
            }
        }
    )*};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign: |one, other| one & other;
    BitOr bitor, BitOrAssign bitor_assign: |one, other| one | other;
    Sub sub, SubAssign sub_assign: |one: u64, other: u64| one & !other;
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The numbers with blanks between them.
impl fmt::Display for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, card) in self.iter().enumerate() {
            let blank = if place == 0 { "" } else { " " };
            write!(f, "{blank}{card}")?;
        }
        Ok(())
    }
}
