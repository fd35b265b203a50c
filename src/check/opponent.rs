use amazons_rules::{Move, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::referee::{Answer, Call, CallError, OutOfOrder, Seat};

/// An opponent without a library: plays random legal moves in the server's own process.
#[derive(Debug)]
pub(super) struct RandomMover {
    position: Position,
    rng: Xoshiro256PlusPlus,
}

impl RandomMover {
    pub(super) fn new(position: &Position, seed: u64) -> Self {
        Self { position: position.clone(), rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// Plays the checked player's move `previous` and answers with a move.
    pub(super) fn answer(&mut self, previous: Option<Move>) -> Option<Move> {
        if let Some(previous) = previous {
            self.position.play_unchecked(previous);
        }
        let mv = self.position.random_move(&mut self.rng)?;
        self.position.play_unchecked(mv);
        Some(mv)
    }
}

impl Seat for RandomMover {
    fn name(&mut self) -> Result<Answer<Option<Vec<u8>>>, CallError> {
        Ok(Answer::free(Some(b"random mover".to_vec())))
    }

    fn play(&mut self, previous: Option<Move>) -> Result<Answer<Move>, CallError> {
        // The referee never asks a blocked player.
        let mv = self.answer(previous).ok_or(OutOfOrder(Call::Play))?;
        Ok(Answer::free(mv))
    }
}
