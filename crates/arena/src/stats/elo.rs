//! Differences in strength on an Elo scale, their errors, and the likelihood of superiority.

use super::normal::{Z95, normal_below};
use super::tally::Tally;
use crate::named;

/// What a difference in Elo means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EloModel {
    /// The expected score is 1 / (1 + 10^(-elo/400)).
    #[default]
    Logistic,
    /// The expected score, less 1/2, in standard deviations of a game, times 800/ln 10. It does not
    /// shrink when both sides draw more.
    Normalized,
}

named!(
    EloModel,
    "Elo models are logistic and normalized",
    Logistic "logistic",
    Normalized "normalized",
);

/// One standard deviation of a game in normalized Elo.
pub const NORMALIZED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// The expected score at a difference in logistic Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in logistic Elo for a score; infinite at 0 and 1.
pub fn logistic_elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// A difference in strength and half the width of its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elo {
    /// The difference; positive is better. `None` where it would be infinite, or without games.
    pub value: Option<f64>,
    /// Half the width of the 95% interval; `None` if the value is, and if all observations are equal, which gives no variance.
    pub error: Option<f64>,
}

/// Elo of a tally. If there are pairs, they are the observations.
///
/// The logistic error is half the interval whose ends are the scores 1.96 standard errors away; if an end
/// falls on or beyond 0 or 1, it is 1.96 standard errors times the slope of the curve instead.
pub fn elo(tally: &Tally, model: EloModel) -> Elo {
    let score = tally.score();
    if tally.games() == 0 || score <= 0.0 || score >= 1.0 {
        return Elo {
            value: None,
            error: None,
        };
    }
    let sample = tally.sample();
    let strays = sample.variance() > 0.0;
    match model {
        EloModel::Logistic => {
            let wide = Z95 * sample.standard_error();
            let (low, high) = (score - wide, score + wide);
            let error = if low > 0.0 && high < 1.0 {
                (logistic_elo(high) - logistic_elo(low)) / 2.0
            } else {
                wide * 400.0 / std::f64::consts::LN_10 / (score * (1.0 - score))
            };
            Elo {
                // Without the addition an even score would give -0.
                value: Some(logistic_elo(score) + 0.0),
                error: strays.then_some(error),
            }
        }
        EloModel::Normalized => {
            let deviation = (sample.games_each * sample.variance()).sqrt();
            let value = if score == 0.5 {
                0.0
            } else {
                (score - 0.5) / deviation * NORMALIZED_UNIT
            };
            let games = sample.games_each * sample.total();
            let error = Z95 * NORMALIZED_UNIT / games.sqrt();
            let known = value.is_finite();
            Elo {
                value: known.then_some(value),
                error: (known && strays).then_some(error),
            }
        }
    }
}

/// The likelihood of superiority: how likely it is that the true score is above 1/2.
pub fn los(tally: &Tally) -> f64 {
    let sample = tally.sample();
    let (ahead, error) = (sample.mean() - 0.5, sample.standard_error());
    if ahead == 0.0 {
        0.5
    } else {
        normal_below(ahead / error)
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

    /// 60 wins, 20 draws, 20 losses: the score is 0.7 and the Elo 400 log10(7/3) = 147.19. The variance of a
    /// game is 0.6 + 0.2/4 - 0.49 = 0.16, the standard error sqrt(0.16/100) = 0.04, so the ends are
    /// 0.6216 and 0.7784, which are 86.23 and 218.26 Elo: the error is 66.0.
    #[test]
    fn single_games_by_hand() {
        let tally = Tally::of_games(60, 20, 20);
        let Elo { value, error } = elo(&tally, EloModel::Logistic);
        near(value.expect("finite"), 147.190_7, 1e-3);
        near(error.expect("finite"), 66.01, 0.05);
        // 0.2 is five standard errors: 1 - 2.87e-7.
        near(los(&tally), 1.0 - 2.866_5e-7, 1e-9);
        // 0.2 / 0.4 * 347.4356 and 1.96 * 347.4356 / 10.
        let normalized = elo(&tally, EloModel::Normalized);
        near(normalized.value.expect("finite"), 173.717_8, 1e-3);
        near(normalized.error.expect("finite"), 68.096, 1e-2);
    }

    /// 10 pairs of one win and one loss each have no variance; the same 20 games taken one by one do.
    #[test]
    fn pairs_are_the_observations() {
        let mut tally = Tally::of_games(10, 0, 10);
        near(
            elo(&tally, EloModel::Logistic).error.expect("finite"),
            // 1.96 * 0.5 / sqrt(20) = 0.21913: 0.71913 against 0.28087 is 163.3 Elo.
            163.33,
            0.05,
        );
        tally.pentanomial = [0, 0, 10, 0, 0];
        for model in [EloModel::Logistic, EloModel::Normalized] {
            let Elo { value, error } = elo(&tally, model);
            assert!(value.is_some_and(|value| value == 0.0 && value.is_sign_positive()));
            assert_eq!(error, None, "{model}");
        }
        assert_eq!(los(&tally), 0.5);
    }

    /// Pairs 2, 8, 20, 14, 6 of 50: 114 half points of 200, score 0.57. Squares of the distances
    /// (0.57, 0.32, 0.07, 0.18, 0.43) weighted: 0.6498 + 0.8192 + 0.098 + 0.4536 + 1.1094 = 3.13, so the
    /// variance is 0.0626 and the standard error sqrt(0.0626/50) = 0.035384.
    #[test]
    fn pentanomial_by_hand() {
        let tally = Tally {
            wins: 47,
            draws: 20,
            losses: 33,
            pentanomial: [2, 8, 20, 14, 6],
        };
        near(tally.score(), 0.57, 1e-12);
        let sample = tally.sample();
        near(sample.variance(), 0.0626, 1e-12);
        near(sample.standard_error(), 0.035_384, 1e-6);
        let Elo { value, error } = elo(&tally, EloModel::Logistic);
        near(value.expect("finite"), 48.963, 1e-2);
        // Ends 0.500647 and 0.639353: 0.45 and 99.44 Elo.
        near(error.expect("finite"), 49.49, 0.05);
        near(los(&tally), normal_below(0.07 / 0.035_384), 1e-5);
    }

    #[test]
    fn nothing_and_everything_are_infinite() {
        for tally in [
            Tally::default(),
            Tally::of_games(5, 0, 0),
            Tally::of_games(0, 0, 5),
        ] {
            for model in [EloModel::Logistic, EloModel::Normalized] {
                let Elo { value, error } = elo(&tally, model);
                assert_eq!((value, error), (None, None));
            }
        }
        assert_eq!(los(&Tally::of_games(5, 0, 0)), 1.0);
        assert_eq!(los(&Tally::of_games(0, 0, 5)), 0.0);
        assert_eq!(los(&Tally::default()), 0.5);
        // Close to the end the error stays finite.
        let close = elo(&Tally::of_games(199, 0, 1), EloModel::Logistic);
        assert!(close.error.is_some_and(f64::is_finite));
    }

    #[test]
    fn scores_and_differences_are_inverse() {
        for elo in [-600.0, -35.0, 0.0, 5.0, 400.0] {
            near(logistic_elo(expected_score(elo)), elo, 1e-9);
        }
        near(expected_score(400.0), 10.0 / 11.0, 1e-12);
    }
}
