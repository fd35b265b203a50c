//! The common parts of learning by gradient descent.

/// Weights being optimised.
///
/// The method is Adam (D. Kingma, J. Ba, 2015).
pub(crate) struct Descent {
    /// The first and second moment of each slope.
    moments: Vec<[f32; 2]>,
    steps: i32,
}

impl Descent {
    pub(crate) fn new(numbers: usize) -> Self {
        Self { moments: vec![[0.0; 2]; numbers], steps: 0 }
    }

    /// Takes a step against the slopes, each with the weight's decay added.
    pub(crate) fn step<'a>(
        &mut self,
        weights: impl Iterator<Item = &'a mut f32>,
        slopes: impl Iterator<Item = f32>,
        rate: f32,
        decay: f32,
    ) {
        const FIRST: f32 = 0.9;
        const SECOND: f32 = 0.999;
        self.steps += 1;
        let corrections = [1.0 - FIRST.powi(self.steps), 1.0 - SECOND.powi(self.steps)];
        for ((weight, [first, second]), slope) in weights.zip(&mut self.moments).zip(slopes) {
            let slope = slope + decay * *weight;
            *first = FIRST * *first + (1.0 - FIRST) * slope;
            *second = SECOND * *second + (1.0 - SECOND) * slope * slope;
            *weight -= rate * (*first / corrections[0]) / ((*second / corrections[1]).sqrt() + 1e-8);
        }
    }
}

/// The logistic function.
pub(crate) fn probability(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

/// The cross-entropy of a predicted probability.
pub(crate) fn loss(predicted: f32, target: f32) -> f64 {
    let predicted = predicted.clamp(1e-6, 1.0 - 1e-6);
    f64::from(-target * predicted.ln() - (1.0 - target) * (1.0 - predicted).ln())
}
