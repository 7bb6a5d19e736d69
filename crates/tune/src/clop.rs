//! CLOP, confident local optimization (Coulom 2011), implemented from its definition.
//!
//! A quadratic function is fitted to the results repeatedly, each time with less weight on points where the
//! previous function was clearly below the mean: `w(x) = min over k of exp((q_k(x) - mu_k) / (H sigma_k))`, at most 1.
//! New points are drawn in proportion to `w`; the recommendation is the weighted mean of the samples. This
//! module neither plays nor reads files: samples go in, points come out.

use crate::regression::{Quadratic, Sample, fit_rows, mean, rows};
use kalahari_search::{Rng, splitmix64};

/// A point this many standard deviations below the mean has the weight 1/e.
const H: f64 = 3.0;
/// The weights have settled when their sum is at least this fraction of the previous sum.
const SETTLED: f64 = 0.99;
/// Metropolis steps for each coordinate.
const STEPS: usize = 100;
/// The most rounds. Weights have always settled earlier.
const MOST_ROUNDS: usize = 300;

/// A fitted function with the mean logit and its standard deviation.
#[derive(Clone, Debug)]
struct Round {
    quadratic: Quadratic,
    mean: f64,
    deviation: f64,
}

/// The local fit of samples: the fitted functions, and the weights that follow from them.
#[derive(Clone, Debug)]
pub struct LocalFit {
    rounds: Vec<Round>,
    weights: Vec<f64>,
    centre: Vec<f64>,
}

impl LocalFit {
    /// Fits functions until the weights settle. The samples' points have `dims` coordinates.
    pub fn new(dims: usize, samples: &[Sample]) -> Self {
        let rows = rows(dims, samples);
        let mut rounds: Vec<Round> = Vec::new();
        let mut weights = vec![1.0; samples.len()];
        let mut total = samples.len() as f64;
        while rounds.len() < MOST_ROUNDS && !samples.is_empty() {
            let last = rounds.last().map(|round| &round.quadratic);
            let quadratic = fit_rows(dims, samples, &weights, &rows, last);
            let (mean, deviation) = mean(samples, &weights);
            let round = Round {
                quadratic,
                mean,
                deviation,
            };
            for (weight, sample) in weights.iter_mut().zip(samples) {
                *weight = weight.min(round.log_weight(&sample.x).exp());
            }
            rounds.push(round);
            let next: f64 = weights.iter().sum();
            if next >= SETTLED * total {
                break;
            }
            total = next;
        }
        let centre = weighted_mean(dims, samples, &weights);
        LocalFit {
            rounds,
            weights,
            centre,
        }
    }

    /// The weight of every sample.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The function fitted last, which is the most local one.
    pub fn quadratic(&self) -> Option<&Quadratic> {
        self.rounds.last().map(|round| &round.quadratic)
    }

    /// The logarithm of the weight of any point: at most 0.
    pub fn log_weight(&self, x: &[f64]) -> f64 {
        let each = self.rounds.iter().map(|round| round.log_weight(x));
        each.fold(0.0, f64::min)
    }

    /// The logarithm of the weight of a point, or `None` as soon as it is not `accepted`. The last round is the
    /// sharpest and rejects most points, so it comes first.
    fn log_weight_if(&self, x: &[f64], accepted: impl Fn(f64) -> bool) -> Option<f64> {
        let mut least = 0.0_f64;
        for round in self.rounds.iter().rev() {
            least = least.min(round.log_weight(x));
            if !accepted(least) {
                return None;
            }
        }
        accepted(least).then_some(least)
    }

    /// A point drawn approximately in proportion to the weights: Metropolis steps of one coordinate at a time, from
    /// the weighted mean of the samples.
    pub fn draw(&self, rng: &mut Rng) -> Vec<f64> {
        let mut x = self.centre.clone();
        let mut log_weight = self.log_weight(&x);
        for _ in 0..STEPS {
            for i in 0..x.len() {
                let old = std::mem::replace(&mut x[i], anywhere(rng));
                let chance = rng.unit().ln();
                match self.log_weight_if(&x, |next| next - log_weight > chance) {
                    Some(next) => log_weight = next,
                    None => x[i] = old,
                }
            }
        }
        x
    }
}

impl Round {
    fn log_weight(&self, x: &[f64]) -> f64 {
        (self.quadratic.at(x) - self.mean) / (H * self.deviation)
    }
}

/// A coordinate from -1 to 1.
fn anywhere(rng: &mut Rng) -> f64 {
    2.0 * rng.unit() - 1.0
}

fn weighted_mean(dims: usize, samples: &[Sample], weights: &[f64]) -> Vec<f64> {
    let games = |(sample, weight): (&Sample, &f64)| weight * f64::from(sample.games());
    let total: f64 = samples.iter().zip(weights).map(games).sum();
    let mut centre = vec![0.0; dims];
    if total > 0.0 {
        for (sample, weight) in samples.iter().zip(weights) {
            let share = weight * f64::from(sample.games()) / total;
            for (sum, x) in centre.iter_mut().zip(&sample.x) {
                *sum += share * x;
            }
        }
    }
    centre
}

/// What the samples so far recommend.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The weighted mean of the samples.
    pub point: Vec<f64>,
    /// Their weighted standard deviation around it, by coordinate: the region where the search for the optimum continues.
    pub spread: Vec<f64>,
    /// The weighted mean score of the samples, and half the width of its 95% interval.
    pub score: [f64; 2],
}

/// A run of CLOP.
#[derive(Clone, Debug)]
pub struct Clop {
    dims: usize,
    rng_seed: u64,
    samples: Vec<Sample>,
    /// How many samples the fit is made of, or will be when it is next needed.
    fitted: usize,
    /// How many samples there will be at the next fit.
    next: usize,
    fit: Option<LocalFit>,
}

impl Clop {
    /// A run over `dims` scaled parameters, whose random choices come from `rng_seed`.
    pub fn new(dims: usize, rng_seed: u64) -> Self {
        Clop {
            dims,
            rng_seed,
            samples: Vec::new(),
            fitted: 0,
            next: 1,
            fit: None,
        }
    }

    /// The samples so far, in the order in which they were added.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// Adds a sample. The fit is renewed at growing intervals, when it is next needed.
    pub fn add(&mut self, sample: Sample) {
        self.samples.push(sample);
        if self.samples.len() >= self.next {
            self.fitted = self.next;
            self.fit = None;
            self.next += 1 + self.next / 10;
        }
    }

    /// The point of the sample with this number. It depends only on the seed, the number and the samples of the last
    /// fit.
    pub fn propose(&mut self, number: u64) -> Vec<f64> {
        let mut state = self.rng_seed;
        let mut rng = Rng::new(splitmix64(&mut state) ^ number);
        let dims = self.dims;
        match self.current() {
            Some(fit) => fit.draw(&mut rng),
            None => (0..dims).map(|_| anywhere(&mut rng)).collect(),
        }
    }

    /// The last fit of the schedule.
    pub fn current(&mut self) -> Option<&LocalFit> {
        if self.fit.is_none() && self.fitted > 0 {
            self.fit = Some(LocalFit::new(self.dims, &self.samples[..self.fitted]));
        }
        self.fit.as_ref()
    }

    /// What the last fit of the schedule recommends: quick, but perhaps a few samples old.
    pub fn current_estimate(&mut self) -> Option<Estimate> {
        let (dims, fitted) = (self.dims, self.fitted);
        self.current()?;
        let fit = self.fit.as_ref()?;
        Some(estimate(dims, &self.samples[..fitted], fit))
    }

    /// What all samples recommend; `None` if there are none.
    pub fn estimate(&self) -> Option<Estimate> {
        (!self.samples.is_empty()).then(|| {
            let fit = LocalFit::new(self.dims, &self.samples);
            estimate(self.dims, &self.samples, &fit)
        })
    }
}

fn estimate(dims: usize, samples: &[Sample], fit: &LocalFit) -> Estimate {
    let point = fit.centre.clone();
    let mut spread = vec![0.0; dims];
    let (mut total, mut squares, mut points) = (0.0, 0.0, 0.0);
    for (sample, weight) in samples.iter().zip(&fit.weights) {
        let games = weight * f64::from(sample.games());
        total += games;
        squares += weight * games;
        points += weight * (f64::from(sample.wins) + f64::from(sample.draws) / 2.0);
        for (sum, (x, centre)) in spread.iter_mut().zip(sample.x.iter().zip(&point)) {
            *sum += games * (x - centre) * (x - centre);
        }
    }
    for sum in &mut spread {
        *sum = (*sum / total.max(f64::MIN_POSITIVE)).sqrt();
    }
    let score = points / total.max(f64::MIN_POSITIVE);
    // The number of games of full weight that would give the same precision.
    let games = total * total / squares.max(f64::MIN_POSITIVE);
    let error = 1.96 * (score * (1.0 - score) / games.max(1.0)).sqrt();
    Estimate {
        point,
        spread,
        score: [score, error],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games at points of two parameters with the optimum at (0.4, -0.2).
    fn play(clop: &mut Clop, samples: u64) {
        let mut luck = Rng::new(99);
        for number in clop.samples().len() as u64..samples {
            let x = clop.propose(number);
            let q = 1.0 - 6.0 * (x[0] - 0.4).powi(2) - 3.0 * (x[1] + 0.2).powi(2);
            let won = luck.unit() < 1.0 / (1.0 + (-q).exp());
            clop.add(Sample {
                x,
                wins: u32::from(won),
                draws: 0,
                losses: u32::from(!won),
            });
        }
    }

    #[test]
    fn fits_follow_the_growing_schedule() {
        let mut clop = Clop::new(1, 1);
        let mut fits = Vec::new();
        for _ in 0..40 {
            let before = clop.fitted;
            clop.add(Sample {
                x: vec![0.0],
                wins: 1,
                draws: 0,
                losses: 0,
            });
            if clop.fitted != before {
                fits.push(clop.fitted);
            }
        }
        // next += 1 + next / 10, from 1.
        assert_eq!(fits[..12], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14]);
        assert_eq!(fits.last(), Some(&40));
    }

    #[test]
    fn finds_the_optimum_and_narrows() {
        let mut clop = Clop::new(2, 7);
        play(&mut clop, 1_500);
        let estimate = clop.estimate().expect("samples");
        assert!((estimate.point[0] - 0.4).abs() < 0.12, "{estimate:?}");
        assert!((estimate.point[1] + 0.2).abs() < 0.2, "{estimate:?}");
        // Uniform samples would spread by 0.58.
        assert!(estimate.spread.iter().all(|s| *s < 0.4), "{estimate:?}");
        assert!((estimate.score[0] - 0.7).abs() < 0.08, "{estimate:?}");
    }

    #[test]
    fn weights_never_grow_and_settle() {
        let mut clop = Clop::new(2, 3);
        play(&mut clop, 300);
        let fit = LocalFit::new(2, clop.samples());
        assert!(fit.rounds.len() > 1 && fit.rounds.len() < MOST_ROUNDS);
        for (weight, sample) in fit.weights().iter().zip(clop.samples()) {
            assert!((0.0..=1.0).contains(weight));
            assert!((weight - fit.log_weight(&sample.x).exp()).abs() < 1e-9);
        }
    }

    #[test]
    fn points_depend_on_seed_number_and_samples_only() {
        let mut one = Clop::new(2, 5);
        play(&mut one, 200);
        let mut two = Clop::new(2, 5);
        for sample in one.samples() {
            two.add(sample.clone());
        }
        assert_eq!(one.propose(200), two.propose(200));
        assert_ne!(one.propose(200), two.propose(201));
        assert_ne!(one.propose(200), Clop::new(2, 6).propose(200));
        for number in 0..50 {
            assert!(one.propose(number).iter().all(|x| x.abs() <= 1.0));
        }
    }

    #[test]
    fn draws_follow_the_weight() {
        // One coordinate, one round with log weight -9 x^2: a normal distribution with standard deviation 1/sqrt(18).
        let fit = LocalFit {
            rounds: vec![Round {
                quadratic: Quadratic::new(1, vec![0.0, 0.0, -9.0]),
                mean: 0.0,
                deviation: 1.0 / H,
            }],
            weights: Vec::new(),
            centre: vec![0.0],
        };
        let mut rng = Rng::new(1);
        let points: Vec<f64> = (0..4_000).map(|_| fit.draw(&mut rng)[0]).collect();
        let mean = points.iter().sum::<f64>() / 4_000.0;
        let variance = points.iter().map(|x| x * x).sum::<f64>() / 4_000.0;
        assert!(mean.abs() < 0.02, "{mean}");
        assert!((variance * 18.0 - 1.0).abs() < 0.1, "{variance}");
    }
}
