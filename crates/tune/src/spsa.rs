//! SPSA (Spall 1992) with the gains that engine developers use.
//!
//! In iteration `k` every parameter is perturbed by `+c_k` or `-c_k` at random, both sides play, and the
//! parameters follow the winner: `theta += a_k / c_k * result * sign`, with `a_k = a / (k + 1 + A)^0.602` and
//! `c_k = c / (k + 1)^0.101`. A parameter's `c` and `a` are chosen so that at the end `c_k` is its `c_end` and
//! `a_k / c_k^2` its `r_end`; `A` is a tenth of all iterations.

use crate::lines::Line;
use kalahari_search::{Rng, splitmix64};

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// `A` as a share of all iterations.
const STABILITY: f64 = 0.1;

/// A run of SPSA.
#[derive(Clone, Debug)]
pub struct Spsa {
    lines: Vec<Line>,
    iterations: u32,
    rng_seed: u64,
    theta: Vec<f64>,
}

impl Spsa {
    /// A run of this many iterations, whose random choices come from `rng_seed`.
    pub fn new(lines: Vec<Line>, iterations: u32, rng_seed: u64) -> Self {
        let theta = lines.iter().map(|line| line.start).collect();
        Spsa {
            lines,
            iterations: iterations.max(1),
            rng_seed,
            theta,
        }
    }

    /// The current values of the parameters.
    pub fn theta(&self) -> &[f64] {
        &self.theta
    }

    /// The parameters with their current values as starts, to continue from here.
    pub fn lines(&self) -> Vec<Line> {
        let here = self.lines.iter().zip(&self.theta);
        here.map(|(line, &start)| Line {
            start,
            ..line.clone()
        })
        .collect()
    }

    /// How far iteration `k` (from 0) perturbs a parameter (`c_k`), and its `a_k`.
    pub fn gains(&self, line: &Line, k: u32) -> (f64, f64) {
        let (all, done) = (f64::from(self.iterations), f64::from(k) + 1.0);
        let stability = STABILITY * all;
        let c = line.c_end * all.powf(GAMMA);
        let a = line.r_end * line.c_end * line.c_end * (stability + all).powf(ALPHA);
        (c / done.powf(GAMMA), a / (done + stability).powf(ALPHA))
    }

    fn rng(&self, k: u32) -> Rng {
        let mut state = self.rng_seed;
        Rng::new(splitmix64(&mut state) ^ u64::from(k))
    }

    /// Both sides of an iteration: values in range, and whole numbers where required (rounded up or down
    /// at random, so that small steps count).
    pub fn sides(&self, k: u32) -> [Vec<f64>; 2] {
        let mut rng = self.rng(k);
        let signs: Vec<f64> = self.lines.iter().map(|_| sign(&mut rng)).collect();
        [1.0, -1.0].map(|side| {
            let each = self.lines.iter().zip(&self.theta).zip(&signs);
            each.map(|((line, theta), sign)| {
                let value = theta + side * sign * self.gains(line, k).0;
                let value = match line.integer {
                    true => (value + rng.unit()).floor(),
                    false => value,
                };
                value.clamp(line.min, line.max)
            })
            .collect()
        })
    }

    /// Follows the result of an iteration: points of the first side minus points of the second. If they play each other, a win
    /// is 1 and a loss -1.
    pub fn follow(&mut self, k: u32, result: f64) {
        let mut rng = self.rng(k);
        for i in 0..self.lines.len() {
            let line = &self.lines[i];
            let (c, a) = self.gains(line, k);
            let step = a / c * result * sign(&mut rng);
            self.theta[i] = (self.theta[i] + step).clamp(line.min, line.max);
        }
    }
}

fn sign(rng: &mut Rng) -> f64 {
    if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        text.parse().expect("a line")
    }

    #[test]
    fn gains_end_at_c_end_and_r_end() {
        let line = line("x, float, 0, -1, 1, 0.05, 0.002");
        let spsa = Spsa::new(vec![line.clone()], 1000, 1);
        let (c, a) = spsa.gains(&line, 999);
        assert!((c - 0.05).abs() < 1e-12);
        assert!((a / (c * c) - 0.002).abs() < 1e-9);
        assert!(spsa.gains(&line, 0).0 > c);
    }

    #[test]
    fn climbs_a_noisy_hill() {
        let mut spsa = Spsa::new(
            vec![
                line("x, float, -0.6, -1, 1, 0.1, 0.02"),
                line("n, int, 10, 0, 100, 6, 0.02"),
            ],
            4_000,
            3,
        );
        let mut luck = Rng::new(1);
        for k in 0..4_000 {
            let [plus, minus] = spsa.sides(k);
            let height = |p: &[f64]| -4.0 * (p[0] - 0.3).powi(2) - ((p[1] - 60.0) / 25.0).powi(2);
            let chance = 1.0 / (1.0 + (height(&minus) - height(&plus)).exp());
            let mut result = 0.0;
            for _ in 0..2 {
                result += if luck.unit() < chance { 1.0 } else { -1.0 };
            }
            assert!(plus[1].fract() == 0.0 && (0.0..=100.0).contains(&plus[1]));
            spsa.follow(k, result);
        }
        let theta = spsa.theta();
        assert!((theta[0] - 0.3).abs() < 0.15, "{theta:?}");
        assert!((theta[1] - 60.0).abs() < 12.0, "{theta:?}");
        assert_eq!(spsa.lines()[1].start, theta[1]);
    }
}
