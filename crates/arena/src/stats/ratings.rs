//! Ratings of many players from all their games at once: the maximum-likelihood fit of Davidson's model.
//!
//! Player i has a strength r_i (natural logarithm of odds). With x = r_i - r_j, a win, a draw and a loss of
//! i against j are as likely as e^(x/2) : v : e^(-x/2). Without any draws v is 0 and this is the model of
//! Bradley and Terry. The log-likelihood is concave, so there is one best fit, if there is a finite one at all: see
//! [`fit_ratings`]. The games say nothing about players of different groups that have not met, not even by a chain of
//! others: all groups are fitted together with one v, and the average of each is 0.

use super::finite::{group_of, is_finite};
use super::normal::Z95;
use std::collections::BTreeMap;

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
    /// Elo relative to the average of the player's group, which is 0.
    pub elo: f64,
    /// Half the width of the 95% interval.
    pub error: f64,
}

/// The ratings of all players.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// A rating for every player.
    pub ratings: Vec<Rating>,
    /// Whether half a win and half a loss had to be added for every two players who met, because otherwise a player (one
    /// that never lost, for example) would have no finite rating.
    pub padded: bool,
    /// Into how many groups the players with games fall that have not met. Ratings can be compared if it is 1.
    pub groups: usize,
    /// How likely draws are: the `v` of the model, 0 where there are none.
    pub draws: f64,
}

/// Elo per unit of the natural logarithm of odds.
pub(super) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// Fits the ratings of `players` players. Encounters of unknown players or of a player with itself are
/// ignored; a player without games gets 0 with an infinite error. All other ratings and errors are finite.
///
/// Where the results alone give no finite ratings, half a win and half a loss are added for every two players who met. That
/// is as many points as a draw, and always enough: a win and a loss of the same two let neither their difference nor v grow.
pub fn fit_ratings(players: usize, encounters: &[Encounter]) -> Fit {
    let encounters = merged(players, encounters);
    let group_of = group_of(players, &encounters);
    let padded = !is_finite(&group_of, &encounters);
    let mut counts: Vec<Counts> = encounters.iter().map(Counts::new).collect();
    if padded {
        for count in &mut counts {
            count.wins += 0.5;
            count.losses += 0.5;
        }
    }
    let model = Model::new(group_of, counts);
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
    let leads = |player: &usize| model.group_of[*player] == *player && !model.is_idle(*player);
    Fit {
        ratings,
        padded,
        groups: (0..players).filter(leads).count(),
        draws: point.get(players).map_or(0.0, |log| log.exp()),
    }
}

/// What a reader of ratings must know about their [`Fit`], one sentence each without a full stop.
pub fn rating_notes(padded: bool, groups: usize) -> Vec<String> {
    let mut notes = Vec::new();
    if padded {
        notes.push(
            "from the games alone not all ratings are finite (an agent has never lost, for example), so ratings count half a \
             win and half a loss more for every two agents that met"
                .to_owned(),
        );
    }
    if groups > 1 {
        notes.push(format!(
            "these agents fall into {groups} groups that have not met; ratings of different groups cannot be compared"
        ));
    }
    notes
}

/// All games of every two known players as one encounter.
fn merged(players: usize, encounters: &[Encounter]) -> Vec<Encounter> {
    let mut met: BTreeMap<(usize, usize), Encounter> = BTreeMap::new();
    for e in encounters {
        if e.first >= players || e.second >= players || e.first == e.second || total(e) == 0 {
            continue;
        }
        let (first, second, wins, losses) = match e.first < e.second {
            true => (e.first, e.second, e.wins, e.losses),
            false => (e.second, e.first, e.losses, e.wins),
        };
        let sum = met.entry((first, second)).or_insert(Encounter {
            first,
            second,
            wins: 0,
            draws: 0,
            losses: 0,
        });
        sum.wins += wins;
        sum.draws += e.draws;
        sum.losses += losses;
    }
    met.into_values().collect()
}

fn total(encounter: &Encounter) -> u64 {
    encounter.wins + encounter.draws + encounter.losses
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
    /// The group of every player.
    group_of: Vec<usize>,
    counts: Vec<Counts>,
    with_draws: bool,
}

impl Model {
    fn new(group_of: Vec<usize>, counts: Vec<Counts>) -> Self {
        Model {
            players: group_of.len(),
            group_of,
            with_draws: counts.iter().any(|count| count.draws > 0.0),
            counts,
        }
    }

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
        // The games do not determine the average of a group: hold it at 0. A player without games is a group of its own.
        for (row, group) in curvature.iter_mut().zip(&self.group_of) {
            for (cell, other) in row.iter_mut().zip(&self.group_of) {
                if group == other {
                    *cell += 1.0;
                }
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
            // A long step is shortened as a whole: it keeps its direction, and the averages at 0.
            let longest = step.iter().fold(0.0_f64, |most, step| most.max(step.abs()));
            let mut share = (4.0 / longest).min(1.0);
            let mut better = None;
            while share > 1e-6 {
                let next: Vec<f64> = point
                    .iter()
                    .zip(&step)
                    .map(|(at, step)| at + share * step)
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

    /// Standard errors of the strengths relative to the average of their group.
    fn errors(&self, curvature: &[Vec<f64>]) -> Vec<f64> {
        (0..self.players)
            .map(|player| {
                if self.is_idle(player) {
                    return f64::INFINITY;
                }
                let group = self.group_of[player];
                let n = self
                    .group_of
                    .iter()
                    .filter(|other| **other == group)
                    .count() as f64;
                let mut unit = vec![0.0; self.size()];
                unit[player] = 1.0;
                // Subtracts what holding the average of the group at 0 added to the inverse.
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
    use kalahari_search::Rng;

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

    /// Ten wins and half a win against half a loss. Draws do not matter: 5.5 against 0.5 is the same with any number of them.
    #[test]
    fn padding_by_hand() {
        let apart = |fit: &Fit| fit.ratings[0].elo - fit.ratings[1].elo;
        let fit = fit_ratings(2, &[meet(0, 1, 10, 0, 0)]);
        assert!(fit.padded);
        near(apart(&fit), 400.0 * 21f64.log10(), 1e-6);
        near(apart(&fit), 528.9, 0.05);
        assert_eq!(fit.draws, 0.0);
        for draws in [1, 7, 100] {
            let fit = fit_ratings(2, &[meet(0, 1, 5, draws, 0)]);
            assert!(fit.padded, "{draws}");
            near(apart(&fit), 400.0 * 11f64.log10(), 1e-5);
            assert!(fit.ratings[0].error.is_finite());
        }
        let drawn = fit_ratings(2, &[meet(0, 1, 0, 9, 0)]);
        assert!(drawn.padded && drawn.ratings[0].error.is_finite());
        near(drawn.draws, 18.0, 1e-6);
    }

    /// Nothing depends on how the games of two players are divided into encounters, or on who is named first.
    #[test]
    fn encounters_of_the_same_players_are_one() {
        let once = fit_ratings(3, &[meet(0, 1, 3, 1, 0), meet(1, 2, 2, 0, 0)]);
        let split = fit_ratings(
            3,
            &[
                meet(0, 1, 1, 0, 0),
                meet(1, 0, 0, 1, 2),
                meet(1, 2, 1, 0, 0),
                meet(2, 1, 0, 0, 1),
            ],
        );
        assert_eq!(once, split);
    }

    /// Two groups: each is as if it were alone, if there are no draws, and its average is 0.
    #[test]
    fn groups_that_have_not_met() {
        let fit = fit_ratings(5, &[meet(0, 3, 30, 0, 10), meet(1, 4, 8, 0, 4)]);
        assert_eq!((fit.groups, fit.padded), (2, false));
        near(fit.ratings[0].elo, logistic_elo(0.75) / 2.0, 1e-6);
        near(fit.ratings[3].elo, -logistic_elo(0.75) / 2.0, 1e-6);
        near(fit.ratings[1].elo, 2f64.ln() * ELO / 2.0, 1e-6);
        let alone = fit_ratings(2, &[meet(0, 1, 8, 0, 4)]);
        assert_eq!(alone.groups, 1);
        near(fit.ratings[4].error, alone.ratings[1].error, 1e-6);
        assert_eq!(fit.ratings[2].elo, 0.0);
        assert!(fit.ratings[2].error.is_infinite());
        // The draws of one group bound those of the other: v is the same for both.
        let both = [meet(0, 1, 5, 7, 5), meet(2, 3, 0, 6, 0)];
        assert!(!fit_ratings(4, &both).padded);
        assert!(fit_ratings(2, &[meet(0, 1, 0, 6, 0)]).padded);
        assert!(!fit_ratings(4, &[both[0], meet(2, 3, 1, 6, 0)]).padded);
        assert!(fit_ratings(4, &[both[0], meet(2, 3, 1, 0, 0)]).padded);
    }

    #[test]
    fn notes_say_what_was_done() {
        assert!(rating_notes(false, 1).is_empty());
        assert!(rating_notes(true, 0)[0].contains("half a win and half a loss"));
        assert!(rating_notes(false, 3)[0].contains("fall into 3 groups that have not met"));
    }

    /// A slow check of [`is_finite`], by its definition: whether there is a direction without loss, among all with small
    /// whole numbers.
    fn may_grow(players: usize, encounters: &[Encounter]) -> bool {
        let with_draws = encounters.iter().any(|e| e.draws > 0);
        let most = players as i64;
        (0..most.pow(players as u32)).any(|code| {
            let d = |player: usize| code / most.pow(player as u32) % most;
            (0..=i64::from(with_draws)).any(|twice_c| {
                let moves = twice_c > 0 || encounters.iter().any(|e| d(e.first) != d(e.second));
                moves
                    && encounters.iter().all(|e| {
                        let x = d(e.first) - d(e.second);
                        (e.wins == 0 || x >= twice_c)
                            && (e.losses == 0 || -x >= twice_c)
                            && (e.draws == 0 || x.abs() <= twice_c)
                    })
            })
        })
    }

    /// The largest parameter of the best fit of the games alone, if every parameter costs a share of its square.
    fn reach(players: usize, encounters: &[Encounter], cost: f64) -> f64 {
        let counts = encounters.iter().map(Counts::new).collect();
        let model = Model::new(group_of(players, encounters), counts);
        let mut point = vec![0.0; model.size()];
        let look = |point: &[f64]| {
            let (height, mut gradient, mut curvature) = model.look(point);
            let squares: f64 = point.iter().map(|at| at * at).sum();
            for (number, at) in point.iter().enumerate() {
                gradient[number] -= cost * at;
                curvature[number][number] += cost;
            }
            (height - cost * squares / 2.0, gradient, curvature)
        };
        for _ in 0..2000 {
            let (height, gradient, curvature) = look(&point);
            let step = solve(&curvature, &gradient).expect("strictly concave");
            let longest = step.iter().fold(0.0_f64, |most, at| most.max(at.abs()));
            let mut share = (1.0 / longest).min(1.0);
            loop {
                let next: Vec<f64> = point
                    .iter()
                    .zip(&step)
                    .map(|(at, by)| at + share * by)
                    .collect();
                if share < 1e-9 || look(&next).0 >= height {
                    point = next;
                    break;
                }
                share /= 2.0;
            }
            if longest < 1e-9 {
                break;
            }
        }
        point.iter().fold(0.0_f64, |most, at| most.max(at.abs()))
    }

    /// A small random tournament, often with few draws or none.
    fn random_games(rng: &mut Rng) -> (usize, Vec<Encounter>) {
        let mut below = |n: u64| rng.next_u64() % n;
        let players = 2 + below(4) as usize;
        let draws = below(3);
        let mut games = Vec::new();
        for first in 0..players {
            for second in first + 1..players {
                if below(3) > 0 {
                    let [wins, losses] = [below(3), below(3)].map(|n| n.saturating_sub(below(2)));
                    let drawn = below(1 + draws);
                    games.push(meet(first, second, wins, drawn, losses));
                }
            }
        }
        (players, merged(players, &games))
    }

    /// The exact condition agrees with the slow check and with what the likelihood does: without a finite maximum, the best
    /// fit moves away as its cost vanishes.
    #[test]
    fn finite_or_not() {
        let mut rng = Rng::new(3);
        let mut seen = [0; 2];
        for number in 0..600 {
            let (players, games) = random_games(&mut rng);
            let finite = is_finite(&group_of(players, &games), &games);
            assert_eq!(finite, !may_grow(players, &games), "{games:?}");
            if number % 3 == 0 {
                let [near, far] = [1e-5, 1e-8].map(|cost| reach(players, &games, cost));
                assert_eq!(finite, far - near < 0.1, "{near} {far} {games:?}");
            }
            seen[usize::from(finite)] += 1;
        }
        assert!(seen.iter().all(|count| *count > 50), "{seen:?}");
    }

    /// Every fit is at a maximum, its errors are finite for all who played, and the average of every group is 0.
    #[test]
    fn every_fit_is_whole() {
        let mut rng = Rng::new(4);
        for _ in 0..2000 {
            let (players, games) = random_games(&mut rng);
            let fit = fit_ratings(players, &games);
            let mut counts: Vec<Counts> = games.iter().map(Counts::new).collect();
            if fit.padded {
                for count in &mut counts {
                    count.wins += 0.5;
                    count.losses += 0.5;
                }
            }
            let model = Model::new(group_of(players, &games), counts);
            let mut point: Vec<f64> = fit.ratings.iter().map(|r| r.elo / ELO).collect();
            point.extend(model.with_draws.then(|| fit.draws.ln()));
            let (_, gradient, _) = model.look(&point);
            assert!(
                gradient.iter().all(|slope| slope.abs() < 1e-6),
                "{gradient:?} {games:?}"
            );
            for player in 0..players {
                let Rating { elo, error } = fit.ratings[player];
                assert!(elo.abs() < 3000.0, "{fit:?} {games:?}");
                assert_eq!(
                    error.is_finite(),
                    !model.is_idle(player),
                    "{fit:?} {games:?}"
                );
                let own = (0..players).filter(|p| model.group_of[*p] == model.group_of[player]);
                near(own.map(|p| fit.ratings[p].elo).sum(), 0.0, 1e-6);
            }
        }
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
