use amazons_rules::Position;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Plays `games` games of random moves from a position and returns the sum of their plies.
///
/// Code generic over the generator is optimised here with the engine, to measure playouts.
#[must_use]
pub fn random_playouts(start: &Position, seed: u64, games: u32) -> u64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut game = start.clone();
    let mut play = || {
        game.clone_from(start);
        u64::from(game.random_playout(&mut rng))
    };
    (0..games).map(|_| play()).sum()
}
