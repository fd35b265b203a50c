use std::f64::consts::LN_10;
use std::fmt;

/// The half-width of a 95 % interval in standard deviations.
pub const Z95: f64 = 1.959_964;

/// Normalised Elo per standard deviation of a game's score, 800 / ln 10.
pub(crate) const NELO: f64 = 800.0 / LN_10;

/// A difference in strength: 400 points are odds of ten to one.
///
/// Differences beyond [`Elo::MAX`] have no number, because a few more games could change it a lot.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Elo(f64);

impl Elo {
    /// The largest difference given as a number.
    pub const MAX: f64 = 800.0;

    /// Takes a number of points; NaN becomes 0.
    pub const fn new(points: f64) -> Self {
        if points.is_nan() { Self(0.0) } else { Self(points.clamp(-Self::MAX, Self::MAX)) }
    }

    /// Returns the difference that leads to an expected score, 0 to 1.
    pub fn of_score(score: f64) -> Self {
        Self::new(points_of(score))
    }

    /// Returns the points, between -800 and 800.
    pub const fn points(self) -> f64 {
        self.0
    }

    /// Returns whether the difference is only known to be larger than [`Elo::MAX`].
    pub const fn is_beyond(self) -> bool {
        self.0.abs() >= Self::MAX
    }
}

impl fmt::Display for Elo {
    /// Writes `+41`, or as many digits as requested; `> +800` and `< -800` beyond.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.is_beyond() { if self.0 > 0.0 { "> " } else { "< " } } else { "" };
        // Avoid "-0".
        let points = if self.0 == 0.0 { 0.0 } else { self.0 };
        f.pad_integral(
            true,
            "",
            &format!("{sign}{points:+.*}", if self.is_beyond() { 0 } else { f.precision().unwrap_or(0) }),
        )
    }
}

/// Returns the points that lead to an expected score, without a bound: infinite at 0 and 1.
pub(crate) fn points_of(score: f64) -> f64 {
    -400.0 * (1.0 / score.clamp(0.0, 1.0) - 1.0).log10()
}

/// Returns the expected score of a player stronger by `points`.
pub fn expected_score(points: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-points / 400.0))
}
