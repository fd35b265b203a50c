use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};
use sha2::{Digest as _, Sha256};

use crate::classic::seats::SEATS_MAX;

/// A stream of random numbers for one purpose.
pub type Stream = Xoshiro256PlusPlus;

/// The streams of one game. Each is a hash of the seed, the game's number and a label, so no stream tells another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streams {
    /// The seed of all games.
    pub seed: u64,
    pub game: u64,
}

impl Streams {
    /// Returns the 32 bytes that a label stands for: the state of a stream, or a salt.
    pub fn bytes(self, label: &str) -> [u8; 32] {
        let hash = Sha256::new().chain_update(self.seed.to_le_bytes()).chain_update(self.game.to_le_bytes());
        hash.chain_update(label).finalize().into()
    }

    pub fn deal(self) -> Stream {
        Stream::from_seed(self.bytes("deal"))
    }

    /// Returns what starts the stream of a player.
    pub fn player_bytes(self, rank: usize) -> [u8; 32] {
        const LABELS: [&str; SEATS_MAX] = ["player 0", "player 1", "player 2", "player 3", "player 4", "player 5"];
        self.bytes(LABELS[rank])
    }

    pub fn player(self, rank: usize) -> Stream {
        Stream::from_seed(self.player_bytes(rank))
    }
}

/// Returns a uniform number below `bound`, which is not 0.
#[inline]
pub fn below(stream: &mut Stream, bound: u32) -> u32 {
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
pub(crate) fn draw(stream: &mut Stream, cards: usize) -> usize {
    #[expect(clippy::cast_possible_truncation, reason = "there are 21 cards")]
    let cards = cards as u32;
    below(stream, cards) as usize
}
