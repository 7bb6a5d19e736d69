//! Estimates the cost of claims, and learns from finished jobs.
//!
//! The logarithm of the nodes is a linear function of the number of seeds above the tablebase and of the distance between the claimed
//! margin and the guessed one. The estimate never affects what is proven, only what is tried first.

/// A finished job, for the model to learn from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Experience {
    /// Seeds in the pits above those of the tablebase.
    pub above: i32,
    /// The claimed margin minus the guessed one.
    pub beyond: i32,
    /// The nodes that it took.
    pub nodes: u64,
}

/// Estimates costs in nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CostModel {
    /// The weights of ln(nodes): a constant, per seed above the tablebase, per seed of distance.
    weights: [f64; 3],
    /// The standard deviation of ln(nodes) from the estimate.
    spread: f64,
    /// The number of jobs that it has learned from.
    jobs: usize,
}

/// The weights before any job is finished, measured on 6x4 and 6x5.
const PRIOR: [f64; 3] = [5.0, 0.30, -0.10];
/// The weight of the prior, in jobs.
const PRIOR_JOBS: f64 = 4.0;
/// The typical error of a guessed margin, in seeds.
const DOUBT: f64 = 5.0;

impl CostModel {
    /// The model learned from these jobs.
    pub fn learned(jobs: impl IntoIterator<Item = Experience>) -> Self {
        // The normal equations of a ridge regression for the difference from the prior.
        let mut matrix = [[0.0; 3]; 3];
        let mut right = [0.0; 3];
        let scale = [1.0, 0.01, 0.05];
        for (i, row) in matrix.iter_mut().enumerate() {
            row[i] = PRIOR_JOBS / (scale[i] * scale[i]) * 0.01;
        }
        let mut seen = Vec::new();
        for job in jobs {
            let features = features(job.above, job.beyond);
            let log = (job.nodes.max(1) as f64).ln();
            let miss = log - dot(PRIOR, features);
            for i in 0..3 {
                right[i] += features[i] * miss;
                for j in 0..3 {
                    matrix[i][j] += features[i] * features[j];
                }
            }
            seen.push((features, log));
        }
        let change = solve(matrix, right).unwrap_or([0.0; 3]);
        let weights = std::array::from_fn(|i| PRIOR[i] + change[i]);
        let squares: f64 = seen
            .iter()
            .map(|&(features, log)| (log - dot(weights, features)).powi(2))
            .sum();
        let prior_spread = 2.0_f64;
        let spread = ((squares + PRIOR_JOBS * prior_spread.powi(2))
            / (seen.len() as f64 + PRIOR_JOBS))
            .sqrt();
        CostModel {
            weights,
            spread,
            jobs: seen.len(),
        }
    }

    /// The expected number of nodes to decide a claim: the mean of the distribution, not the median.
    pub fn nodes(&self, above: i32, beyond: i32) -> f64 {
        let log = dot(self.weights, features(above, beyond)) + self.spread * self.spread / 2.0;
        log.clamp(0.0, 60.0).exp()
    }

    /// The probability that a claim holds.
    pub fn chance(beyond: i32) -> f64 {
        1.0 / (1.0 + (f64::from(beyond) / DOUBT).exp())
    }

    /// The typical factor by which the estimate for one claim is wrong, and the number of jobs that the model has learned from.
    pub fn error(&self) -> (f64, usize) {
        (self.spread.exp(), self.jobs)
    }
}

fn features(above: i32, beyond: i32) -> [f64; 3] {
    [1.0, f64::from(above.max(0)), f64::from(beyond.abs())]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Solves three linear equations by elimination; `None` if they have no unique solution.
fn solve(mut matrix: [[f64; 3]; 3], mut right: [f64; 3]) -> Option<[f64; 3]> {
    for i in 0..3 {
        let pivot = (i..3).max_by(|&a, &b| matrix[a][i].abs().total_cmp(&matrix[b][i].abs()))?;
        matrix.swap(i, pivot);
        right.swap(i, pivot);
        if matrix[i][i].abs() < 1e-12 {
            return None;
        }
        for row in 0..3 {
            if row != i {
                let factor = matrix[row][i] / matrix[i][i];
                let above = matrix[i];
                for (number, above) in matrix[row].iter_mut().zip(above) {
                    *number -= factor * above;
                }
                right[row] -= factor * right[i];
            }
        }
    }
    Some(std::array::from_fn(|i| right[i] / matrix[i][i]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_model_learns_what_jobs_show() {
        let truth = |above: i32, beyond: i32| {
            (2.0 + 0.4 * f64::from(above) - 0.2 * f64::from(beyond.abs())).exp()
        };
        let jobs = (0..400).map(|n| {
            let (above, beyond) = (n % 30, n % 17 - 8);
            let nodes = truth(above, beyond) as u64 + 1;
            Experience {
                above,
                beyond,
                nodes,
            }
        });
        let model = CostModel::learned(jobs);
        for (above, beyond) in [(10, 0), (20, 4), (28, -6)] {
            let ratio = model.nodes(above, beyond) / truth(above, beyond);
            assert!((0.5..2.0).contains(&ratio), "{above} {beyond} {ratio}");
        }
        assert!(CostModel::chance(-10) > 0.8 && CostModel::chance(10) < 0.2);
    }

    #[test]
    fn without_jobs_it_is_the_prior() {
        let model = CostModel::learned([]);
        assert!(model.nodes(30, 0) > model.nodes(20, 0));
        assert!(model.nodes(20, 0) > model.nodes(20, 8));
    }
}
