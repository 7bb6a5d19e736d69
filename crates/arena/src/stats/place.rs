//! The rating of one player against opponents whose ratings are known: Davidson's model, as in
//! [`fit_ratings`](super::fit_ratings), with everything else held fixed.

use super::normal::Z95;
use super::ratings::{ELO, Rating};
use super::tally::Tally;

/// A rating scale on which a player can be placed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// How likely draws are: the `v` of the model, 0 where there are none.
    pub draws: f64,
    /// The rating of a player about whom nothing is known. One extra drawn game against an opponent of this rating is counted,
    /// so that a player that wins or loses every game also has a rating.
    pub middle: f64,
}

/// The chances of a win, a draw and a loss.
fn chances(scale: Scale, own: f64, other: f64) -> [f64; 3] {
    let half = (own - other) / ELO / 2.0;
    let top = half.abs();
    let (win, loss) = ((half - top).exp(), (-half - top).exp());
    let draw = scale.draws.max(0.0) * (-top).exp();
    let sum = win + draw + loss;
    [win / sum, draw / sum, loss / sum]
}

impl Scale {
    /// How much information a game between players of ratings `own` and `other` gives about either, compared with a game
    /// between equals: 0 to 1.
    pub fn telling(self, own: f64, other: f64) -> f64 {
        information(chances(self, own, other)) / information(chances(self, 0.0, 0.0))
    }

    /// The expected score of a player of rating `own` against one of rating `other`, 0 to 1.
    pub fn expected(self, own: f64, other: f64) -> f64 {
        let [win, draw, _] = chances(self, own, other);
        win + draw / 2.0
    }

    /// The rating of a player with these results against opponents of these ratings. The error is the larger of two:
    /// one that takes games as independent, and one that takes pairs as the observations, since the games of a pair are not
    /// independent of each other.
    pub fn place(self, results: &[(f64, Tally)]) -> Rating {
        // The derivative of the log-likelihood decreases, so it has exactly one zero.
        let slope = |own: f64| {
            let of_games = results.iter().map(|(other, tally)| {
                let [win, _, loss] = chances(self, own, *other);
                let scored = tally.wins as f64 - tally.losses as f64;
                scored - tally.games() as f64 * (win - loss)
            });
            let [win, _, loss] = chances(self, own, self.middle);
            of_games.sum::<f64>() - (win - loss)
        };
        let (mut low, mut high) = (self.middle - FAR, self.middle + FAR);
        for _ in 0..100 {
            let between = (low + high) / 2.0;
            match slope(between) > 0.0 {
                true => low = between,
                false => high = between,
            }
        }
        let own = (low + high) / 2.0;
        let mut weight = information(chances(self, own, self.middle));
        let mut spread = weight;
        for (other, tally) in results {
            let chances = chances(self, own, *other);
            let a_game = information(chances);
            weight += a_game * tally.games() as f64;
            let single = tally.games().saturating_sub(2 * tally.pairs());
            spread += a_game * single as f64;
            let [win, _, loss] = chances;
            for (points, pairs) in (0..).zip(tally.pentanomial) {
                let off = (f64::from(points) - 2.0) / 2.0 - (win - loss);
                spread += off * off * pairs as f64;
            }
        }
        let variance = (1.0 / weight).max(spread / (weight * weight));
        Rating {
            elo: own,
            error: variance.sqrt() * ELO * Z95,
        }
    }
}

/// No player is placed further from the middle than this.
const FAR: f64 = 4000.0;

/// The information of a game: the negated second derivative of the log-likelihood.
fn information([win, _, loss]: [f64; 3]) -> f64 {
    ((win + loss) - (win - loss).powi(2)) / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{Encounter, fit_ratings};

    fn near(value: f64, expected: f64, tolerance: f64) {
        let off = (value - expected).abs();
        assert!(off < tolerance, "{value} is not {expected}");
    }

    /// Many games against two players of known strength give the same rating as the fit of all three players.
    #[test]
    fn it_agrees_with_the_fit_of_all_players() {
        let games = |first, second, wins, draws, losses| Encounter {
            first,
            second,
            wins,
            draws,
            losses,
        };
        let fit = fit_ratings(
            3,
            &[
                games(0, 1, 400_000, 150_000, 450_000),
                games(2, 0, 4_100, 1_500, 4_400),
                games(2, 1, 3_700, 1_500, 4_800),
            ],
        );
        let scale = Scale {
            draws: fit.draws,
            middle: 0.0,
        };
        let placed = scale.place(&[
            (fit.ratings[0].elo, Tally::of_games(4_100, 1_500, 4_400)),
            (fit.ratings[1].elo, Tally::of_games(3_700, 1_500, 4_800)),
        ]);
        near(placed.elo, fit.ratings[2].elo, 0.5);
        assert!(placed.error > 3.0 && placed.error < 8.0, "{placed:?}");
    }

    #[test]
    fn a_player_that_wins_everything_is_placed_above_and_is_uncertain() {
        let scale = Scale {
            draws: 0.3,
            middle: 500.0,
        };
        let few = scale.place(&[(500.0, Tally::of_games(4, 0, 0))]);
        let many = scale.place(&[(500.0, Tally::of_games(400, 0, 0))]);
        assert!(few.elo > 600.0 && many.elo > few.elo + 300.0);
        assert!(few.error > 150.0 && many.error > 150.0);
        assert_eq!(scale.place(&[]).elo.round(), 500.0);
    }

    /// Pairs whose games always agree give half as much information as independent games.
    #[test]
    fn pairs_that_agree_count_as_one() {
        let scale = Scale {
            draws: 0.0,
            middle: 0.0,
        };
        let alone = Tally::of_games(100, 0, 100);
        let together = Tally {
            pentanomial: [50, 0, 0, 0, 50],
            ..alone
        };
        let split = Tally {
            pentanomial: [0, 0, 100, 0, 0],
            ..alone
        };
        let error = |tally| scale.place(&[(0.0, tally)]).error;
        near(error(together) / error(alone), 2f64.sqrt(), 0.02);
        // Where every pair is split, the error is that of single games.
        near(error(split) / error(alone), 1.0, 1e-9);
    }

    #[test]
    fn equals_tell_most() {
        let scale = Scale {
            draws: 0.5,
            middle: 0.0,
        };
        assert_eq!(scale.telling(100.0, 100.0), 1.0);
        assert!(scale.telling(100.0, 200.0) > scale.telling(100.0, 300.0));
        near(scale.expected(7.0, 7.0), 0.5, 1e-12);
        assert!(scale.expected(200.0, 0.0) > 0.7);
    }
}
