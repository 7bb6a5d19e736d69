//! Converts a net from floating point to the engine's integers.

use crate::Samples;
use crate::float_net::{FloatNet, Parts, UNIT};
use kalahari_net::{BUCKETS, CONTENTS, LANES, Lanes, Net, POINT, Unsound, Weights};

/// How far the values of the integer net are from those of the floating-point net, in seeds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// The mean difference.
    pub mean: f64,
    /// The largest difference.
    pub largest: f64,
}

/// The net in integers. Every hidden unit has the finest scale that 16 bits allow without overflow; so have the output weights.
pub fn quantised(net: &FloatNet) -> Result<Net, Unsound> {
    let shape = net.shape();
    let parts = Parts::of(shape);
    let numbers = &net.numbers;
    let (hidden, inputs, groups) = (parts.hidden, shape.inputs(), shape.groups());
    let scales: Vec<f64> = (0..hidden).map(|unit| finest(net, unit)).collect();
    let lanes = |numbers: &dyn Fn(usize) -> f64| -> Vec<Lanes> {
        let mut all = vec![Lanes::ZERO; groups];
        for unit in 0..hidden {
            all[unit / LANES].0[unit % LANES] = numbers(unit).round() as i16;
        }
        all
    };
    let mut rows = vec![[Lanes::ZERO; CONTENTS]; groups * inputs];
    for input in 0..inputs {
        #[expect(clippy::needless_range_loop, reason = "a row of many groups")]
        for content in 0..CONTENTS {
            let row = FloatNet::row(input, content as u8) * hidden;
            let units = lanes(&|unit| f64::from(numbers[row + unit]) * scales[unit]);
            for (group, lanes) in units.into_iter().enumerate() {
                rows[group * inputs + input][content] = lanes;
            }
        }
    }
    let weight = |bucket: usize, unit: usize| {
        f64::from(UNIT * numbers[parts.outputs + bucket * hidden + unit]) / scales[unit].round()
    };
    let shift = largest_shift(net, &|bucket, unit| weight(bucket, unit).abs());
    let seed = f64::from(1_u32 << shift);
    let whole = |place: usize| (f64::from(UNIT * numbers[place]) * seed).round() as i32;
    let mut direct = vec![[0; CONTENTS]; inputs];
    for (input, table) in direct.iter_mut().enumerate() {
        for (content, number) in table.iter_mut().enumerate() {
            *number = whole(parts.direct + FloatNet::row(input, content as u8));
        }
    }
    let weights = Weights {
        rows,
        bias: lanes(&|unit| f64::from(numbers[parts.bias + unit]) * scales[unit]),
        limits: lanes(&|unit| scales[unit]),
        outputs: std::array::from_fn(|bucket| lanes(&|unit| weight(bucket, unit) * seed)),
        direct,
        constants: std::array::from_fn(|bucket| whole(parts.constants + bucket)),
        shift,
    };
    Net::new(shape, weights)
}

/// The largest scale with which no sum of a unit overflows 16 bits.
fn finest(net: &FloatNet, unit: usize) -> f64 {
    let parts = Parts::of(net.shape());
    let largest = |input: usize| {
        let rows = (0..CONTENTS).map(|content| FloatNet::row(input, content as u8));
        let sizes = rows.map(|row| f64::from(net.numbers[row * parts.hidden + unit]).abs());
        sizes.fold(0.0, f64::max)
    };
    let inputs = net.shape().inputs();
    let most: f64 = (0..inputs).map(largest).sum();
    let most = most + f64::from(net.numbers[parts.bias + unit]).abs();
    // Rounding may add up to a half to every number; this leaves more than enough room.
    let room = f64::from(i16::MAX) - (inputs + 1) as f64;
    (room / most.max(1.0)).floor().max(1.0)
}

/// The largest exponent of two for the scale of a seed with which no weight overflows 16 bits and no value overflows 32.
fn largest_shift(net: &FloatNet, weight: &dyn Fn(usize, usize) -> f64) -> u32 {
    let parts = Parts::of(net.shape());
    let units = 0..parts.hidden;
    let all = (0..BUCKETS).flat_map(|bucket| units.clone().map(move |unit| weight(bucket, unit)));
    let largest = all.fold(0.0, f64::max);
    let size = |place: usize| f64::from(UNIT * net.numbers[place]).abs();
    let direct = |input: usize| {
        let rows = (0..CONTENTS).map(|content| FloatNet::row(input, content as u8));
        rows.map(|row| size(parts.direct + row)).fold(0.0, f64::max)
    };
    let direct: f64 = (0..net.shape().inputs()).map(direct).sum();
    let value = |bucket: usize| {
        let row = parts.outputs + bucket * parts.hidden;
        let hidden: f64 = (row..row + parts.hidden).map(size).sum();
        hidden + direct + size(parts.constants + bucket)
    };
    let value = (0..BUCKETS).map(value).fold(0.0, f64::max);
    let fits = |shift: &u32| {
        let seed = f64::from(1_u32 << shift);
        // The margin of a tenth is for rounding errors.
        largest * seed < f64::from(i16::MAX) - 1.0 && value * seed * 1.1 < f64::from(i32::MAX)
    };
    (1..=30).rev().find(fits).unwrap_or(1)
}

impl Difference {
    /// The difference between a net and its integers, on the samples held out, or on the others if none are held out.
    pub fn between(float: &FloatNet, net: &Net, samples: &Samples) -> Self {
        let all = match samples.held_out.is_empty() {
            true => &samples.seen,
            false => &samples.held_out,
        };
        let mut difference = Difference::default();
        let float_shape = float.shape();
        for sample in all {
            // The integer net clamps its value to the seeds in play, so this one is clamped, too.
            let most = f32::from(sample.seeds);
            let float = float.value(sample).clamp(-most, most);
            let net = net.value(&sample.places(float_shape.pits()), sample.seeds.into());
            let apart = (f64::from(float) - f64::from(net) / f64::from(POINT)).abs();
            difference.mean += apart / all.len() as f64;
            difference.largest = difference.largest.max(apart);
        }
        difference
    }
}
