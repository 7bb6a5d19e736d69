//! The sequential probability ratio test: play until one of two hypotheses has won.
//!
//! The ratio is the generalized one: for both hypotheses, the distribution of pair scores (five values) or
//! game scores (three) that fits the counts best among those with the hypothesis's average.

use super::elo::{EloModel, NORMALIZED_UNIT, expected_score};
use super::tally::{Sample, Tally};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A test of "the difference is `elo0`" (H0) against "it is `elo1`" (H1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: EloModel,
}

/// Why a test is not valid.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SprtError {
    /// The differences are too large.
    #[error("elo0 and elo1 must be from -2000 to 2000")]
    Range,
    /// The hypotheses are in the wrong order.
    #[error("elo0 ({0}) must be below elo1 ({1})")]
    Reversed(f64, f64),
    /// The error probabilities are out of range.
    #[error("alpha and beta must be above 0, and their sum below 1")]
    Errors,
    /// A word is not of the form `key=value`.
    #[error("'{0}' does not have the form elo1=5")]
    Form(String),
    /// The key is unknown.
    #[error("an SPRT has elo0, elo1, alpha and beta, not '{0}'")]
    Key(String),
    /// The value is not a number.
    #[error("{0}: not a number")]
    Number(String),
}

/// Which hypothesis a test has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub enum Decision {
    /// The difference is `elo0`, not `elo1`.
    H0,
    /// The difference is `elo1`, not `elo0`.
    H1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decision::H0 => "H0",
            Decision::H1 => "H1",
        })
    }
}

impl Sprt {
    /// The test. `alpha` is the probability of accepting H1 when H0 is true, `beta` the reverse.
    pub fn new(
        elo0: f64,
        elo1: f64,
        alpha: f64,
        beta: f64,
        model: EloModel,
    ) -> Result<Self, SprtError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0.abs() <= 2e3 && elo1.abs() <= 2e3) {
            return Err(SprtError::Range);
        }
        if elo0 >= elo1 {
            return Err(SprtError::Reversed(elo0, elo1));
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(SprtError::Errors);
        }
        Ok(Sprt {
            elo0,
            elo1,
            alpha,
            beta,
            model,
        })
    }

    /// The same test under another model of Elo.
    pub fn with_model(self, model: EloModel) -> Self {
        Sprt { model, ..self }
    }

    /// The differences of H0 and H1.
    pub fn hypotheses(&self) -> (f64, f64) {
        (self.elo0, self.elo1)
    }

    /// The allowed errors, alpha and beta.
    pub fn errors(&self) -> (f64, f64) {
        (self.alpha, self.beta)
    }

    /// The model of Elo.
    pub fn model(&self) -> EloModel {
        self.model
    }

    /// At or below this log-likelihood ratio H0 is accepted: ln(beta / (1 - alpha)).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// At or above this log-likelihood ratio H1 is accepted: ln((1 - beta) / alpha).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of H1 to H0.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let sample = tally.sample();
        if sample.total() == 0.0 {
            return 0.0;
        }
        match self.model {
            EloModel::Logistic => {
                let scores = (expected_score(self.elo0), expected_score(self.elo1));
                logistic_llr(&sample, scores.0, scores.1)
            }
            EloModel::Normalized => {
                let per_deviation = sample.games_each.sqrt() / NORMALIZED_UNIT;
                normalized_llr(
                    &sample,
                    self.elo0 * per_deviation,
                    self.elo1 * per_deviation,
                )
            }
        }
    }

    /// The decision at this log-likelihood ratio, if there is one yet.
    pub fn decision(&self, llr: f64) -> Option<Decision> {
        if llr >= self.upper() {
            Some(Decision::H1)
        } else if llr <= self.lower() {
            Some(Decision::H0)
        } else {
            None
        }
    }
}

/// Replaces counts of zero, so that every average can be reached.
const TRACE: f64 = 1e-3;

/// The log-likelihood ratio for two average scores.
fn logistic_llr(sample: &Sample, score0: f64, score1: f64) -> f64 {
    let counts: Vec<f64> = sample
        .counts
        .iter()
        .map(|&count| if count == 0.0 { TRACE } else { count })
        .collect();
    let total: f64 = counts.iter().sum();
    let tilt = |score| tilt(&sample.values, &counts, total, score);
    let (tilt0, tilt1) = (tilt(score0), tilt(score1));
    sample
        .values
        .iter()
        .zip(&counts)
        .map(|(value, count)| {
            let weight0 = 1.0 + tilt0 * (value - score0);
            let weight1 = 1.0 + tilt1 * (value - score1);
            count * (weight0 / weight1).ln()
        })
        .sum()
}

/// The best fit with average `score` has probabilities share_i / (1 + x (value_i - score)). This is its x:
/// the root of sum share_i (value_i - score) / (1 + x (value_i - score)), which decreases as x grows.
fn tilt(values: &[f64], counts: &[f64], total: f64, score: f64) -> f64 {
    // All weights have to be positive. The values go from 0 to 1.
    let (mut low, mut high) = (-1.0 / (1.0 - score), 1.0 / score);
    let mut x = 0.0;
    for _ in 0..100 {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (value, count) in values.iter().zip(counts) {
            let away = value - score;
            let part = away / (1.0 + x * away);
            sum += count * part;
            slope -= count * part * part;
        }
        if sum.abs() <= 1e-12 * total {
            break;
        }
        if sum > 0.0 {
            low = x;
        } else {
            high = x;
        }
        // A Newton step if it stays inside the interval, otherwise bisection.
        let next = x - sum / slope;
        x = if next > low && next < high {
            next
        } else {
            (low + high) / 2.0
        };
    }
    x
}

/// The log-likelihood ratio for two averages given in standard deviations of an observation; the deviation itself is estimated.
fn normalized_llr(sample: &Sample, t0: f64, t1: f64) -> f64 {
    let total = sample.total();
    // The small addition keeps the deviation above zero.
    let deviation = (sample.variance() + TRACE / total).sqrt();
    let t = (sample.mean() - 0.5) / deviation;
    total / 2.0 * ((1.0 + (t - t0).powi(2)) / (1.0 + (t - t1).powi(2))).ln()
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05`; these are also the defaults for keys that are left out.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let (mut elo0, mut elo1, mut alpha, mut beta) = (0.0, 5.0, 0.05, 0.05);
        for word in text.split(',').filter(|word| !word.is_empty()) {
            let (key, value) = word
                .split_once('=')
                .ok_or_else(|| SprtError::Form(word.to_owned()))?;
            let place = match key {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                _ => return Err(SprtError::Key(key.to_owned())),
            };
            *place = value
                .parse()
                .map_err(|_| SprtError::Number(word.to_owned()))?;
        }
        Sprt::new(elo0, elo1, alpha, beta, EloModel::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value - expected).abs() < tolerance,
            "{value} is not {expected}"
        );
    }

    #[test]
    fn bounds_by_hand() {
        let sprt: Sprt = "elo0=0,elo1=5".parse().expect("valid");
        // ln 19 and its negative.
        near(sprt.upper(), 2.944_439, 1e-6);
        near(sprt.lower(), -2.944_439, 1e-6);
        let uneven: Sprt = "alpha=0.01,beta=0.2".parse().expect("valid");
        near(uneven.upper(), 80f64.ln(), 1e-9);
        near(uneven.lower(), (0.2f64 / 0.99).ln(), 1e-9);
    }

    /// Without draws there is only one fit: a win has probability s, a loss 1 - s. So the ratio is
    /// W ln(s1/s0) + L ln((1-s1)/(1-s0)); with s0 = 1/2 and s1 = 10/11 (400 Elo) and 20 wins to 5 losses:
    /// 20 ln(20/11) + 5 ln(2/11) = 11.9567 - 8.5237 = 3.4330.
    #[test]
    fn two_values_by_hand() {
        let sprt: Sprt = "elo0=0,elo1=400".parse().expect("valid");
        let llr = sprt.llr(&Tally::of_games(20, 0, 5));
        near(
            llr,
            20.0 * (20.0f64 / 11.0).ln() + 5.0 * (2.0f64 / 11.0).ln(),
            0.02,
        );
        assert_eq!(sprt.decision(llr), Some(Decision::H1));
    }

    /// For small differences the ratio is close to the textbook one of a normal distribution,
    /// n (s1 - s0) (2 mean - s0 - s1) / (2 variance), the variance taken around the hypotheses.
    #[test]
    fn small_differences_look_normal() {
        let tally = Tally {
            wins: 470,
            draws: 200,
            losses: 330,
            pentanomial: [20, 80, 200, 140, 60],
        };
        let sprt: Sprt = "elo0=0,elo1=5".parse().expect("valid");
        let (s0, s1) = (0.5, expected_score(5.0));
        let away = (0.57 - (s0 + s1) / 2.0).powi(2);
        let normal = |n: f64, variance: f64| {
            n * (s1 - s0) * (2.0 * 0.57 - s0 - s1) / (2.0 * (variance + away))
        };
        let paired = sprt.llr(&tally);
        near(paired, normal(500.0, 0.0626), 0.01 * paired);
        // The same games one by one vary more (0.47 + 0.2/4 - 0.57^2 = 0.1951), so they carry less information.
        let single = sprt.llr(&Tally::of_games(470, 200, 330));
        near(single, normal(1000.0, 0.1951), 0.01 * single);
        assert!(single < paired);
        let other = sprt.with_model(EloModel::Normalized);
        assert!(other.llr(&tally) > 0.0);
    }

    #[test]
    fn ratios_are_symmetric() {
        let tally = Tally {
            pentanomial: [3, 5, 9, 6, 1],
            ..Tally::of_games(20, 7, 21)
        };
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let up = Sprt::new(-2.0, 7.0, 0.05, 0.05, model).expect("valid");
            let down = Sprt::new(-7.0, 2.0, 0.05, 0.05, model).expect("valid");
            near(up.llr(&tally), -down.llr(&tally.opposite()), 1e-9);
            assert_eq!(up.llr(&Tally::default()), 0.0);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "elo0=5,elo1=0",
            "alpha=0",
            "alpha=0.6,beta=0.6",
            "x=1",
            "elo1",
            "elo1=nan",
            "elo1=1e9",
        ] {
            assert!(text.parse::<Sprt>().is_err(), "{text}");
        }
    }
}
