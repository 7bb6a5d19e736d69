//! Counts of results, from one agent's point of view.

use kalahari_games::Verdict;
use serde::Serialize;

/// Half points of a result: 0, 1 or 2.
pub const fn half_points(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Loss => 0,
        Verdict::Draw => 1,
        Verdict::Win => 2,
    }
}

/// The results of a match from the first agent's point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their half points, 0 to 4: both lost, ..., both won.
    pub pentanomial: [u64; 5],
}

impl Tally {
    /// A tally of games that were not played in pairs.
    pub const fn of_games(wins: u64, draws: u64, losses: u64) -> Self {
        Tally {
            wins,
            draws,
            losses,
            pentanomial: [0; 5],
        }
    }

    /// Counts a game. Its pair is counted by [`add_pair`](Tally::add_pair).
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Win => self.wins += 1,
            Verdict::Draw => self.draws += 1,
            Verdict::Loss => self.losses += 1,
        }
    }

    /// Counts a complete pair, whose games have already been counted one by one.
    pub fn add_pair(&mut self, verdicts: [Verdict; 2]) {
        let half_points = verdicts.map(half_points);
        self.pentanomial[usize::from(half_points[0] + half_points[1])] += 1;
    }

    /// The number of games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The number of complete pairs.
    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// Points: 1 for a win, 1/2 for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of points, 0 to 1; 1/2 if there are no games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => self.points() / games as f64,
        }
    }

    /// The same games from the other side.
    pub fn opposite(&self) -> Tally {
        let mut pentanomial = self.pentanomial;
        pentanomial.reverse();
        Tally {
            wins: self.losses,
            draws: self.draws,
            losses: self.wins,
            pentanomial,
        }
    }

    /// The observations for the statistics: pairs if all games but at most one are in pairs, otherwise single games.
    pub fn sample(&self) -> Sample {
        if self.pairs() > 0 && 2 * self.pairs() + 1 >= self.games() {
            let counts = self.pentanomial.map(|count| count as f64);
            Sample {
                values: vec![0.0, 0.25, 0.5, 0.75, 1.0],
                counts: counts.to_vec(),
                games_each: 2.0,
            }
        } else {
            Sample {
                values: vec![0.0, 0.5, 1.0],
                counts: [self.losses, self.draws, self.wins]
                    .map(|n| n as f64)
                    .to_vec(),
                games_each: 1.0,
            }
        }
    }
}

/// Independent observations: the average score of a pair, or the score of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The possible scores, in increasing order from 0 to 1.
    pub values: Vec<f64>,
    /// How often each score was observed.
    pub counts: Vec<f64>,
    /// How many games make one observation.
    pub games_each: f64,
}

impl Sample {
    /// How many observations there are.
    pub fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The average score; 1/2 without observations.
    pub fn mean(&self) -> f64 {
        let total = self.total();
        if total == 0.0 {
            return 0.5;
        }
        let sum: f64 = self
            .values
            .iter()
            .zip(&self.counts)
            .map(|(v, n)| v * n)
            .sum();
        sum / total
    }

    /// The variance of one observation, taking the counts as the exact distribution.
    pub fn variance(&self) -> f64 {
        let (total, mean) = (self.total(), self.mean());
        if total == 0.0 {
            return 0.0;
        }
        let squares = self.values.iter().zip(&self.counts);
        squares.map(|(v, n)| n * (v - mean).powi(2)).sum::<f64>() / total
    }

    /// The standard error of the average.
    pub fn standard_error(&self) -> f64 {
        match self.total() {
            0.0 => 0.0,
            total => (self.variance() / total).sqrt(),
        }
    }
}
