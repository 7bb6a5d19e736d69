//! The net as it is trained: in floating point, all numbers in one vector.

use crate::Sample;
use kalahari_net::{BUCKETS, CONTENTS, Shape};
use kalahari_search::Rng;

/// The unit of a net's outputs in training, in seeds. With it all numbers of the net have about the same size.
pub(crate) const UNIT: f32 = 10.0;

/// A net in floating point.
///
/// ```text
///    rows (pit, content, unit) | bias (unit) | outputs (bucket, unit) | direct (pit, content) | constants (bucket)
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNet {
    shape: Shape,
    pub(crate) numbers: Vec<f32>,
}

/// The offsets of the parts of a net among its numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    pub(crate) hidden: usize,
    pub(crate) bias: usize,
    pub(crate) outputs: usize,
    pub(crate) direct: usize,
    pub(crate) constants: usize,
    pub(crate) end: usize,
}

impl Parts {
    pub(crate) fn of(shape: Shape) -> Self {
        let hidden = shape.hidden();
        let bias = shape.rows() * hidden;
        let outputs = bias + hidden;
        let direct = outputs + BUCKETS * hidden;
        let constants = direct + shape.rows();
        Parts {
            hidden,
            bias,
            outputs,
            direct,
            constants,
            end: constants + BUCKETS,
        }
    }
}

impl FloatNet {
    /// An untrained net with random numbers.
    pub fn random(shape: Shape, rng: &mut Rng) -> Self {
        let parts = Parts::of(shape);
        let mut numbers = vec![0.0; parts.end];
        let mut fill = |range: std::ops::Range<usize>, width: f64| {
            for number in &mut numbers[range] {
                *number = ((2.0 * rng.unit() - 1.0) * width) as f32;
            }
        };
        fill(0..parts.bias, (1.0 / shape.inputs() as f64).sqrt());
        fill(
            parts.outputs..parts.direct,
            0.3 / (parts.hidden as f64).sqrt(),
        );
        numbers[parts.bias..parts.outputs].fill(0.5);
        FloatNet { shape, numbers }
    }

    /// A net with these numbers; `None` if there are too few or too many.
    pub(crate) fn from_numbers(shape: Shape, numbers: Vec<f32>) -> Option<Self> {
        (numbers.len() == Parts::of(shape).end).then_some(FloatNet { shape, numbers })
    }

    /// Its board and its number of hidden units.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// The index of the row of a pit's content.
    #[inline]
    pub(crate) fn row(input: usize, content: u8) -> usize {
        input * CONTENTS + usize::from(content) % CONTENTS
    }

    /// The expected margin of the player to move from the seeds in play, in seeds.
    pub fn value(&self, sample: &Sample) -> f32 {
        let mut sums = vec![0.0; self.shape.hidden()];
        UNIT * self.forward(sample, &mut sums)
    }

    /// The value in [`UNIT`]s. Leaves the sums of the hidden units in `sums`, before clipping.
    #[inline]
    pub(crate) fn forward(&self, sample: &Sample, sums: &mut [f32]) -> f32 {
        let parts = Parts::of(self.shape);
        let hidden = parts.hidden;
        let bucket = sample.bucket();
        sums.copy_from_slice(&self.numbers[parts.bias..parts.outputs]);
        let mut value = self.numbers[parts.constants + bucket];
        for (input, &content) in sample.pits[..self.shape.inputs()].iter().enumerate() {
            let row = Self::row(input, content);
            value += self.numbers[parts.direct + row];
            let row = &self.numbers[row * hidden..][..hidden];
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
        }
        let weights = &self.numbers[parts.outputs + bucket * hidden..][..hidden];
        value + dot_clipped(sums, weights)
    }
}

/// The dot product of `weights` and clipped `sums`, in lanes for speed.
#[inline]
fn dot_clipped(sums: &[f32], weights: &[f32]) -> f32 {
    const LANES: usize = 16;
    let mut lanes = [0.0_f32; LANES];
    let (sums, weights) = (sums.chunks(LANES), weights.chunks(LANES));
    for (sums, weights) in sums.zip(weights) {
        for (lane, (sum, weight)) in lanes.iter_mut().zip(sums.iter().zip(weights)) {
            *lane += sum.clamp(0.0, 1.0) * weight;
        }
    }
    lanes.iter().sum()
}
