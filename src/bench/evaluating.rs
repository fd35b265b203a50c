use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use amazons_engine::{AnyGame, Game, Isa, Table};
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
    match AnyGame::new(Arc::clone(start.board()), Arc::new(Table::standard()), isa) {
        AnyGame::Small(game) => evaluate_on(&game, start, evaluations),
        AnyGame::Medium(game) => evaluate_on(&game, start, evaluations),
        AnyGame::Large(game) => evaluate_on(&game, start, evaluations),
        AnyGame::Graph(game) => evaluate_on(&game, start, evaluations),
    }
}

fn evaluate_on<G: Game>(game: &G, start: &Position, evaluations: u64) -> Evaluated {
    let states = states(game, start);
    let rounds = evaluations.div_ceil(states.len() as u64);
    let began = Instant::now();
    let mut sum = 0;
    for _ in 0..rounds {
        for state in &states {
            sum += i64::from(game.evaluate(black_box(state)).score);
        }
    }
    let seconds = began.elapsed().as_secs_f64();
    Evaluated { evaluations: rounds * states.len() as u64, sum, seconds }
}

/// Every position of random games, from open ones to closed ones.
fn states<G: Game>(game: &G, start: &Position) -> Vec<G::State> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(SEED);
    let mut states = vec![game.state(start)];
    for _ in 0..GAMES {
        let mut position = start.clone();
        while let Some(mv) = position.random_move(&mut rng) {
            position.play_unchecked(mv);
            states.push(game.state(&position));
        }
    }
    states
}
