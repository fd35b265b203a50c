//! Strength from results, against published values, slow twins and simulations.

mod elo;
mod ratings;
mod simulations;
mod sprt;

/// Asserts that a number has these printed digits.
#[track_caller]
pub(crate) fn assert_printed(value: f64, expected: &str) {
    let digits = expected.split_once('.').map_or(0, |(_, digits)| digits.len());
    assert_eq!(format!("{value:.digits$}"), expected);
}
