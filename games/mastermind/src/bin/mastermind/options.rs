use std::hash::{BuildHasher as _, RandomState};
use std::path::PathBuf;
use std::time::Duration;

use amazons_program::Exit;
use clap::Args;
use mastermind::{Code, Game, Strategy};
use rand::{RngExt as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The game.
#[derive(Args, Clone, Debug)]
pub(crate) struct GameOptions {
    /// Pegs x colours, and r (a colour may repeat) or n (it may not)
    #[arg(long, value_name = "PxCr|PxCn", default_value = "4x6r")]
    pub(crate) game: Game,
    /// The rule by which guesses are chosen: minimax, expected, entropy, parts or first
    #[arg(long, default_value = "entropy")]
    pub(crate) strategy: Strategy,
    /// Draw the secret by this number
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Write a record of the game, as JSON Lines
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write a page with the game
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// A rank of which nothing is heard for so long is lost
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    lost_after: u64,
}

/// The largest game whose guesses are scored.
const SCORED_MAX: u32 = 4_000_000;

impl GameOptions {
    /// Checks that the strategy can handle the game.
    pub(crate) fn check(&self) -> Result<(), Exit> {
        let scored = if self.strategy == Strategy::First { u32::MAX } else { SCORED_MAX };
        expect_at_most(scored, self.game, "strategies score").map_err(|refused| {
            Exit::Usage(format!("{}, use --strategy first", refused.complaint().unwrap_or_default()))
        })
    }

    /// How long a rank may be silent.
    pub(crate) const fn lost_after(&self) -> Duration {
        Duration::from_secs(self.lost_after)
    }

    /// Returns the seed, or a random one.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one(0))
    }

    pub(crate) fn draw(&self, seed: u64) -> Code {
        self.game.code(Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..self.game.codes()))
    }
}

/// Refuses a game that has too many codes for a command or an option.
pub(crate) fn expect_at_most(max: u32, game: Game, what: &str) -> Result<(), Exit> {
    match game.codes() {
        codes if codes > max => Err(Exit::Usage(format!("{game} has {codes} codes: {what} at most {max}"))),
        _ => Ok(()),
    }
}
