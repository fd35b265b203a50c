//! The deal: each player's cards and the solution; and the random streams of a match.

use std::fmt;

use amazons_program::hex;
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::deck::{CardSet, Deck, Triple};
use crate::game::Dealt;

pub const PLAYERS: std::ops::RangeInclusive<usize> = 2..=10;

/// The secret and the hands of one game; as text `2 5 10 | 0 4 8 | 1 6 9 | 3 7 11`, the secret first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// One card of each type.
    pub secret: [usize; 3],
    /// Three cards for each seat.
    pub hands: Vec<CardSet>,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    #[error("{0:?} is not three numbers of cards below {1}")]
    Cards(String, usize),
    #[error("it has {0} hands, expected {1}")]
    Hands(usize, usize),
    #[error("the first three cards, the secret, must be one of each type")]
    Secret,
    #[error("card {0} is there twice")]
    Twice(usize),
}

impl Deal {
    /// Deals a secret card of each type, then three of the others to each seat; panics outside [`PLAYERS`].
    pub fn random<R: Rng>(players: usize, rng: &mut R) -> Self {
        assert!(PLAYERS.contains(&players), "{players} players");
        let size = players + 1;
        let secret = [0, 1, 2].map(|kind| kind * size + rng.random_range(0..size));
        let mut cards = [0; 30];
        let mut dealt = 0;
        for card in (0..3 * size).filter(|card| !secret.contains(card)) {
            cards[dealt] = card;
            dealt += 1;
        }
        for last in (1..dealt).rev() {
            cards.swap(last, rng.random_range(0..=last));
        }
        let hands = cards[..dealt].chunks_exact(3).map(|hand| hand.iter().copied().collect()).collect();
        Self { secret, hands }
    }

    pub fn parse(text: &str, players: usize) -> Result<Self, DealError> {
        let deck = Deck::course(players);
        let mut parts = Vec::with_capacity(players + 1);
        let mut seen = CardSet::EMPTY;
        for part in text.split('|') {
            let cards = three(part, deck.len()).ok_or_else(|| DealError::Cards(part.trim().to_owned(), deck.len()))?;
            for card in cards {
                if seen.contains(card) {
                    return Err(DealError::Twice(card));
                }
                seen.insert(card);
            }
            parts.push(cards);
        }
        if parts.len() != players + 1 {
            return Err(DealError::Hands(parts.len() - 1, players));
        }
        let secret = deck.triple(parts[0]).ok_or(DealError::Secret)?;
        Ok(Self { secret, hands: parts[1..].iter().map(|&cards| CardSet::of(cards)).collect() })
    }

    pub fn deck(&self) -> Deck {
        Deck::course(self.hands.len())
    }

    /// Returns SHA-256 of the salt's bytes and the deal's text, in hexadecimal: published before a game, it shows after
    /// the game that nothing was changed.
    pub fn commitment(&self, salt: &[u8]) -> String {
        hex(&Sha256::new().chain_update(salt).chain_update(self.to_string()).finalize())
    }
}

impl Dealt for Deal {
    fn hand(&self, seat: usize) -> CardSet {
        self.hands[seat]
    }

    fn solution(&self) -> Triple {
        self.secret
    }
}

/// Reads three numbers below `end`.
fn three(text: &str, end: usize) -> Option<[usize; 3]> {
    let numbers: Vec<usize> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    <[usize; 3]>::try_from(numbers).ok().filter(|cards| cards.iter().all(|&card| card < end))
}

impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.secret;
        write!(f, "{a} {b} {c}")?;
        self.hands.iter().try_for_each(|hand| write!(f, " | {hand}"))
    }
}

/// Returns a random stream of its own for each purpose: knowing one tells nothing about another.
pub fn stream(seed: u64, table: u64, game: u64, label: &str) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::from_seed(digest(seed, table, game, label))
}

/// Returns the salt of a game's commitment.
pub fn salt(seed: u64, table: u64, game: u64) -> [u8; 16] {
    let bytes = digest(seed, table, game, "salt");
    std::array::from_fn(|place| bytes[place])
}

fn digest(seed: u64, table: u64, game: u64, label: &str) -> [u8; 32] {
    let numbers = [seed, table, game].map(u64::to_le_bytes);
    Sha256::new().chain_update(numbers.concat()).chain_update(label).finalize().into()
}
