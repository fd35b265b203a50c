use std::sync::Arc;
use std::time::Instant;

use amazons_engine::{AnyGame, Isa, Table};
use amazons_rules::Position;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

const SEED: u64 = 1;
const GAMES: u32 = 40;

/// What evaluating came to.
#[derive(Clone, Copy, Debug)]
pub struct Evaluated {
    /// Evaluations made: at least as many as were asked for.
    pub evaluations: u64,
    /// The sum of all scores, the same for every instruction set.
    pub sum: i64,
    /// Seconds that they took.
    pub seconds: f64,
}

/// Evaluates the positions of 40 random games again and again, at least so many times in all.
#[must_use]
pub fn evaluate(start: &Position, isa: Isa, evaluations: u64) -> Evaluated {
    let positions = positions(start);
    let round = AnyGame::new(Arc::clone(start.board()), Arc::new(Table::standard()), isa).evaluator(&positions);
    let rounds = evaluations.div_ceil(positions.len() as u64);
    let began = Instant::now();
    let sum = (0..rounds).map(|_| round()).sum();
    let seconds = began.elapsed().as_secs_f64();
    Evaluated { evaluations: rounds * positions.len() as u64, sum, seconds }
}

/// Every position of random games, from open ones to closed ones.
fn positions(start: &Position) -> Vec<Position> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut positions = vec![start.clone()];
    for _ in 0..GAMES {
        let mut position = start.clone();
        while let Some(mv) = position.random_move(&mut rng) {
            position.play_unchecked(mv);
            positions.push(position.clone());
        }
    }
    positions
}
