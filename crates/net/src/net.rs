//! The value of a position, in integers.
//!
//! Sums of rows are 16 bits wide and products 32, and none can overflow: that is checked when a net is made. So the value
//! is the same on every processor, in whatever order its vector instructions add.

use crate::{BUCKETS, CONTENTS, LANES, POINT, Places, Shape, bucket};
use kalahari_games::kalah::Board;
use std::fmt;

/// Numbers of [`LANES`] hidden units, in one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Lanes(pub [i16; LANES]);

impl Lanes {
    /// All zero.
    pub const ZERO: Lanes = Lanes([0; LANES]);
}

/// The numbers of a net. Those of hidden units are in groups of [`LANES`]; unused ones are zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// For each group, then for each pit: a row for each content.
    pub rows: Vec<[Lanes; CONTENTS]>,
    /// The bias of each hidden unit, by group.
    pub bias: Vec<Lanes>,
    /// The upper limit that each hidden unit is clipped to, by group.
    pub limits: Vec<Lanes>,
    /// The weights of the hidden units, by bucket and group.
    pub outputs: [Vec<Lanes>; BUCKETS],
    /// For each pit: a number for each content.
    pub direct: Vec<[i32; CONTENTS]>,
    /// A number for each bucket.
    pub constants: [i32; BUCKETS],
    /// A seed is 2 to the power of this.
    pub shift: u32,
}

/// Why some numbers do not make a net.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unsound {
    /// There are too few or too many of them.
    Count,
    /// A sum could overflow.
    Overflow,
    /// A hidden unit would be clipped to less than zero.
    Limit,
    /// A seed is too small or too large.
    Shift,
}

impl fmt::Display for Unsound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsound::Count => "it has too few or too many numbers",
            Unsound::Overflow => "its sums could overflow",
            Unsound::Limit => "a hidden unit is clipped to less than zero",
            Unsound::Shift => "its scale of a seed makes no sense",
        })
    }
}

impl std::error::Error for Unsound {}

/// A net that is ready for use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    shape: Shape,
    weights: Weights,
}

impl Net {
    /// A net of these numbers, if no sum of them can overflow.
    pub fn new(shape: Shape, weights: Weights) -> Result<Self, Unsound> {
        let groups = shape.groups();
        let counts_fit = weights.rows.len() == groups * shape.inputs()
            && weights.bias.len() == groups
            && weights.limits.len() == groups
            && weights.outputs.iter().all(|row| row.len() == groups)
            && weights.direct.len() == shape.inputs();
        if !counts_fit {
            return Err(Unsound::Count);
        }
        if !(1..=30).contains(&weights.shift) {
            return Err(Unsound::Shift);
        }
        if weights
            .limits
            .iter()
            .any(|lanes| lanes.0.iter().any(|&limit| limit < 0))
        {
            return Err(Unsound::Limit);
        }
        let net = Net { shape, weights };
        match net.sums_fit() && net.values_fit() {
            true => Ok(net),
            false => Err(Unsound::Overflow),
        }
    }

    /// Whether no sum of rows, finished or not, can leave 16 bits.
    fn sums_fit(&self) -> bool {
        let Weights { rows, bias, .. } = &self.weights;
        let groups = rows.chunks_exact(self.shape.inputs()).zip(bias);
        groups.into_iter().all(|(tables, bias)| {
            (0..LANES).all(|lane| {
                let largest = |table: &[Lanes; CONTENTS]| {
                    let sizes = table.iter().map(|row| i32::from(row.0[lane]).abs());
                    sizes.max().unwrap_or(0)
                };
                let most: i32 = tables.iter().map(largest).sum();
                most + i32::from(bias.0[lane]).abs() <= i32::from(i16::MAX)
            })
        })
    }

    /// Whether no value, finished or not, can leave 32 bits.
    fn values_fit(&self) -> bool {
        let weights = &self.weights;
        let direct = weights.direct.iter().map(|table| {
            let sizes = table.iter().map(|&number| i64::from(number).abs());
            sizes.max().unwrap_or(0)
        });
        let direct: i64 = direct.sum();
        weights
            .outputs
            .iter()
            .zip(weights.constants)
            .all(|(row, constant)| {
                let hidden = row.iter().zip(&weights.limits).flat_map(|(row, limits)| {
                    let pairs = row.0.iter().zip(&limits.0);
                    pairs.map(|(&weight, &limit)| i64::from(weight).abs() * i64::from(limit))
                });
                hidden.sum::<i64>() + direct + i64::from(constant).abs() <= i64::from(i32::MAX)
            })
    }

    /// Its size, and the games it knows.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Its numbers.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The margin that the player to move can expect from the seeds in play; a seed is worth [`POINT`]. It never exceeds the
    /// worth of all seeds in play.
    #[inline]
    pub fn future<B: Board>(&self, board: &B) -> i32 {
        self.value(&Places::of(board), board.seeds_in_play())
    }

    /// The same, given the contents of the pits.
    #[inline]
    pub fn value(&self, places: &Places, seeds: u32) -> i32 {
        let value = match self.shape.pits() {
            1 => self.sum::<2>(places, seeds),
            2 => self.sum::<4>(places, seeds),
            3 => self.sum::<6>(places, seeds),
            4 => self.sum::<8>(places, seeds),
            5 => self.sum::<10>(places, seeds),
            6 => self.sum::<12>(places, seeds),
            7 => self.sum::<14>(places, seeds),
            8 => self.sum::<16>(places, seeds),
            9 => self.sum::<18>(places, seeds),
            10 => self.sum::<20>(places, seeds),
            11 => self.sum::<22>(places, seeds),
            _ => self.sum::<24>(places, seeds),
        };
        let shift = self.weights.shift;
        let value = (i64::from(value) * i64::from(POINT) + (1 << (shift - 1))) >> shift;
        let most = POINT * seeds as i32;
        (value as i32).clamp(-most, most)
    }

    /// The value before it is scaled. The number of pits is known to the compiler, so that a group's rows are added
    /// without a loop, in registers.
    fn sum<const INPUTS: usize>(&self, places: &Places, seeds: u32) -> i32 {
        let weights = &self.weights;
        let bucket = bucket(seeds);
        let Places([own, other]) = places;
        let places: [usize; INPUTS] = std::array::from_fn(|input| {
            let place = match input.checked_sub(INPUTS / 2) {
                None => own[input],
                Some(pit) => other[pit],
            };
            usize::from(place) % CONTENTS
        });
        let mut value = weights.constants[bucket];
        for (table, place) in weights.direct.iter().zip(places) {
            value = value.wrapping_add(table[place]);
        }
        let (groups, _) = weights.rows.as_chunks::<INPUTS>();
        let ends = weights.bias.iter().zip(&weights.limits);
        let ends = ends.zip(&weights.outputs[bucket]);
        for (tables, ((bias, limits), outputs)) in groups.iter().zip(ends) {
            let units = units(tables, &places, bias, limits);
            for (&unit, &weight) in units.0.iter().zip(&outputs.0) {
                value = value.wrapping_add(i32::from(unit) * i32::from(weight));
            }
        }
        value
    }
}

/// A group of hidden units.
#[inline]
fn units<const INPUTS: usize>(
    tables: &[[Lanes; CONTENTS]; INPUTS],
    places: &[usize; INPUTS],
    bias: &Lanes,
    limits: &Lanes,
) -> Lanes {
    let rows: [&Lanes; INPUTS] = std::array::from_fn(|i| &tables[i][places[i]]);
    let mut units = Lanes::ZERO;
    for lane in 0..LANES {
        let sum = rows
            .iter()
            .fold(bias.0[lane], |sum, row| sum.wrapping_add(row.0[lane]));
        units.0[lane] = sum.max(0).min(limits.0[lane]);
    }
    units
}
