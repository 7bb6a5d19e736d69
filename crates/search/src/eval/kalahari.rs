//! `kalahari`: our own evaluation of Kalah.
//!
//! The stores, and a weighted sum of a few features of the pits, clipped to what can still be reached.
//! The weights are in `params/kalahari.txt` and change linearly with the seeds in play. They were
//! fitted by `cargo run --release --example fit_kalahari` and then tuned by SPSA (`docs/tuning.md`).

use super::registry::{Named, WEIGHTS, set_all};
use super::{EvalError, Evaluation, FileProblem, Scale};
use crate::parameters::{FEATURE, Parameter};
use kalahari_games::GameSpec;
use kalahari_games::kalah::{Board, Kalah, Side};
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

/// The number of seeds in play at which the second weight of a feature applies.
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
/// | `tempo` | 1: it is an advantage to be on the move |
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
    let needs_no_prey = game.kalah_spec().rule().banks_without_prey();
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
                if opposite > 0 || needs_no_prey {
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

/// The parameter file.
const FILE: &str = include_str!("../../params/kalahari.txt");

static SHIPPED: LazyLock<Kalahari> =
    LazyLock::new(|| Kalahari::from_ends(read(FILE).expect("a test reads the shipped file")));

/// Reads the weights: a line a feature, with its name and both weights. Lines that begin with `#` are ignored.
fn read(file: &str) -> Result<[[f64; 2]; FEATURES.len()], FileProblem> {
    let mut ends = [None; FEATURES.len()];
    let lines = file.lines().enumerate();
    for (number, line) in lines.filter(|(_, line)| !line.starts_with('#') && !line.is_empty()) {
        let wrong = FileProblem::Line { line: number + 1 };
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[name, few, many] = words.as_slice() else {
            return Err(wrong);
        };
        let place = FEATURES.iter().position(|&feature| feature == name);
        let weight = |word: &str| word.parse().ok().filter(|w| FEATURE.check(*w).is_ok());
        match (place, weight(few), weight(many)) {
            (Some(place), Some(few), Some(many)) => ends[place] = Some([few, many]),
            _ => return Err(wrong),
        }
    }
    let mut all = [[0.0; 2]; FEATURES.len()];
    for (place, end) in ends.into_iter().enumerate() {
        all[place] = end.ok_or(FileProblem::Missing(FEATURES[place]))?;
    }
    Ok(all)
}

impl Kalahari {
    /// With the weights of a file like `params/kalahari.txt`.
    pub fn from_file(path: &str) -> Result<Self, EvalError> {
        let text = std::fs::read_to_string(path);
        let text = text.map_err(|error| FileProblem::Unreadable(error.kind()));
        let ends = text.and_then(|text| read(&text));
        ends.map(Kalahari::from_ends)
            .map_err(|problem| EvalError::File {
                path: path.to_owned(),
                problem,
            })
    }

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

impl<B: Board> Evaluation<Kalah<B>> for Kalahari {
    #[inline]
    fn evaluate(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        let seeds = position.seeds_in_play();
        let weights = &self.weights[seeds as usize];
        let features = features(game, position);
        let pits: i32 = features.iter().zip(weights).map(|(f, w)| f * w).sum();
        let reach = SEED * seeds as i32;
        SEED * game.store_margin(position) + pits.clamp(-reach, reach)
    }

    fn scale(&self) -> Scale {
        Scale::seeds(SEED)
    }
}

impl Default for Kalahari {
    /// With the program's weights.
    fn default() -> Self {
        SHIPPED.clone()
    }
}

impl Named for Kalahari {
    const FILES: &'static [&'static str] = &[WEIGHTS];

    fn of_game(_: GameSpec) -> Result<Self, EvalError> {
        Ok(Kalahari::default())
    }

    fn named(_: GameSpec, options: &[(&str, &str)]) -> Result<Self, EvalError> {
        let (files, parameters): (Vec<_>, Vec<_>) =
            options.iter().partition(|(name, _)| *name == WEIGHTS);
        let mut eval = match files.last() {
            Some((_, path)) => Kalahari::from_file(path)?,
            None => Kalahari::default(),
        };
        set_all(&mut eval, &parameters)?;
        Ok(eval)
    }

    fn current(&self) -> Vec<Parameter> {
        let names = PARAMETERS.iter().zip(self.ends.iter().flatten());
        names
            .map(|(&name, &value)| Parameter {
                name,
                ..FEATURE.with_value(value)
            })
            .collect()
    }

    fn set(&mut self, name: &str, value: f64) {
        if let Some(place) = PARAMETERS.iter().position(|&known| known == name) {
            let mut ends = *self.ends;
            ends[place / 2][place % 2] = value;
            *self = Kalahari::from_ends(ends);
        }
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
