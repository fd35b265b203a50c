use SprtModel::{Logistic, Normalized};
use amazons_statistics::{PAIRS_LEAST, Score, Sprt, SprtError, SprtModel, SprtVerdict};

use super::assert_printed;

fn llr(model: SprtModel, elo0: f64, elo1: f64, score: &Score) -> f64 {
    Sprt::new(elo0, elo1, 0.05, 0.05, model).expect("a test").llr(score)
}

#[test]
fn published_values_of_games() {
    let cases = [
        (Normalized, 0.0, 2.0, [36027, 68692, 36433], "0.92"),
        (Normalized, -1.75, 0.25, [10650, 20431, 10871], "2.30"),
        (Logistic, 0.5, 2.5, [21184, 40708, 21404], "-1.57"),
        (Logistic, 0.0, 2.0, [57030, 106_593, 57433], "-2.59"),
    ];
    for (model, elo0, elo1, [lost, drawn, won], expected) in cases {
        assert_printed(llr(model, elo0, elo1, &Score::games_with_draws(lost, drawn, won)), expected);
    }
}

#[test]
fn published_values_of_pairs() {
    let cases = [
        (Normalized, 0.0, 2.0, [365, 16618, 36229, 16974, 390], "2.25"),
        (Normalized, -1.75, 0.25, [127, 4883, 10712, 5150, 104], "3.01"),
        (Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], "-3.07"),
        (Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], "-4.98"),
    ];
    for (model, elo0, elo1, counts, expected) in cases {
        assert_printed(llr(model, elo0, elo1, &Score::pairs(counts)), expected);
    }
}

#[test]
fn published_values_where_one_side_won_everything() {
    let within = |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 0.01, "{value} for {expected}");
    within(llr(Normalized, 0.0, 10.0, &Score::games_with_draws(0, 0, 4250)), 120.55);
    within(llr(Normalized, 0.0, 5.0, &Score::pairs([0, 0, 0, 0, 5550])), 111.80);
}

#[test]
fn bounds_are_those_of_wald() {
    let [lower, upper] = Sprt::new(0.0, 5.0, 0.05, 0.1, Normalized).expect("a test").bounds();
    assert_printed(lower, "-2.25");
    assert_printed(upper, "2.89");
}

#[test]
fn there_is_no_verdict_before_sixteen_pairs() {
    let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05, Logistic).expect("a test");
    let swept = |pairs| Score::pairs([0, 0, 0, 0, pairs]);
    assert!(sprt.llr(&swept(PAIRS_LEAST - 1)) > sprt.bounds()[1], "the ratio alone would say so");
    assert_eq!(sprt.verdict(&swept(PAIRS_LEAST - 1)), SprtVerdict::Continue);
    assert_eq!(sprt.verdict(&swept(PAIRS_LEAST)), SprtVerdict::AcceptH1);
    assert_eq!(sprt.verdict(&Score::pairs([PAIRS_LEAST, 0, 0, 0, 0])), SprtVerdict::AcceptH0);
}

#[test]
fn no_counts_make_a_ratio_that_is_no_number() {
    for model in [Logistic, Normalized] {
        for elo1 in [-199.0, 0.5, 200.0] {
            let sprt = Sprt::new(-200.0, elo1, 0.05, 0.05, model).expect("a test");
            for filled in 0_u32..32 {
                for many in [1, 1_000_000] {
                    let counts = std::array::from_fn(|score| u64::from(filled >> score & 1) * many);
                    let ratio = sprt.llr(&Score::pairs(counts));
                    assert!(ratio.is_finite(), "{counts:?} {model:?} {elo1}: {ratio}");
                }
            }
        }
    }
}

#[test]
fn hypotheses_that_make_no_test_are_refused() {
    let refused = |elo0, elo1, alpha, beta| Sprt::new(elo0, elo1, alpha, beta, Logistic).expect_err("no test");
    assert_eq!(refused(5.0, 5.0, 0.05, 0.05), SprtError::Order);
    assert_eq!(refused(0.0, 201.0, 0.05, 0.05), SprtError::Range);
    assert_eq!(refused(f64::NAN, 5.0, 0.05, 0.05), SprtError::Range);
    assert_eq!(refused(0.0, 5.0, 0.0, 0.05), SprtError::Chance);
    assert_eq!(refused(0.0, 5.0, 0.05, 0.5), SprtError::Chance);
    assert_eq!("normalized".parse(), Ok(Normalized));
    assert_eq!("normal".parse::<SprtModel>(), Err("unknown model 'normal': use logistic or normalized".to_owned()));
}
