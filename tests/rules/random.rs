use std::collections::BTreeMap;

use amazons_rules::{Move, Position};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::slow;

#[test]
fn random_moves_are_legal_and_end_when_blocked() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for position in slow::positions().step_by(5) {
        match position.random_move(&mut rng) {
            Some(mv) => assert_eq!(position.is_legal(mv), Ok(()), "{mv:?} in {position}"),
            None => assert!(slow::moves(&position).is_empty(), "{position}"),
        }
    }
}

#[test]
fn queen_target_and_arrow_are_each_uniform() {
    // b1 has two targets, e1 none, h1 one; each queen that can move is as likely as the other.
    let position = Position::parse("1q**q**q1* b").expect("a position");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
    let draws = 40_000;
    let mut counts: BTreeMap<Move, f64> = BTreeMap::new();
    for _ in 0..draws {
        *counts.entry(position.random_move(&mut rng).expect("a move")).or_default() += 1.0;
    }
    let moves = slow::moves(&position);
    assert!(counts.keys().eq(&moves), "every legal move is drawn");
    let queens = 2.0;
    for (mv, count) in counts {
        let siblings: Vec<&Move> = moves.iter().filter(|other| other.from == mv.from).collect();
        let targets: std::collections::BTreeSet<u32> = siblings.iter().map(|other| other.to).collect();
        let arrows = siblings.iter().filter(|other| other.to == mv.to).count();
        let share = 1.0 / queens / targets.len() as f64 / arrows as f64;
        // Five standard deviations of a binomial count.
        let tolerance = 5.0 * (f64::from(draws) * share * (1.0 - share)).sqrt();
        assert!(
            (count - f64::from(draws) * share).abs() < tolerance,
            "{mv:?}: {count} of {draws}, expected a share of {share}"
        );
    }
}

#[test]
fn playouts_repeat_with_their_seed_and_have_the_known_mean_length() {
    let start = Position::standard();
    let lengths = |seed, games: u32| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = start.clone();
        (0..games)
            .map(|_| {
                position.clone_from(&start);
                let plies = position.random_playout(&mut rng);
                assert!(!position.has_moves() && plies <= 92);
                plies
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(lengths(1, 20), lengths(1, 20));
    assert_ne!(lengths(1, 20), lengths(2, 20));
    let games = 4000;
    let mean = f64::from(lengths(3, games).iter().sum::<u32>()) / f64::from(games);
    // Two independent programs count 69.07 plies on average, with a standard deviation near 6.
    assert!((mean - 69.07).abs() < 0.6, "mean length {mean}");
}
