use std::f64::consts::LN_10;

use crate::elo::{Elo, Z95};
use crate::matrix;
use crate::normal::normal;

/// Elo per unit of the model's natural scale, 400 / ln 10.
const SCALE: f64 = 400.0 / LN_10;

/// Virtual games of each player against the anchor, half of them won: they keep unbeaten players' ratings finite.
pub(crate) const PRIOR_GAMES: f64 = 1.0;

/// Maximum number of steps, more than any table needs.
const STEPS_MAX: u32 = 100;

/// Ratings of players, in Elo, relative to their average.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    points: Vec<f64>,
    /// The covariance of the ratings relative to their average, row by row, in squared points.
    covariance: Vec<f64>,
}

/// Fits the Bradley-Terry model: the odds of i against j are `10^((r_i - r_j) / 400)`.
///
/// `won[i][j]` are the points of i against j. The ratings maximise the likelihood of all games plus one virtual
/// half-win and half-loss of each player against an anchor of rating 0 (Newton's method; the logarithm is concave, so
/// there is one maximum), and are then shifted to an average of 0. Error bars come from the inverse of the Fisher
/// information. Panics when the table is not square.
pub fn ratings(won: &[Vec<f64>]) -> Ratings {
    let n = won.len();
    assert!(won.iter().all(|row| row.len() == n), "a table of points has a row and a column for each player");
    let (natural, covariance) = fit(n, |natural| derivatives(won, natural));
    centered(&natural, &covariance)
}

/// Finds the strengths that maximise a log-likelihood, by Newton's method, and their covariance. `derivatives` returns
/// its first derivative and the negated second.
pub(crate) fn fit(n: usize, derivatives: impl Fn(&[f64]) -> (Vec<f64>, Vec<f64>)) -> (Vec<f64>, Vec<f64>) {
    let mut natural = vec![0.0; n];
    for _ in 0..STEPS_MAX {
        let (gradient, information) = derivatives(&natural);
        let Some(step) = matrix::solve(&information, n, &gradient) else { break };
        let longest = step.iter().fold(0.0, |most: f64, step| most.max(step.abs()));
        // Far from the maximum the parabola is a poor approximation.
        let share = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        for (strength, step) in natural.iter_mut().zip(&step) {
            *strength += share * step;
        }
        if longest < 1e-12 {
            break;
        }
    }
    let (_, information) = derivatives(&natural);
    let covariance = matrix::inverse(&information, n).unwrap_or_else(|| vec![0.0; n * n]);
    (natural, covariance)
}

/// Returns the first derivative of the log-likelihood, and the negated second.
fn derivatives(won: &[Vec<f64>], natural: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let n = natural.len();
    let (mut gradient, mut information) = (vec![0.0; n], vec![0.0; n * n]);
    let chance = |difference: f64| 1.0 / (1.0 + (-difference).exp());
    for i in 0..n {
        let p = chance(natural[i]);
        gradient[i] += PRIOR_GAMES * (0.5 - p);
        information[i * n + i] += PRIOR_GAMES * p * (1.0 - p);
        for j in (0..n).filter(|&j| j != i) {
            let games = won[i][j] + won[j][i];
            let p = chance(natural[i] - natural[j]);
            gradient[i] += won[i][j] - games * p;
            information[i * n + i] += games * p * (1.0 - p);
            information[i * n + j] -= games * p * (1.0 - p);
        }
    }
    (gradient, information)
}

/// Shifts the average to 0; the anchor's distance from it does not matter, nor in the covariance.
pub(crate) fn centered(natural: &[f64], covariance: &[f64]) -> Ratings {
    let n = natural.len();
    let average = |values: &dyn Fn(usize) -> f64| (0..n).map(values).sum::<f64>() / n as f64;
    let mean = average(&|i| natural[i]);
    let rows: Vec<f64> = (0..n).map(|i| average(&|j| covariance[i * n + j])).collect();
    let all = average(&|i| rows[i]);
    let entry = |i: usize, j: usize| SCALE * SCALE * (covariance[i * n + j] - rows[i] - rows[j] + all);
    Ratings {
        points: natural.iter().map(|rating| SCALE * (rating - mean)).collect(),
        covariance: (0..n * n).map(|index| entry(index / n, index % n)).collect(),
    }
}

impl Ratings {
    /// Returns the number of players.
    pub const fn players(&self) -> usize {
        self.points.len()
    }

    /// Returns a player's rating relative to the average, in points.
    pub fn points(&self, player: usize) -> f64 {
        self.points[player]
    }

    /// Returns the half-width of its 95 % interval.
    pub fn error(&self, player: usize) -> f64 {
        Z95 * self.covariance[player * self.players() + player].max(0.0).sqrt()
    }

    /// Returns how much stronger the first player is than the second, and the half-width of the 95 % interval.
    pub fn difference(&self, i: usize, j: usize) -> (Elo, f64) {
        (Elo::new(self.points[i] - self.points[j]), Z95 * self.deviation(i, j))
    }

    /// Returns the chance that the first player is stronger than the second.
    pub fn los(&self, i: usize, j: usize) -> f64 {
        let deviation = self.deviation(i, j);
        if deviation > 0.0 { normal((self.points[i] - self.points[j]) / deviation) } else { 0.5 }
    }

    fn deviation(&self, i: usize, j: usize) -> f64 {
        let entry = |i: usize, j: usize| self.covariance[i * self.players() + j];
        (entry(i, i) + entry(j, j) - 2.0 * entry(i, j)).max(0.0).sqrt()
    }
}
