//! Thousands of events with known strengths.

use amazons_statistics::{Score, Sprt, SprtModel, SprtVerdict, expected_score, ratings};
use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const EVENTS: u32 = 2_000;

/// Plays a pair whose opening is worth some points to the first mover; returns the first player's points, 0 to 2.
fn pair(strength: f64, opening: f64, rng: &mut impl Rng) -> usize {
    [opening, -opening].into_iter().filter(|colour| rng.random::<f64>() < expected_score(strength + colour)).count()
}

fn assert_covered(covered: u32, what: &str) {
    let share = f64::from(covered) / f64::from(EVENTS);
    println!("{what}: {:.2} % of {EVENTS} events are covered", 100.0 * share);
    assert!((0.93..=0.97).contains(&share), "{what}: {share}");
}

#[test]
fn bars_of_two_players_cover_what_is_true() {
    for (strength, bias) in [(0.0, 0.0), (40.0, 300.0), (-120.0, 100.0)] {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut covered = 0;
        // With openings that decide games, a player's expected score is not that of an even opening.
        let mean = f64::midpoint(expected_score(strength + bias), expected_score(strength - bias));
        let truth = amazons_statistics::Elo::of_score(mean).points();
        for _ in 0..EVENTS {
            let mut counts = [0; 5];
            for _ in 0..200 {
                counts[2 * pair(strength, bias, &mut rng)] += 1;
            }
            let estimate = Score::pairs(counts).estimate();
            covered += u32::from((estimate.elo.points() - truth).abs() <= estimate.error.points());
        }
        assert_covered(covered, &format!("two players {strength} apart, openings worth {bias}"));
    }
}

#[test]
fn bars_of_many_players_cover_what_is_true() {
    const TRUTH: [f64; 5] = [-150.0, -60.0, 0.0, 60.0, 150.0];
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(12);
    let mut covered = [0; TRUTH.len()];
    for _ in 0..EVENTS {
        let mut won = vec![vec![0.0; TRUTH.len()]; TRUTH.len()];
        for i in 0..TRUTH.len() {
            for j in 0..i {
                for _ in 0..40 {
                    let points = pair(TRUTH[i] - TRUTH[j], 0.0, &mut rng) as f64;
                    won[i][j] += points;
                    won[j][i] += 2.0 - points;
                }
            }
        }
        let ratings = ratings(&won);
        for (player, covered) in covered.iter_mut().enumerate() {
            *covered += u32::from((ratings.points(player) - TRUTH[player]).abs() <= ratings.error(player));
        }
    }
    for (covered, truth) in covered.into_iter().zip(TRUTH) {
        assert_covered(covered, &format!("a player of rating {truth} among five"));
    }
}

/// How far the share of that many simulated tests exceeds the true one in one of forty simulations.
fn chance(share: f64, tests: u32) -> f64 {
    amazons_statistics::Z95 * (share * (1.0 - share) / f64::from(tests)).sqrt()
}

/// The share of that many tests that end with a verdict, given this law of pairs.
fn share_of(verdict: SprtVerdict, sprt: &Sprt, law: [f64; 3], tests: u32) -> f64 {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(13);
    let ended = (0..tests).filter(|_| {
        let mut counts = [0; 5];
        loop {
            let draw = rng.random::<f64>();
            counts[if draw < law[0] {
                0
            } else if draw < law[0] + law[1] {
                2
            } else {
                4
            }] += 1;
            match sprt.verdict(&Score::pairs(counts)) {
                SprtVerdict::Continue => {}
                end => return end == verdict,
            }
        }
    });
    ended.count() as f64 / f64::from(tests)
}

fn assert_errors(tests: u32) {
    // A pair's law with mean m and some variance v, for scores 0, 1/2, 1.
    let law = |mean: f64, variance: f64| {
        let won = 2.0 * (variance + mean * mean) - mean;
        let split = 4.0 * (mean - variance - mean * mean);
        [1.0 - won - split, split, won]
    };
    // Pairs vary half as much as two games without an opening would, as they do where openings decide.
    let variance: f64 = 1.0 / 16.0;
    let models = [(SprtModel::Normalized, 40.0), (SprtModel::Logistic, 20.0_f64)];
    let chances = [(0.05, 0.05), (0.05, 0.1)];
    for ((model, elo1), (alpha, beta)) in models.into_iter().flat_map(|model| chances.map(|chances| (model, chances))) {
        let sprt = Sprt::new(0.0, elo1, alpha, beta, model).expect("a test");
        let mean1 = match model {
            SprtModel::Logistic => expected_score(elo1),
            // The effect for each deviation of a game: mean - 1/2 = nelo sqrt(2 variance) ln 10 / 800.
            SprtModel::Normalized => 0.5 + elo1 * (2.0 * variance).sqrt() * std::f64::consts::LN_10 / 800.0,
        };
        let false_positive = share_of(SprtVerdict::AcceptH1, &sprt, law(0.5, variance), tests);
        let false_negative = share_of(SprtVerdict::AcceptH0, &sprt, law(mean1, variance), tests);
        println!(
            "{model:?}, alpha {alpha}, beta {beta}: {:.2} % false positives, {:.2} % false negatives",
            100.0 * false_positive,
            100.0 * false_negative
        );
        assert!(false_positive <= alpha + chance(alpha, tests), "{model:?}: {false_positive}");
        assert!(false_negative <= beta + chance(beta, tests), "{model:?}: {false_negative}");
        assert!(false_positive + false_negative > 0.01, "a test that is never wrong takes too long: {model:?}");
    }
}

#[test]
fn a_few_tests_are_wrong_no_more_often_than_they_say() {
    assert_errors(100);
}

mod long {
    /// The number of simulated tests: `AMAZONS_SPRTS`, or 1,000.
    #[test]
    fn tests_are_wrong_no_more_often_than_they_say() {
        super::assert_errors(std::env::var("AMAZONS_SPRTS").map_or(1_000, |number| number.parse().expect("a number")));
    }
}
