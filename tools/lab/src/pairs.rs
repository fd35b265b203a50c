//! Strength from the results of a match.

use std::fmt;

use amazons_statistics::Score;

/// Results of pairs of games with the same opening.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    /// Pairs with 0, 1, 2, 3, 4 half points.
    counts: [u64; 5],
}

impl Pairs {
    pub(crate) fn add(&mut self, wins: usize) {
        self.counts[2 * wins] += 1;
    }

    pub(crate) fn games(&self) -> u64 {
        2 * self.counts.iter().sum::<u64>()
    }
}

impl fmt::Display for Pairs {
    /// Writes the score, Elo with a 95 % bar from the variance of pairs, and the likelihood of superiority.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let score = Score::pairs(self.counts);
        let ((mean, _), estimate) = (score.moments(), score.estimate());
        let [lost, _, split, _, won] = self.counts;
        write!(
            f,
            "{} games, score {:.1} %, pairs +{won} ={split} -{lost}, Elo {estimate:.0}, LOS {:.1} %",
            self.games(),
            100.0 * mean,
            100.0 * estimate.los
        )
    }
}
