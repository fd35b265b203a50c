use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;

use crate::classic::seats::SEATS_MAX;
use crate::deal::digest;

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
        digest([self.seed, self.game], label)
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
