//! Training by Adam, round by round.

use crate::float_net::{FloatNet, Parts, UNIT};
use crate::{Sample, Samples};
use kalahari_net::{BUCKETS, Shape};
use kalahari_search::Rng;
use std::f64::consts::PI;

/// The settings of a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The number of passes over all positions (epochs).
    pub rounds: u32,
    /// Positions per step.
    pub batch: u32,
    /// The learning rate at the start; it falls to 1% of that along half a cosine wave.
    pub rate: f32,
    /// The seed of random numbers, which decide the first net and the order of the positions.
    pub rng_seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            rounds: 40,
            batch: 1_024,
            rate: 0.002,
            rng_seed: 1,
        }
    }
}

/// The errors of a net on some positions, in seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// The mean absolute error.
    pub mean: f32,
    /// The root mean square error.
    pub root_square: f32,
}

/// The result of a round of training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// The errors on the positions that it learned from, measured during the round.
    pub seen: Errors,
    /// The errors on the positions held out, measured after the round.
    pub held_out: Errors,
}

/// A net in training.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    pub(crate) settings: Settings,
    pub(crate) net: FloatNet,
    /// Running means of the gradients, and of their squares.
    pub(crate) means: Vec<f32>,
    pub(crate) squares: Vec<f32>,
    /// The number of steps made.
    pub(crate) steps: u64,
    pub(crate) history: Vec<Round>,
}

/// The decay rates of the running means (Adam's beta 1 and beta 2).
const FORGET_MEAN: f32 = 0.9;
const FORGET_SQUARE: f32 = 0.999;

impl Training {
    /// A training that has not started.
    pub fn new(shape: Shape, settings: Settings) -> Self {
        let net = FloatNet::random(shape, &mut Rng::new(settings.rng_seed));
        let zero = vec![0.0; net.numbers.len()];
        Training {
            settings,
            net,
            means: zero.clone(),
            squares: zero,
            steps: 0,
            history: Vec::new(),
        }
    }

    /// Its settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The net as it is now.
    pub fn net(&self) -> &FloatNet {
        &self.net
    }

    /// All rounds so far.
    pub fn history(&self) -> &[Round] {
        &self.history
    }

    /// The round after which the net had the smallest root mean square error on positions held out; the first of several.
    pub fn best(&self) -> Option<&Round> {
        let error = |round: &Round| round.held_out.root_square;
        let mut rounds = self.history.iter();
        let first = rounds.next()?;
        Some(
            rounds.fold(first, |best, round| match error(round) < error(best) {
                true => round,
                false => best,
            }),
        )
    }

    /// Whether all rounds are done.
    pub fn is_finished(&self) -> bool {
        self.history.len() >= self.settings.rounds as usize
    }

    /// Goes once through all samples to learn from. `give_up` is called before every step; if it returns `true`, the training is restored
    /// to its state before the round and the result is `None`.
    pub fn round(&mut self, samples: &Samples, give_up: &mut dyn FnMut() -> bool) -> Option<Round> {
        let before = self.clone();
        let number = self.history.len() as u32 + 1;
        let order = shuffled(samples.seen.len(), self.settings.rng_seed, number);
        let batch = self.settings.batch.max(1) as usize;
        let mut gradient = vec![0.0; self.net.numbers.len()];
        let mut sums = vec![0.0; self.net.shape().hidden()];
        let mut seen = Sum::default();
        let total = u64::from(self.settings.rounds) * order.len().div_ceil(batch) as u64;
        for places in order.chunks(batch) {
            if give_up() {
                *self = before;
                return None;
            }
            gradient.fill(0.0);
            for &place in places {
                let sample = &samples.seen[place as usize];
                seen.add(learn(&self.net, sample, &mut sums, &mut gradient));
            }
            self.step(&gradient, 1.0 / places.len() as f32, total);
        }
        let round = Round {
            number,
            seen: seen.errors(),
            held_out: errors(&self.net, &samples.held_out),
        };
        self.history.push(round);
        Some(round)
    }

    /// One step of Adam.
    fn step(&mut self, gradient: &[f32], share: f32, total: u64) {
        let done = self.steps as f64 / total.max(1) as f64;
        self.steps += 1;
        let wave = 0.5 * (1.0 + (PI * done.min(1.0)).cos());
        let rate = self.settings.rate * (0.01 + 0.99 * wave as f32);
        let age = self.steps.min(1 << 20) as i32;
        let mean_scale = 1.0 / (1.0 - FORGET_MEAN.powi(age));
        let square_scale = 1.0 / (1.0 - FORGET_SQUARE.powi(age));
        let moments = self.means.iter_mut().zip(&mut self.squares);
        let numbers = self.net.numbers.iter_mut().zip(moments);
        for ((number, (mean, square)), &slope) in numbers.zip(gradient) {
            let slope = slope * share;
            *mean = FORGET_MEAN * *mean + (1.0 - FORGET_MEAN) * slope;
            *square = FORGET_SQUARE * *square + (1.0 - FORGET_SQUARE) * slope * slope;
            let size = (*square * square_scale).sqrt() + 1e-8;
            *number -= rate * *mean * mean_scale / size;
        }
    }
}

/// Adds a sample's contribution to the gradient of half the squared error. Returns the error, in seeds.
#[inline]
fn learn(net: &FloatNet, sample: &Sample, sums: &mut [f32], gradient: &mut [f32]) -> f32 {
    let parts = Parts::of(net.shape());
    let (hidden, bucket) = (parts.hidden, sample.bucket());
    let error = net.forward(sample, sums) - sample.target / UNIT;
    gradient[parts.constants + bucket] += error;
    let outputs = parts.outputs + bucket * hidden;
    let weights = &net.numbers[outputs..][..hidden];
    let slopes = &mut gradient[outputs..][..hidden];
    for ((sum, weight), slope) in sums.iter_mut().zip(weights).zip(slopes) {
        *slope += error * sum.clamp(0.0, 1.0);
        // From here on, `sum` holds the derivative with respect to the unit's sum.
        let is_free = *sum > 0.0 && *sum < 1.0;
        *sum = if is_free { error * weight } else { 0.0 };
    }
    let add = |slopes: &mut [f32]| {
        slopes
            .iter_mut()
            .zip(&*sums)
            .for_each(|(slope, x)| *slope += x);
    };
    add(&mut gradient[parts.bias..parts.outputs]);
    for (input, &content) in sample.pits[..net.shape().inputs()].iter().enumerate() {
        let row = FloatNet::row(input, content);
        gradient[parts.direct + row] += error;
        add(&mut gradient[row * hidden..][..hidden]);
    }
    UNIT * error
}

/// The numbers below `count` in an order that depends on the seed and the round.
fn shuffled(count: usize, rng_seed: u64, round: u32) -> Vec<u32> {
    let mut rng = Rng::new(rng_seed.wrapping_mul(1_000_003).wrapping_add(round.into()));
    let mut order: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

/// The errors of a net on samples.
fn errors(net: &FloatNet, samples: &[Sample]) -> Errors {
    let mut sum = Sum::default();
    for sample in samples {
        sum.add(net.value(sample) - sample.target);
    }
    sum.errors()
}

impl Errors {
    /// The errors of a net on samples, by the bucket of their seeds in play, with the number of samples in each.
    pub fn by_bucket(net: &FloatNet, samples: &[Sample]) -> [(Errors, usize); BUCKETS] {
        let mut sums: [Sum; BUCKETS] = Default::default();
        for sample in samples {
            sums[sample.bucket()].add(net.value(sample) - sample.target);
        }
        sums.map(|sum| (sum.errors(), sum.count))
    }
}

/// A running sum of errors.
#[derive(Clone, Copy, Default)]
struct Sum {
    count: usize,
    sizes: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, error: f32) {
        let error = f64::from(error);
        self.count += 1;
        self.sizes += error.abs();
        self.squares += error * error;
    }

    fn errors(&self) -> Errors {
        let count = self.count.max(1) as f64;
        Errors {
            mean: (self.sizes / count) as f32,
            root_square: (self.squares / count).sqrt() as f32,
        }
    }
}
