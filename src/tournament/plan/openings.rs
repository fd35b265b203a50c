use amazons_rules::{Color, Position};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Openings, Plan, PlanError, start_of};
use crate::tournament::schedule::Pair;

/// Maximum number of tries, more than any board with room for the plies needs.
const TRIES_MAX: u32 = 1000;

impl Plan {
    /// Returns the position that both games of a pair start from.
    pub fn opening(&self, pair: &Pair) -> Result<Position, PlanError> {
        match &self.openings {
            Openings::Listed(texts) => self.listed(texts, pair.opening as usize % texts.len()),
            Openings::Random { plies } => {
                let board = &self.boards[pair.board];
                let start = start_of(board)?;
                // Each ply takes a vertex, and whoever moves next needs another.
                let queens: usize = Color::ALL.map(|color| start.queens(color).len()).iter().sum();
                let free = start.board().vertex_count() - queens;
                let tries = if (*plies as usize) < free { TRIES_MAX } else { 0 };
                let mut rng = generator([self.seed, pair.board as u64, u64::from(pair.opening)]);
                for _ in 0..tries {
                    let mut position = start.clone();
                    let is_done = (0..*plies).all(|_| match position.random_move(&mut rng) {
                        Some(mv) => {
                            position.play_unchecked(mv);
                            true
                        }
                        None => false,
                    });
                    if is_done && position.has_moves() {
                        return Ok(position);
                    }
                }
                Err(PlanError(format!("plies: after {plies} random plies on {board} the game is over: use fewer")))
            }
        }
    }

    /// Returns the first opening on each board.
    pub(in crate::tournament) fn first_openings(&self) -> Result<Vec<Position>, PlanError> {
        let first = |board| self.opening(&Pair { number: 1, stage: 1, players: [0, 1], board, opening: 0 });
        (0..self.boards.len()).map(first).collect()
    }

    /// Returns whether some games of two plans follow from the same seed, openings and settings.
    pub(in crate::tournament) fn has_openings_of(&self, other: &Self) -> bool {
        let has_same_board = match self.openings {
            Openings::Listed(_) => self.boards == other.boards,
            Openings::Random { .. } => self.boards.iter().zip(&other.boards).any(|(board, its)| board == its),
        };
        has_same_board && self.seed == other.seed && self.openings == other.openings && self.game == other.game
    }

    /// Returns the seed of a game: another one for each, of at most 53 bits, which every reader of JSON keeps.
    pub fn seed_of(&self, pair: u32, game: u8) -> u64 {
        generator([self.seed, u64::from(pair), u64::from(game) << 32]).next_u64() >> 11
    }
}

/// Mixes numbers into a generator, so that neighbours have nothing in common.
fn generator(numbers: [u64; 3]) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(mixed(numbers))
}

/// Mixes numbers into one.
pub(in crate::tournament) fn mixed(numbers: [u64; 3]) -> u64 {
    // The constants of SplitMix64 (Steele, Lea, Flood 2014).
    let mix = |state: u64, number: u64| {
        let mut z = state.wrapping_add(number).wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    numbers.into_iter().fold(0, mix)
}
