//! The deal of either game: each player's cards and the solution; and the random streams of a match of the course game.

use std::fmt;

use amazons_program::hex;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::deck::{Card, CardSet, Deck, KINDS, Triple};
use crate::seats::Seats;

/// How many play the course game.
pub const PLAYERS: std::ops::RangeInclusive<usize> = 2..=10;

/// The solution and the hands of a game; as text `2 5 10 | 0 4 8 | 1 6 9 | 3 7 11`, the solution first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    pub deck: Deck,
    pub seats: Seats,
    pub solution: Triple,
    /// The hands, from the first player on.
    hands: [CardSet; *PLAYERS.end()],
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    #[error("{0:?} is not three numbers of cards below {1}")]
    Cards(String, usize),
    #[error("there is no card {0}")]
    Card(Card),
    #[error("it has {0} hands, expected {1}")]
    Hands(usize, usize),
    #[error("seat {0} has {1} cards, expected {2}")]
    Size(usize, usize, usize),
    #[error("the first three cards, the secret, must be one of each type")]
    Secret,
    #[error("card {0} is there twice")]
    Twice(Card),
}

impl Deal {
    /// Draws the solution, shuffles the other cards of the classic deck and deals them one by one.
    pub fn classic(seats: Seats, stream: &mut Xoshiro256PlusPlus) -> Self {
        let solution = KINDS.map(|kind| {
            let cards = Deck::CLASSIC.range(kind);
            cards.start + draw(stream, cards.len())
        });
        let mut cards = [solution[0]; Deck::CLASSIC.len() - 3];
        let others = Deck::CLASSIC.all() - CardSet::of(solution);
        for (place, card) in cards.iter_mut().zip(others.iter()) {
            *place = card;
        }
        let mut hands = [CardSet::EMPTY; _];
        let mut seat = 0;
        // Each card is drawn from those that are left.
        for dealt in 0..cards.len() {
            let drawn = dealt + draw(stream, cards.len() - dealt);
            cards.swap(dealt, drawn);
            hands[seat].insert(cards[dealt]);
            seat = if seat + 1 == seats.count { 0 } else { seat + 1 };
        }
        Self { deck: Deck::CLASSIC, seats, solution, hands }
    }

    /// Draws the solution of a course game, then deals three of the other cards to each; panics outside [`PLAYERS`].
    pub fn course<R: Rng>(players: usize, rng: &mut R) -> Self {
        assert!(PLAYERS.contains(&players), "{players} players");
        let (deck, seats) = (Deck::course(players), Seats { first: 0, count: players });
        let solution = KINDS.map(|kind| rng.random_range(deck.range(kind)));
        let mut cards: Vec<Card> = (deck.all() - CardSet::of(solution)).iter().collect();
        for last in (1..cards.len()).rev() {
            cards.swap(last, rng.random_range(0..=last));
        }
        let mut hands = [CardSet::EMPTY; _];
        for (hand, cards) in hands.iter_mut().zip(cards.chunks_exact(3)) {
            *hand = cards.iter().copied().collect();
        }
        Self { deck, seats, solution, hands }
    }

    /// Hands are from the first player on.
    pub fn new<H: IntoIterator<Item = Card>>(
        deck: Deck,
        seats: Seats,
        solution: Triple,
        hands: impl ExactSizeIterator<Item = H>,
    ) -> Result<Self, DealError> {
        if hands.len() != seats.count || !PLAYERS.contains(&seats.count) {
            return Err(DealError::Hands(hands.len(), seats.count));
        }
        if deck.triple(solution) != Some(solution) {
            return Err(DealError::Secret);
        }
        let mut deal = Self { deck, seats, solution, hands: [CardSet::EMPTY; _] };
        let mut seen = CardSet::of(solution);
        for (place, cards) in hands.enumerate() {
            for card in cards {
                match card {
                    card if card >= deck.len() => return Err(DealError::Card(card)),
                    card if seen.contains(card) => return Err(DealError::Twice(card)),
                    card => seen.insert(card),
                }
                deal.hands[place].insert(card);
            }
            let (dealt, size) = (deal.hands[place].len(), hand_size(deck, seats.count, place));
            if dealt != size {
                return Err(DealError::Size(seats.first + place, dealt, size));
            }
        }
        Ok(deal)
    }

    /// Reads a deal of the course game.
    pub fn parse(text: &str, players: usize) -> Result<Self, DealError> {
        let deck = Deck::course(players);
        let cards = |part: &str| {
            let numbers: Option<Vec<Card>> = part.split_whitespace().map(|number| number.parse().ok()).collect();
            let cards = numbers.and_then(|cards| Triple::try_from(cards).ok());
            let cards = cards.filter(|cards| cards.iter().all(|&card| card < deck.len()));
            cards.ok_or_else(|| DealError::Cards(part.trim().to_owned(), deck.len()))
        };
        let parts = text.split('|').map(cards).collect::<Result<Vec<_>, _>>()?;
        let solution = deck.triple(parts[0]).ok_or(DealError::Secret)?;
        Self::new(deck, Seats { first: 0, count: players }, solution, parts[1..].iter().copied())
    }

    #[inline]
    pub const fn hand(&self, seat: usize) -> CardSet {
        self.hands[seat - self.seats.first]
    }

    /// Returns the hands, from the first player on.
    pub fn hands(&self) -> &[CardSet] {
        &self.hands[..self.seats.count]
    }

    /// Returns the hands as records list them.
    pub(crate) fn lists(&self) -> Vec<Vec<Card>> {
        self.hands().iter().map(|hand| hand.iter().collect()).collect()
    }

    /// Returns SHA-256 of a salt and the deal, in hexadecimal: published before a game, it shows afterwards that nothing
    /// was changed. It covers a classic deal as bytes with 255 before each hand, and one of the course as text.
    pub fn commitment(&self, salt: &[u8]) -> String {
        let hash = Sha256::new().chain_update(salt);
        if self.deck != Deck::CLASSIC {
            return hex(&hash.chain_update(self.to_string()).finalize());
        }
        let bytes = |cards: &[Card]| cards.iter().filter_map(|&card| u8::try_from(card).ok()).collect::<Vec<_>>();
        let add = |hash: Sha256, hand: &Vec<Card>| hash.chain_update([u8::MAX]).chain_update(bytes(hand));
        hex(&self.lists().iter().fold(hash.chain_update(bytes(&self.solution)), add).finalize())
    }
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.solution;
        write!(f, "{a} {b} {c}")?;
        self.hands().iter().try_for_each(|hand| write!(f, " | {hand}"))
    }
}

/// Returns how many cards the player at a place is dealt.
pub(crate) const fn hand_size(deck: Deck, players: usize, place: usize) -> usize {
    let dealt = deck.len() - 3;
    dealt / players + (place < dealt % players) as usize
}

/// Returns a random stream of its own for each purpose: knowing one tells nothing about another.
pub fn stream(seed: u64, table: u64, game: u64, label: &str) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::from_seed(digest([seed, table, game], label))
}

/// Returns the salt of a game's commitment.
pub fn salt(seed: u64, table: u64, game: u64) -> [u8; 16] {
    let bytes = digest([seed, table, game], "salt");
    std::array::from_fn(|place| bytes[place])
}

#[inline(always)]
pub(crate) fn digest<const N: usize>(numbers: [u64; N], label: &str) -> [u8; 32] {
    // In place: a hash that is handed on is copied each time.
    let mut hash = Sha256::new();
    for number in numbers {
        hash.update(number.to_le_bytes());
    }
    hash.update(label);
    hash.finalize().into()
}

/// Returns a uniform number below `bound`, which is not 0.
#[inline]
pub fn below(stream: &mut Xoshiro256PlusPlus, bound: u32) -> u32 {
    loop {
        // The high half of the product is uniform once the low halves that come up too often are left out.
        let product = u64::from(stream.next_u32()) * u64::from(bound);
        let low = product & u64::from(u32::MAX);
        if low >= u64::from(bound) || low >= u64::from(bound.wrapping_neg() % bound) {
            return (product >> 32) as u32;
        }
    }
}

/// Draws a number below a number of cards.
#[inline]
pub(crate) fn draw(stream: &mut Xoshiro256PlusPlus, cards: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "there are 21 cards")]
    let cards = cards as u32;
    below(stream, cards) as usize
}
