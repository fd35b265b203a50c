//! Plays any legal move: first a queen, then its target, then its arrow's, each drawn uniformly.
//!
//! With `AMAZONS_SEED` set, the game repeats.

use std::ffi::CStr;

use amazons_player::rules::{Move, Position};
use amazons_player::{GameInfo, Player, Rng, export_player};

struct Random {
    rng: Rng,
}

impl Player for Random {
    const NAME: &'static CStr = c"random";

    fn new(game: &GameInfo) -> Self {
        Self { rng: game.rng() }
    }

    fn play(&mut self, position: &Position) -> Option<Move> {
        position.random_move(&mut self.rng)
    }
}

export_player!(Random);
