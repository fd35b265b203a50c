//! Distributions of results under a hypothesis, by maximum likelihood.
//!
//! A law gives each score a probability. Among the laws that a hypothesis allows, the most likely one given results
//! with frequencies p has the form `p_i / (1 + theta f_i)`, where f is the hypothesis' derivative and theta makes the
//! mean of f 0 under it (M. Van den Bergh, "The generalized maximum likelihood ratio for the expectation value of a
//! distribution", 2021).

/// The number of rounds that improve the law of a normalised hypothesis.
const ROUNDS: u32 = 10;

/// Maximum number of steps, more than bisection alone would need.
const STEPS_MAX: u32 = 100;

/// Returns the most likely law with this mean score.
///
/// The frequencies are positive and the mean lies strictly between the lowest and the highest score.
pub(crate) fn with_mean(frequencies: &[f64], scores: &[f64], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = scores.iter().map(|score| score - mean).collect();
    tilted(frequencies, &deviations)
}

/// Returns the most likely law whose mean score is `effect` of its own deviations above 1/2.
///
/// The condition is not linear, so the law is found in rounds, each with the derivative at the previous law.
pub(crate) fn with_effect(frequencies: &[f64], scores: &[f64], effect: f64) -> Vec<f64> {
    let mut law = vec![1.0 / scores.len() as f64; scores.len()];
    for _ in 0..ROUNDS {
        let mean: f64 = law.iter().zip(scores).map(|(p, score)| p * score).sum();
        let deviation = law.iter().zip(scores).map(|(p, score)| p * (score - mean).powi(2)).sum::<f64>().sqrt();
        let derivative: Vec<f64> = scores
            .iter()
            .map(|score| {
                let standard = (score - mean) / deviation;
                score - 0.5 - effect * deviation * (1.0 + standard * standard) / 2.0
            })
            .collect();
        law = tilted(frequencies, &derivative);
    }
    law
}

/// Returns `p_i / (1 + theta f_i)` with the theta that makes its mean of f 0.
fn tilted(frequencies: &[f64], f: &[f64]) -> Vec<f64> {
    let theta = root(frequencies, f);
    frequencies.iter().zip(f).map(|(p, f)| p / (1.0 + theta * f)).collect()
}

/// Finds the zero between the two poles of `sum p f / (1 + theta f)`, which falls from one to the other.
/// Newton's steps, or bisection when one would leave the bracket.
fn root(frequencies: &[f64], f: &[f64]) -> f64 {
    let least = f.iter().copied().fold(f64::INFINITY, f64::min);
    let most = f.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if least >= 0.0 || most <= 0.0 {
        // No law on these scores has a mean of 0; the limits on hypotheses prevent it.
        return 0.0;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..STEPS_MAX {
        let (mut value, mut slope) = (0.0, 0.0);
        for (p, f) in frequencies.iter().zip(f) {
            let term = f / (1.0 + theta * f);
            value += p * term;
            slope -= p * term * term;
        }
        if value > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let next = theta - value / slope;
        let next = if low < next && next < high { next } else { f64::midpoint(low, high) };
        let is_there = (next - theta).abs() <= 1e-12 * theta.abs().max(1e-3);
        theta = next;
        if is_there {
            break;
        }
    }
    theta
}
