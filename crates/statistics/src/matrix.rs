//! Symmetric positive definite matrices of a few dozen rows, stored whole, row by row.

/// Returns the lower triangle L with `L L' = A` (Cholesky); `None` when the matrix is not positive definite.
fn factor(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let mut lower = vec![0.0; n * n];
    for row in 0..n {
        for column in 0..=row {
            let known: f64 = (0..column).map(|k| lower[row * n + k] * lower[column * n + k]).sum();
            let rest = matrix[row * n + column] - known;
            lower[row * n + column] = if row == column {
                if rest <= 0.0 {
                    return None;
                }
                rest.sqrt()
            } else {
                rest / lower[column * n + column]
            };
        }
    }
    Some(lower)
}

/// Solves `L L' x = b`.
fn solve_factored(lower: &[f64], n: usize, b: &[f64]) -> Vec<f64> {
    let mut x = b.to_vec();
    for row in 0..n {
        let known: f64 = (0..row).map(|k| lower[row * n + k] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row * n + row];
    }
    for row in (0..n).rev() {
        let known: f64 = (row + 1..n).map(|k| lower[k * n + row] * x[k]).sum();
        x[row] = (x[row] - known) / lower[row * n + row];
    }
    x
}

/// Solves `A x = b`.
pub(crate) fn solve(matrix: &[f64], n: usize, b: &[f64]) -> Option<Vec<f64>> {
    Some(solve_factored(&factor(matrix, n)?, n, b))
}

/// Inverts A.
pub(crate) fn inverse(matrix: &[f64], n: usize) -> Option<Vec<f64>> {
    let lower = factor(matrix, n)?;
    let mut inverse = vec![0.0; n * n];
    for column in 0..n {
        let mut unit = vec![0.0; n];
        unit[column] = 1.0;
        for (row, value) in solve_factored(&lower, n, &unit).into_iter().enumerate() {
            inverse[row * n + column] = value;
        }
    }
    Some(inverse)
}
