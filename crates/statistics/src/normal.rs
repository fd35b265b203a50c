/// Returns the standard normal distribution function.
///
/// Up to 6 deviations by the series `1/2 + density(x) (x + x^3/3 + x^5/(3 5) + ...)` (Abramowitz and Stegun 26.2.11),
/// good to 1e-12; beyond, the tail is less than 1e-9.
pub fn normal(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    if x.abs() > 6.0 {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    0.5 + sum * (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}
