//! `kalahari`: our own evaluation of Kalah.
//!
//! The stores, and a weighted sum of a few features of the pits, clipped to what can still be reached.
//! The weights stand in `params/kalahari.txt` and change evenly with the seeds in play. They were
//! fitted by `cargo run --release --example fit_kalahari` and then tuned by SPSA (`docs/tuning.md`).

use super::KalahTerm;
use crate::parameters::{FEATURE, Parameter};
use kalahari_games::kalah::{Board, CaptureRule, Kalah, Side};
use std::sync::{Arc, LazyLock};

/// The names of the features, in the order of [`features`].
pub const FEATURES: [&str; 13] = [
    "row1",
    "row2",
    "row3",
    "row4",
    "row5",
    "row6",
    "extra_own",
    "extra_other",
    "capture_own",
    "capture_other",
    "overflow",
    "empty",
    "tempo",
];

/// What a seed in store is worth.
const SEED: i32 = 100;

/// The seeds in play at which the second weight of a feature holds.
const MANY: usize = 72;

/// The features of a position for the player to move:
///
/// | feature | what it counts |
/// |---|---|
/// | `row1` to `row6` | own minus opponent's seeds, by distance of the pit to its store (6 and farther together) |
/// | `extra_own`, `extra_other` | pits whose sowing would end in the store |
/// | `capture_own`, `capture_other` | seeds the best capture would bank |
/// | `overflow` | own minus opponent's seeds that their sowing would carry beyond the store |
/// | `empty` | own minus opponent's empty pits |
/// | `tempo` | 1: it is good to be on the move |
#[inline]
pub fn features<B: Board>(game: &Kalah<B>, position: &B) -> [i32; FEATURES.len()] {
    let own = side_features(game, position, Side::Mover, Side::Opponent);
    let other = side_features(game, position, Side::Opponent, Side::Mover);
    let mut all = [0; FEATURES.len()];
    for (feature, (own, other)) in all.iter_mut().zip(own.rows.into_iter().zip(other.rows)) {
        *feature = own - other;
    }
    all[6] = own.extra;
    all[7] = other.extra;
    all[8] = own.capture;
    all[9] = other.capture;
    all[10] = own.overflow - other.overflow;
    all[11] = own.empty - other.empty;
    all[12] = 1;
    all
}

#[derive(Default)]
struct SideFeatures {
    rows: [i32; 6],
    extra: i32,
    capture: i32,
    overflow: i32,
    empty: i32,
}

#[inline]
fn side_features<B: Board>(game: &Kalah<B>, position: &B, own: Side, other: Side) -> SideFeatures {
    let pits = game.pits();
    let takes_nothing = game.kalah_spec().rule() == CaptureRule::EmptyCapture;
    let mut sum = SideFeatures::default();
    for pit in 0..pits {
        let seeds = position.pit(own, pit) as usize;
        let distance = pits - pit;
        sum.rows[distance.min(6) - 1] += seeds as i32;
        if seeds == 0 {
            sum.empty += 1;
        } else if seeds < distance {
            let landing = pit + seeds;
            if position.pit(own, landing) == 0 {
                let opposite = position.pit(other, pits - 1 - landing) as i32;
                if opposite > 0 || takes_nothing {
                    sum.capture = sum.capture.max(opposite + 1);
                }
            }
        } else {
            sum.overflow += (seeds - distance) as i32;
            sum.extra += i32::from(seeds == distance || seeds % (2 * pits + 1) == distance);
        }
    }
    sum
}

/// Our own evaluation, in hundredths of a seed.
#[derive(Clone, Debug)]
pub struct Kalahari {
    /// Weights with no seeds in play and with [`MANY`].
    ends: Arc<[[f64; 2]; FEATURES.len()]>,
    /// The weights for each number of seeds in play.
    weights: Arc<Vec<[i32; FEATURES.len()]>>,
}

/// The parameter file. A test makes sure that it can be read.
const FILE: &str = include_str!("../../params/kalahari.txt");

static SHIPPED: LazyLock<Kalahari> = LazyLock::new(|| Kalahari::from_ends(read(FILE)));

/// Reads the weights; a feature that is missing weighs nothing.
fn read(file: &str) -> [[f64; 2]; FEATURES.len()] {
    let mut ends = [[0.0; 2]; FEATURES.len()];
    for line in file.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace();
        let place = words
            .next()
            .and_then(|name| FEATURES.iter().position(|&f| f == name));
        if let Some(place) = place {
            for end in &mut ends[place] {
                *end = words
                    .next()
                    .and_then(|word| word.parse().ok())
                    .unwrap_or(0.0);
            }
        }
    }
    ends
}

impl Default for Kalahari {
    fn default() -> Self {
        SHIPPED.clone()
    }
}

impl Kalahari {
    fn from_ends(ends: [[f64; 2]; FEATURES.len()]) -> Self {
        let at = |seeds: usize| {
            let many = (seeds as f64 / MANY as f64).min(1.5);
            ends.map(|[few, lots]| (few + (lots - few) * many).round() as i32)
        };
        let most = kalahari_games::kalah::MAX_TOTAL as usize;
        Kalahari {
            ends: Arc::new(ends),
            weights: Arc::new((0..=most).map(at).collect()),
        }
    }
}

impl KalahTerm for Kalahari {
    #[inline]
    fn evaluate<B: Board>(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        let seeds = position.seeds_in_play();
        let weights = &self.weights[seeds as usize];
        let features = features(game, position);
        let pits: i32 = features.iter().zip(weights).map(|(f, w)| f * w).sum();
        let reach = SEED * seeds as i32;
        SEED * game.store_margin(position) + pits.clamp(-reach, reach)
    }

    #[inline]
    fn point(&self) -> i32 {
        SEED
    }

    fn parameters(&self) -> Vec<Parameter> {
        let names = PARAMETERS.iter().zip(self.ends.iter().flatten());
        names
            .map(|(&name, &value)| Parameter {
                name,
                ..FEATURE.with_value(value)
            })
            .collect()
    }

    fn set(&mut self, name: &str, value: f64) -> bool {
        let place = PARAMETERS.iter().position(|&known| known == name);
        if let Some(place) = place {
            let mut ends = *self.ends;
            ends[place / 2][place % 2] = value.clamp(FEATURE.min, FEATURE.max);
            *self = Kalahari::from_ends(ends);
        }
        place.is_some()
    }
}

/// A parameter's name is its feature's, followed by `.few` or `.many`.
static PARAMETERS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    FEATURES
        .iter()
        .flat_map(|name| {
            ["few", "many"].map(|end| &*Box::leak(format!("{name}.{end}").into_boxed_str()))
        })
        .collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parameter_file_names_every_feature() {
        let lines: Vec<&str> = FILE.lines().filter(|line| !line.starts_with('#')).collect();
        let names: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.split(' ').next())
            .collect();
        assert_eq!(names, FEATURES);
        for line in lines {
            let numbers: Vec<f64> = line
                .split(' ')
                .skip(1)
                .filter_map(|word| word.parse().ok())
                .collect();
            assert_eq!(numbers.len(), 2, "{line}");
        }
    }
}
