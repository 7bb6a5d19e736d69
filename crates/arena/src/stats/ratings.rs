//! Ratings of many players from all their games at once: the maximum-likelihood fit of Davidson's model.
//!
//! Player i has a strength r_i (natural logarithm of odds). With x = r_i - r_j, a win, a draw and a loss of
//! i against j are as likely as e^(x/2) : v : e^(-x/2). Without any draws v is 0 and this is the model of
//! Bradley and Terry. The log-likelihood is concave, so there is one best fit.

use super::normal::Z95;

/// All games of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encounter {
    /// One player's number.
    pub first: usize,
    /// The other player's number.
    pub second: usize,
    /// Games the first player won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games the first player lost.
    pub losses: u64,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Elo relative to the average of all players, which is 0.
    pub elo: f64,
    /// Half the width of the 95% interval.
    pub error: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// A rating for every player.
    pub ratings: Vec<Rating>,
    /// Whether a drawn game had to be added to every encounter, because otherwise a player (one that won or lost
    /// every game, for example) would have no finite rating.
    pub padded: bool,
    /// How likely draws are: the `v` of the model, 0 where there are none.
    pub draws: f64,
}

/// Elo per unit of the natural logarithm of odds.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Fits the ratings of `players` players. Encounters of unknown players or of a player with itself are
/// ignored; a player without games gets 0 with an infinite error.
pub fn fit_ratings(players: usize, encounters: &[Encounter]) -> Fit {
    let valid = |e: &&Encounter| {
        e.first < players && e.second < players && e.first != e.second && total(e) > 0
    };
    let encounters: Vec<Encounter> = encounters.iter().filter(valid).copied().collect();
    let padded = !is_connected(players, &encounters);
    let mut counts: Vec<Counts> = encounters.iter().map(Counts::new).collect();
    if padded {
        for count in &mut counts {
            count.draws += 1.0;
        }
    }
    let with_draws = counts.iter().any(|count| count.draws > 0.0);
    let model = Model {
        players,
        counts,
        with_draws,
    };
    let (point, curvature) = model.climb();
    let errors = model.errors(&curvature);
    let ratings = point
        .iter()
        .take(players)
        .zip(errors)
        .map(|(strength, error)| Rating {
            elo: strength * ELO,
            error: error * ELO * Z95,
        })
        .collect();
    Fit {
        ratings,
        padded,
        draws: point.get(players).map_or(0.0, |log| log.exp()),
    }
}

fn total(encounter: &Encounter) -> u64 {
    encounter.wins + encounter.draws + encounter.losses
}

/// Whether every player with games is connected to every other by a chain of "scored against". All ratings are finite if and
/// only if this holds.
fn is_connected(players: usize, encounters: &[Encounter]) -> bool {
    let mut scored = vec![Vec::new(); players];
    let mut was_scored = vec![Vec::new(); players];
    for e in encounters {
        let drawn = e.draws > 0;
        for (from, to, won) in [
            (e.first, e.second, e.wins > 0),
            (e.second, e.first, e.losses > 0),
        ] {
            if won || drawn {
                scored[from].push(to);
                was_scored[to].push(from);
            }
        }
    }
    let playing: Vec<bool> = (0..players)
        .map(|p| encounters.iter().any(|e| e.first == p || e.second == p))
        .collect();
    let Some(root) = playing.iter().position(|&plays| plays) else {
        return true;
    };
    [scored, was_scored].iter().all(|edges| {
        let mut seen = vec![false; players];
        let mut open = vec![root];
        while let Some(player) = open.pop() {
            if !std::mem::replace(&mut seen[player], true) {
                open.extend(&edges[player]);
            }
        }
        seen.iter()
            .zip(&playing)
            .all(|(seen, plays)| *seen || !plays)
    })
}

struct Counts {
    first: usize,
    second: usize,
    wins: f64,
    draws: f64,
    losses: f64,
}

impl Counts {
    fn new(e: &Encounter) -> Self {
        Counts {
            first: e.first,
            second: e.second,
            wins: e.wins as f64,
            draws: e.draws as f64,
            losses: e.losses as f64,
        }
    }
}

struct Model {
    players: usize,
    counts: Vec<Counts>,
    with_draws: bool,
}

impl Model {
    /// The number of parameters: the strengths, and the logarithm of v if there are draws.
    fn size(&self) -> usize {
        self.players + usize::from(self.with_draws)
    }

    fn is_idle(&self, player: usize) -> bool {
        !self
            .counts
            .iter()
            .any(|e| e.first == player || e.second == player)
    }

    /// The log-likelihood, its gradient and its negated second derivatives.
    fn look(&self, point: &[f64]) -> (f64, Vec<f64>, Vec<Vec<f64>>) {
        let size = self.size();
        let (mut height, mut gradient) = (0.0, vec![0.0; size]);
        let mut curvature = vec![vec![0.0; size]; size];
        for e in &self.counts {
            let half = (point[e.first] - point[e.second]) / 2.0;
            let top = half.abs();
            let draw_log = if self.with_draws {
                point[self.players]
            } else {
                f64::NEG_INFINITY
            };
            let top = top.max(draw_log);
            let (win, loss, draw) = (
                (half - top).exp(),
                (-half - top).exp(),
                (draw_log - top).exp(),
            );
            let sum = win + loss + draw;
            let (win, loss, draw) = (win / sum, loss / sum, draw / sum);
            let games = e.wins + e.draws + e.losses;
            let drawn = if e.draws > 0.0 {
                e.draws * draw_log
            } else {
                0.0
            };
            height += (e.wins - e.losses) * half + drawn - games * (top + sum.ln());

            // With x = r_i - r_j and y = ln v: derivatives of the logarithm of the sum.
            let slope_x = (e.wins - e.losses) / 2.0 - games * (win - loss) / 2.0;
            gradient[e.first] += slope_x;
            gradient[e.second] -= slope_x;
            let bend_x = games * ((win + loss) - (win - loss).powi(2)) / 4.0;
            curvature[e.first][e.first] += bend_x;
            curvature[e.second][e.second] += bend_x;
            curvature[e.first][e.second] -= bend_x;
            curvature[e.second][e.first] -= bend_x;
            if self.with_draws {
                let y = self.players;
                gradient[y] += e.draws - games * draw;
                curvature[y][y] += games * draw * (1.0 - draw);
                let bend = -games * draw * (win - loss) / 2.0;
                for (player, sign) in [(e.first, 1.0), (e.second, -1.0)] {
                    curvature[y][player] += sign * bend;
                    curvature[player][y] += sign * bend;
                }
            }
        }
        // The games do not determine the average: hold it at 0, and likewise the strength of every player without games.
        for row in curvature.iter_mut().take(self.players) {
            for cell in row.iter_mut().take(self.players) {
                *cell += 1.0;
            }
        }
        for (player, row) in curvature.iter_mut().enumerate().take(self.players) {
            if self.is_idle(player) {
                row[player] += 1.0;
            }
        }
        (height, gradient, curvature)
    }

    /// Newton's method; the step is halved until the likelihood does not decrease.
    fn climb(&self) -> (Vec<f64>, Vec<Vec<f64>>) {
        let mut point = vec![0.0; self.size()];
        let (mut height, mut gradient, mut curvature) = self.look(&point);
        for _ in 0..200 {
            let Some(step) = solve(&curvature, &gradient) else {
                break;
            };
            let mut share = 1.0;
            let mut better = None;
            while share > 1e-6 {
                let next: Vec<f64> = point
                    .iter()
                    .zip(&step)
                    .map(|(at, step)| at + share * step.clamp(-4.0, 4.0))
                    .collect();
                let look = self.look(&next);
                if look.0 >= height {
                    better = Some((next, look));
                    break;
                }
                share /= 2.0;
            }
            let Some((next, look)) = better else {
                break;
            };
            let moved = next
                .iter()
                .zip(&point)
                .fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
            point = next;
            (height, gradient, curvature) = look;
            if moved < 1e-10 {
                break;
            }
        }
        (point, curvature)
    }

    /// Standard errors of the strengths relative to their average.
    fn errors(&self, curvature: &[Vec<f64>]) -> Vec<f64> {
        let n = self.players as f64;
        (0..self.players)
            .map(|player| {
                if self.is_idle(player) {
                    return f64::INFINITY;
                }
                let mut unit = vec![0.0; self.size()];
                unit[player] = 1.0;
                // Subtracts what holding the average at 0 added to the inverse.
                solve(curvature, &unit).map_or(f64::INFINITY, |column| {
                    (column[player] - 1.0 / (n * n)).max(0.0).sqrt()
                })
            })
            .collect()
    }
}

/// Solves a system of linear equations by elimination; `None` if it has no unique solution.
fn solve(matrix: &[Vec<f64>], right: &[f64]) -> Option<Vec<f64>> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = matrix
        .iter()
        .zip(right)
        .map(|(row, value)| row.iter().copied().chain([*value]).collect())
        .collect();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        let head = rows[column].clone();
        if head[column].abs() < 1e-12 {
            return None;
        }
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column {
                let factor = row[column] / head[column];
                for (cell, top) in row.iter_mut().zip(&head).skip(column) {
                    *cell -= factor * top;
                }
            }
        }
    }
    Some((0..n).map(|i| rows[i][n] / rows[i][i]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::{EloModel, Tally, elo, logistic_elo};

    fn meet(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Encounter {
        Encounter {
            first,
            second,
            wins,
            draws,
            losses,
        }
    }

    fn near(value: f64, expected: f64, tolerance: f64) {
        assert!(
            (value - expected).abs() < tolerance,
            "{value} is not {expected}"
        );
    }

    /// Two players and no draws: the difference is the logistic Elo of the score, and the error of the
    /// difference is 1.96 sqrt(1/30 + 1/10) ELO; a rating relative to the average has half of both.
    #[test]
    fn two_players_by_hand() {
        let fit = fit_ratings(2, &[meet(0, 1, 30, 0, 10)]);
        assert!(!fit.padded);
        near(fit.ratings[0].elo, logistic_elo(0.75) / 2.0, 1e-6);
        near(fit.ratings[1].elo, -logistic_elo(0.75) / 2.0, 1e-6);
        let error = Z95 * (1.0f64 / 30.0 + 0.1).sqrt() * ELO / 2.0;
        near(fit.ratings[0].error, error, 1e-6);
    }

    /// Two players with draws: wins to losses are e^x, so x = ln 4 for 40 : 10, whatever the draws.
    #[test]
    fn draws_by_hand() {
        for draws in [1, 20, 300] {
            let fit = fit_ratings(2, &[meet(0, 1, 40, draws, 10)]);
            near(
                fit.ratings[0].elo - fit.ratings[1].elo,
                4f64.ln() * ELO,
                1e-5,
            );
        }
    }

    #[test]
    fn a_chain_adds_up() {
        let games = [meet(0, 1, 30, 0, 10), meet(2, 1, 10, 0, 30)];
        let fit = fit_ratings(3, &games);
        near(
            fit.ratings[0].elo - fit.ratings[2].elo,
            2.0 * logistic_elo(0.75),
            1e-5,
        );
        near(fit.ratings.iter().map(|r| r.elo).sum::<f64>(), 0.0, 1e-6);
    }

    #[test]
    fn a_clean_sweep_is_padded() {
        let fit = fit_ratings(3, &[meet(0, 1, 10, 0, 0), meet(1, 2, 5, 2, 5)]);
        assert!(fit.padded);
        assert!(
            fit.ratings
                .iter()
                .all(|r| r.elo.is_finite() && r.error.is_finite())
        );
        assert!(fit.ratings[0].elo > fit.ratings[1].elo);
    }

    #[test]
    fn no_players_and_no_games() {
        assert!(fit_ratings(0, &[]).ratings.is_empty());
        let idle = fit_ratings(2, &[meet(0, 0, 3, 3, 3), meet(0, 9, 1, 1, 1)]);
        assert!(
            idle.ratings
                .iter()
                .all(|r| r.elo == 0.0 && r.error.is_infinite())
        );
        let fit = fit_ratings(3, &[meet(0, 1, 2, 1, 1)]);
        near(fit.ratings[2].elo, 0.0, 1e-9);
        assert!(fit.ratings[2].error.is_infinite());
    }

    /// The error of the fit is about that of the match itself.
    #[test]
    fn errors_agree_with_the_match() {
        let fit = fit_ratings(2, &[meet(0, 1, 300, 0, 200)]);
        let own = elo(&Tally::of_games(300, 0, 200), EloModel::Logistic)
            .error
            .expect("finite");
        near(2.0 * fit.ratings[0].error, own, 0.01 * own);
    }
}
