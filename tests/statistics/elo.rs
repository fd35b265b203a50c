use amazons_statistics::{Elo, Estimate, Score, Z95, expected_score, normal};

use super::assert_printed;

#[track_caller]
fn check(estimate: &Estimate, [elo, error, nelo, nelo_error]: [&str; 4]) {
    assert_printed(estimate.elo.points(), elo);
    assert_printed(estimate.error.points(), error);
    assert_printed(estimate.nelo.points(), nelo);
    assert_printed(estimate.nelo_error.points(), nelo_error);
}

#[test]
fn published_values_of_games() {
    let estimate = Score::games_with_draws(96, 111, 136).estimate();
    check(&estimate, ["40.70", "30.43", "49.77", "36.77"]);
    assert_printed(100.0 * estimate.los, "99.60");
}

#[test]
fn published_values_of_pairs() {
    check(&Score::pairs([34, 54, 63, 64, 75]).estimate(), ["55.58", "27.65", "57.94", "28.28"]);
    let estimate = Score::pairs([332, 433, 498, 333, 334]).estimate();
    check(&estimate, ["-8.64", "10.33", "-9.17", "10.96"]);
    assert_printed(100.0 * estimate.los, "5.05");
}

/// By the same formula as fastchess: the ends of the interval are not cut at 800.
#[test]
fn bars_near_the_maximum_are_whole() {
    let estimate = Score::pairs([2, 0, 2, 0, 26]).estimate();
    assert_eq!(estimate.to_string(), "+381.7 +- 379.4");
    // An interval that reaches a score of 1 has no width.
    let reaching = Score::pairs([1, 0, 0, 0, 9]).estimate();
    assert_eq!(reaching.to_string(), "+381.7 +- unknown");
}

#[test]
fn a_clamped_normalised_difference_is_marked() {
    let estimate = Score::pairs([0, 0, 0, 1, 29]).estimate();
    assert_eq!(format!("{:.1}", estimate.nelo), "> +800");
}

#[test]
fn games_without_draws_are_the_same_with_none_of_them() {
    let games = Score::games(40, 60).estimate();
    assert_eq!(games, Score::games_with_draws(40, 0, 60).estimate());
    assert_printed(games.elo.points(), "70.44");
}

#[test]
fn swapped_sides_turn_every_sign() {
    let (one, two) = (Score::pairs([3, 1, 40, 2, 17]).estimate(), Score::pairs([17, 2, 40, 1, 3]).estimate());
    assert!((one.elo.points() + two.elo.points()).abs() < 1e-9);
    assert!((one.nelo.points() + two.nelo.points()).abs() < 1e-9);
    assert!((one.error.points() - two.error.points()).abs() < 1e-9);
    assert!((one.los + two.los - 1.0).abs() < 1e-12);
}

#[test]
fn a_swept_match_is_no_infinity() {
    let swept = Score::pairs([0, 0, 0, 0, 30]).estimate();
    assert_eq!(swept.elo.to_string(), "> +800");
    assert_eq!(swept.to_string(), "> +800 +- unknown");
    assert_eq!((swept.nelo.to_string().as_str(), swept.los), ("> +800", 1.0 - 0.5_f64.powi(31)));
    let lost = Score::games(7, 0).estimate();
    assert_eq!((lost.elo.to_string().as_str(), lost.los), ("< -800", 0.5_f64.powi(8)));
    for even in [Score::pairs([0; 5]), Score::pairs([0, 0, 9, 0, 0])] {
        let estimate = even.estimate();
        assert_eq!((estimate.elo.to_string().as_str(), estimate.los), ("+0", 0.5));
        assert_eq!(estimate.nelo.points(), 0.0);
    }
}

#[test]
fn elo_and_expected_scores_are_inverse() {
    for points in [-700.0, -41.0, 0.0, 5.0, 190.85, 799.0] {
        assert!((Elo::of_score(expected_score(points)).points() - points).abs() < 1e-9, "{points}");
    }
    assert_printed(Elo::of_score(0.75).points(), "190.85");
    assert_eq!(Elo::of_score(f64::NAN).points(), 0.0);
    assert_eq!(Elo::of_score(2.0).to_string(), "> +800");
}

#[test]
fn the_normal_distribution_is_its_integral() {
    // Simpson's rule over the density, from far below.
    let slow = |x: f64| {
        const STEPS: i32 = 20_000;
        let density = |t: f64| (-t * t / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
        let h = (x + 12.0) / f64::from(STEPS);
        let weight = |k: i32| if k == 0 || k == STEPS { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
        (0..=STEPS).map(|k| weight(k) * density(f64::from(k).mul_add(h, -12.0))).sum::<f64>() * h / 3.0
    };
    for tenth in -59..=59 {
        let x = f64::from(tenth) / 10.0;
        assert!((normal(x) - slow(x)).abs() < 1e-11, "{x}: {} and {}", normal(x), slow(x));
    }
    assert!((normal(Z95) - 0.975).abs() < 1e-7);
    assert_eq!([normal(-40.0), normal(40.0), normal(f64::NAN)], [0.0, 1.0, 0.5]);
}
