use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::elo::{NELO, expected_score};
use crate::likelihood;
use crate::score::Score;

/// Minimum number of pairs for a verdict: the approximation needs some.
pub const PAIRS_LEAST: u64 = 16;

/// The weight of a score that never occurred, so that every logarithm exists.
const NEVER: f64 = 1e-3;

/// The kind of Elo in the hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SprtModel {
    /// Elo of the mean score.
    Logistic,
    /// Elo of the mean score in deviations of a game's: the length of a test is then independent of openings and
    /// limits.
    #[default]
    Normalized,
}

/// A sequential probability ratio test: is the difference `elo0` or `elo1`?
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    model: SprtModel,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtVerdict {
    /// The games so far do not decide.
    Continue,
    /// The difference is `elo0` rather than `elo1`.
    AcceptH0,
    /// The difference is `elo1` rather than `elo0`.
    AcceptH1,
}

/// Why a test is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SprtError {
    /// The hypotheses are equal or in the wrong order.
    Order,
    /// A hypothesis is out of range.
    Range,
    /// A chance of error is not between 0 and 1/2.
    Chance,
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Order => "elo0 must be less than elo1",
            Self::Range => "elo0 and elo1 must be between -200 and 200",
            Self::Chance => "alpha and beta must be between 0.0001 and 0.4999",
        })
    }
}

impl Error for SprtError {}

impl SprtModel {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        }
    }
}

impl FromStr for SprtModel {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = [Self::Logistic, Self::Normalized].into_iter().find(|model| model.name() == name);
        found.ok_or_else(|| format!("unknown model '{name}': use logistic or normalized"))
    }
}

impl Sprt {
    /// Tests `elo0` against `elo1`; `alpha` is the chance to accept `elo1` when `elo0` is true, `beta` that of the
    /// reverse. Fails when the hypotheses or the error chances are invalid.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Self, SprtError> {
        // A pair's score cannot be much farther from even than this and keep its deviation.
        if [elo0, elo1].into_iter().any(|elo| !(-200.0..=200.0).contains(&elo)) {
            return Err(SprtError::Range);
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order);
        }
        if [alpha, beta].into_iter().any(|chance| !(0.0001..=0.4999).contains(&chance)) {
            return Err(SprtError::Chance);
        }
        Ok(Self { elo: [elo0, elo1], alpha, beta, model })
    }

    /// Returns `elo0` and `elo1`.
    pub const fn hypotheses(&self) -> [f64; 2] {
        self.elo
    }

    /// Returns the bounds of the log-likelihood ratio at which the hypotheses are accepted (Wald).
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// Returns the logarithm of the results' likelihood ratio of `elo1` to `elo0`.
    pub fn llr(&self, score: &Score) -> f64 {
        if score.total() == 0 {
            return 0.0;
        }
        let counts: Vec<f64> = score.counts().iter().map(|&count| (count as f64).max(NEVER)).collect();
        let total: f64 = counts.iter().sum();
        let frequencies: Vec<f64> = counts.iter().map(|count| count / total).collect();
        let scores: Vec<f64> = score.scores().collect();
        let law = |elo: f64| match self.model {
            SprtModel::Logistic => likelihood::with_mean(&frequencies, &scores, expected_score(elo)),
            SprtModel::Normalized => {
                let effect = f64::from(score.games_each()).sqrt() * elo / NELO;
                likelihood::with_effect(&frequencies, &scores, effect)
            }
        };
        let [law0, law1] = self.elo.map(law);
        let ratio = |((p, q0), q1): ((&f64, f64), f64)| p * (q1 / q0).ln();
        total * frequencies.iter().zip(law0).zip(law1).map(ratio).sum::<f64>()
    }

    /// Returns the test's state after these results; no verdict before [`PAIRS_LEAST`].
    pub fn verdict(&self, score: &Score) -> SprtVerdict {
        self.judge(self.llr(score), score.total())
    }

    /// Returns the test's state at this ratio after so many results.
    pub fn judge(&self, llr: f64, results: u64) -> SprtVerdict {
        let [lower, upper] = self.bounds();
        if results < PAIRS_LEAST {
            SprtVerdict::Continue
        } else if llr >= upper {
            SprtVerdict::AcceptH1
        } else if llr <= lower {
            SprtVerdict::AcceptH0
        } else {
            SprtVerdict::Continue
        }
    }
}
