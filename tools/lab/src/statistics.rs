//! What a match says about strength.

/// Elo for a score between 0 and 1.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Results of pairs of games with the same opening: each pair's points, 0 to 2, counted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pairs {
    counts: [u32; 3],
}

impl Pairs {
    pub(crate) fn add(&mut self, wins: usize) {
        self.counts[wins] += 1;
    }

    pub(crate) fn games(&self) -> u32 {
        2 * self.counts.iter().sum::<u32>()
    }

    fn moments(&self) -> (f64, f64) {
        let pairs = f64::from(self.games()) / 2.0;
        let scores = [0.0, 0.5, 1.0];
        let sum = |f: &dyn Fn(f64) -> f64| -> f64 {
            scores.iter().zip(self.counts).map(|(&score, count)| f(score) * f64::from(count)).sum::<f64>() / pairs
        };
        let mean = sum(&|score| score);
        let variance = sum(&|score| (score - mean).powi(2));
        (mean, (variance / pairs).sqrt())
    }
}

impl std::fmt::Display for Pairs {
    /// Writes the score, Elo with a 95 % bar from the variance of pairs, and the likelihood of superiority.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (mean, error) = self.moments();
        let [lost, split, won] = self.counts;
        write!(f, "{} games, score {:.1} %, pairs +{won} ={split} -{lost}", self.games(), 100.0 * mean)?;
        let low = elo((mean - 1.96 * error).clamp(0.001, 0.999));
        let high = elo((mean + 1.96 * error).clamp(0.001, 0.999));
        let superiority = if error > 0.0 {
            normal((mean - 0.5) / error)
        } else if mean > 0.5 {
            1.0
        } else {
            0.5
        };
        write!(
            f,
            ", Elo {:+.0} [{low:+.0}, {high:+.0}], LOS {:.1} %",
            elo(mean.clamp(0.001, 0.999)),
            100.0 * superiority
        )
    }
}

/// The normal distribution function, by the series of its error function; good to 1e-7 within 6 deviations.
fn normal(x: f64) -> f64 {
    if x.abs() > 6.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let mut term = x;
    let mut sum = x;
    for n in 1..200 {
        term *= x * x / (2.0 * f64::from(n) + 1.0);
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}
