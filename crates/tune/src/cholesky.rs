//! Linear equations with a positive definite matrix.

/// Solves `matrix * x = right`. Only the lower triangle of the square matrix, row by row, is read. `None` if
/// the matrix is not positive definite.
pub(crate) fn solve(mut matrix: Vec<f64>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let n = right.len();
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = (0..j).map(|k| matrix[i * n + k] * matrix[j * n + k]).sum();
            let rest = matrix[i * n + j] - dot;
            matrix[i * n + j] = if i != j {
                rest / matrix[j * n + j]
            } else if rest > 0.0 && rest.is_finite() {
                rest.sqrt()
            } else {
                return None;
            };
        }
    }
    for i in 0..n {
        let dot: f64 = (0..i).map(|k| matrix[i * n + k] * right[k]).sum();
        right[i] = (right[i] - dot) / matrix[i * n + i];
    }
    for i in (0..n).rev() {
        let dot: f64 = (i + 1..n).map(|k| matrix[k * n + i] * right[k]).sum();
        right[i] = (right[i] - dot) / matrix[i * n + i];
    }
    Some(right)
}

#[cfg(test)]
mod tests {
    use super::solve;

    #[test]
    fn solves_and_refuses() {
        let x = solve(vec![4.0, 0.0, 2.0, 3.0], vec![8.0, 7.0]).expect("positive definite");
        assert!(
            (x[0] - 1.25).abs() < 1e-12 && (x[1] - 1.5).abs() < 1e-12,
            "{x:?}"
        );
        assert!(solve(vec![1.0, 0.0, 2.0, 1.0], vec![1.0, 1.0]).is_none());
        assert!(solve(vec![f64::NAN], vec![1.0]).is_none());
    }
}
