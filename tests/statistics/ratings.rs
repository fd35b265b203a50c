use amazons_statistics::{Ratings, ratings};

/// Points of each against each, from lists of (winner's, loser's) points.
fn table(n: usize, results: &[(usize, usize, f64, f64)]) -> Vec<Vec<f64>> {
    let mut won = vec![vec![0.0; n]; n];
    for &(i, j, mine, theirs) in results {
        won[i][j] += mine;
        won[j][i] += theirs;
    }
    won
}

/// The same maximum by the classical iteration of Zermelo, which moves one rating at a time.
fn slowly(won: &[Vec<f64>]) -> Vec<f64> {
    let n = won.len();
    let mut strength = vec![1.0_f64; n];
    for _ in 0..200_000 {
        for i in 0..n {
            // The anchor has strength 1 and half a game each way.
            let points = 0.5 + won[i].iter().sum::<f64>();
            let others = (0..n).filter(|&j| j != i);
            let weight = 1.0 / (strength[i] + 1.0)
                + others.map(|j| (won[i][j] + won[j][i]) / (strength[i] + strength[j])).sum::<f64>();
            strength[i] = points / weight;
        }
    }
    let points: Vec<f64> = strength.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = points.iter().sum::<f64>() / n as f64;
    points.iter().map(|points| points - mean).collect()
}

fn points(ratings: &Ratings) -> Vec<f64> {
    (0..ratings.players()).map(|player| ratings.points(player)).collect()
}

#[test]
fn two_players_differ_by_their_score_but_for_the_prior() {
    // So many games that a virtual one changes nothing.
    let ratings = ratings(&table(2, &[(0, 1, 75e6, 25e6)]));
    assert_eq!(format!("{:.2}", ratings.difference(0, 1).0.points()), "190.85");
    let few = self::ratings(&table(2, &[(0, 1, 75.0, 25.0)])).difference(0, 1).0.points();
    assert!((185.0..190.85).contains(&few), "the prior pulls a little: {few}");
}

#[test]
fn a_gauntlet_is_rated_by_whom_one_met() {
    let gauntlet = table(5, &[(0, 1, 30.0, 10.0), (0, 2, 20.0, 20.0), (0, 3, 10.0, 30.0), (0, 4, 35.0, 5.0)]);
    for (rating, expected) in points(&ratings(&gauntlet)).into_iter().zip([66.0, -121.0, 65.0, 250.0, -260.0]) {
        assert!((rating - expected).abs() < 6.0, "{rating} for {expected}");
    }
}

#[test]
fn newton_finds_what_a_slow_iteration_finds() {
    let tables = [
        table(3, &[(0, 1, 3.0, 1.0), (1, 2, 2.0, 2.0), (0, 2, 5.0, 0.0)]),
        table(4, &[(0, 1, 8.0, 0.0), (1, 2, 8.0, 0.0), (2, 3, 8.0, 0.0)]),
        table(5, &[(0, 1, 1.0, 1.0), (2, 3, 0.5, 3.5)]),
    ];
    for won in tables {
        let (fast, slow) = (points(&ratings(&won)), slowly(&won));
        assert!(fast.iter().zip(&slow).all(|(fast, slow)| (fast - slow).abs() < 1e-5), "{fast:?} {slow:?}");
        assert!(fast.iter().sum::<f64>().abs() < 1e-9, "the average is 0: {fast:?}");
    }
}

#[test]
fn who_wins_everything_has_a_finite_rating() {
    for games in [2.0, 2_000.0, 2e9] {
        let ratings = ratings(&table(3, &[(0, 1, games, 0.0), (0, 2, games, 0.0), (1, 2, games, 0.0)]));
        for player in 0..3 {
            assert!(ratings.points(player).is_finite() && ratings.error(player).is_finite());
        }
        assert!(ratings.points(0) > ratings.points(1) && ratings.points(1) > ratings.points(2));
    }
    let nobody = ratings(&[]);
    assert_eq!(nobody.players(), 0);
}

#[test]
fn error_bars_are_those_of_the_binomial_law() {
    // Between two players with p = 1/2: Elo's bar is z * (400 / ln 10) * 2 / sqrt(n).
    let ratings = ratings(&table(2, &[(0, 1, 500.0, 500.0)]));
    let (difference, bar) = ratings.difference(0, 1);
    let expected = 1.959_964 * 400.0 / std::f64::consts::LN_10 * 2.0 / 1000_f64.sqrt();
    assert!((bar / expected - 1.0).abs() < 1e-3, "{bar} for {expected}");
    assert!(difference.points().abs() < 1e-9);
    // Each of the two is half as far from their average.
    assert!((ratings.error(0) - bar / 2.0).abs() < 1e-9);
}

#[test]
fn superiority_is_turned_around_with_the_players() {
    let ratings = ratings(&table(3, &[(0, 1, 60.0, 40.0), (1, 2, 55.0, 45.0)]));
    assert!(ratings.los(0, 1) > 0.97 && ratings.los(0, 2) > 0.97);
    for (i, j) in [(0, 1), (1, 2), (0, 2)] {
        assert!((ratings.los(i, j) + ratings.los(j, i) - 1.0).abs() < 1e-12);
    }
    assert!((ratings.los(1, 1) - 0.5).abs() < 1e-12);
}
