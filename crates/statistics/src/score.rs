use std::cmp::Ordering;
use std::fmt;

use crate::elo::{Elo, NELO, Z95, points_of};
use crate::normal::normal;

/// Results counted by score, worst first; the scores are equally spaced from 0 to 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Score {
    counts: Vec<u64>,
    games_each: u32,
}

/// The difference of two players, estimated from a score.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The difference.
    pub elo: Elo,
    /// The half-width of its 95 % interval.
    pub error: Elo,
    /// The difference in deviations of a game's score, which does not depend on how decisive games are.
    pub nelo: Elo,
    /// The half-width of its 95 % interval.
    pub nelo_error: Elo,
    /// The likelihood of superiority: the chance that the first player is stronger, 0 to 1.
    pub los: f64,
}

impl Score {
    /// Counts pairs of games by their points: 0, 1/2, 1, 3/2, 2.
    pub fn pairs(counts: [u64; 5]) -> Self {
        Self { counts: counts.to_vec(), games_each: 2 }
    }

    /// Counts single games lost and won.
    pub fn games(lost: u64, won: u64) -> Self {
        Self { counts: vec![lost, won], games_each: 1 }
    }

    /// Counts single games lost, drawn and won.
    pub fn games_with_draws(lost: u64, drawn: u64, won: u64) -> Self {
        Self { counts: vec![lost, drawn, won], games_each: 1 }
    }

    /// Returns the counts, worst result first.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// Returns the number of results, N.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the number of games per result, c.
    pub const fn games_each(&self) -> u32 {
        self.games_each
    }

    /// Returns the mean score and its variance, per result; 1/2 and 0 without results.
    pub fn moments(&self) -> (f64, f64) {
        let total = self.total() as f64;
        if total == 0.0 {
            return (0.5, 0.0);
        }
        let mean = |f: &dyn Fn(f64) -> f64| {
            self.scores().zip(&self.counts).map(|(score, &count)| f(score) * count as f64).sum::<f64>() / total
        };
        let mu = mean(&|score| score);
        (mu, mean(&|score| (score - mu).powi(2)))
    }

    /// Returns the scores that are counted.
    pub(crate) fn scores(&self) -> impl Iterator<Item = f64> + use<> {
        let last = (self.counts.len() - 1) as f64;
        (0..self.counts.len()).map(move |index| index as f64 / last)
    }

    /// Estimates the difference: Elo of the mean score, with normal 95 % bars from the variance of results.
    ///
    /// The bar is unknown, [`Elo::MAX`], when all results are equal, or when the interval reaches a score of 0 or 1.
    pub fn estimate(&self) -> Estimate {
        let (mean, variance) = self.moments();
        if self.total() == 0 || variance <= 0.0 {
            let direction = mean - 0.5;
            // Equal results show the likely direction but not the size. If every chance of such a result is equally
            // likely a priori, that many in a row leave this much to the other side.
            let other = 0.5_f64.powf(self.total() as f64 + 1.0);
            let los = match direction.partial_cmp(&0.0) {
                Some(Ordering::Greater) => 1.0 - other,
                Some(Ordering::Less) => other,
                _ => 0.5,
            };
            let unknown = Elo::new(Elo::MAX);
            let nelo = Elo::new(if direction == 0.0 { 0.0 } else { Elo::MAX.copysign(direction) });
            return Estimate { elo: Elo::of_score(mean), error: unknown, nelo, nelo_error: unknown, los };
        }
        let games = f64::from(self.games_each);
        let error = (variance / self.total() as f64).sqrt();
        let [low, high] = [-Z95, Z95].map(|z| points_of(mean + z * error));
        let nelo = |difference: f64| Elo::new(difference / (games * variance).sqrt() * NELO);
        Estimate {
            elo: Elo::of_score(mean),
            error: Elo::new((high - low) / 2.0),
            nelo: nelo(mean - 0.5),
            nelo_error: nelo(Z95 * error),
            los: normal((mean - 0.5) / error),
        }
    }
}

impl fmt::Display for Estimate {
    /// Writes `+55.6 +- 27.7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        write!(f, "{:.digits$} +- ", self.elo)?;
        if self.error.is_beyond() { f.write_str("unknown") } else { write!(f, "{:.digits$}", self.error.points()) }
    }
}
