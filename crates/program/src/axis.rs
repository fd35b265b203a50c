/// An axis of a plot: maps values to places in the picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    /// How far marks are apart.
    pub(crate) step: f64,
}

impl Axis {
    /// Makes an axis between two values, and between two places, with about so many marks.
    pub(crate) fn new([low, high]: [f64; 2], [from, to]: [f64; 2], marks: f64) -> Self {
        let (low, high) = if low.is_finite() && high.is_finite() { (low, high) } else { (0.0, 1.0) };
        let high = if high > low { high } else { low + 1.0 };
        // A round step: 1, 2 or 5 times a power of ten.
        let rough = (high - low) / marks;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|&step| step >= rough);
        Self { low, high, from, to, step: step.unwrap_or(rough) }
    }

    /// Returns the place of a value; values beyond the axis are at its ends.
    pub(crate) fn at(&self, value: f64) -> f64 {
        self.from + (value.clamp(self.low, self.high) - self.low) / (self.high - self.low) * (self.to - self.from)
    }

    /// Returns round values along the axis.
    pub(crate) fn marks(self) -> impl Iterator<Item = f64> {
        let (first, slack) = ((self.low / self.step).ceil(), self.step * 1e-6);
        (0..)
            .map(move |index| (first + f64::from(index)) * self.step)
            .take_while(move |mark| *mark <= self.high + slack)
    }
}
