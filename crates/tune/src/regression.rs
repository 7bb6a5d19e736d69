//! Logistic regression of results on a quadratic function, with draws and a weak prior.
//!
//! The function `q` is the logit: a game is won with probability `s(q - d)`, lost with `s(-q - d)` and
//! otherwise drawn, where `s(t) = 1 / (1 + exp(-t))` and `d >= 0` is the draw margin, which is also estimated
//! and is 0 if there are no draws. The log-likelihood is concave in `q` and `d` together, so
//! Newton's method finds the only maximum.

use crate::cholesky;

/// Results of games that were played at one point of the scaled space, every coordinate from -1 to 1.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The point.
    pub x: Vec<f64>,
    /// Games won there.
    pub wins: u32,
    /// Games drawn there.
    pub draws: u32,
    /// Games lost there.
    pub losses: u32,
}

impl Sample {
    /// The number of games played.
    pub fn games(&self) -> u32 {
        self.wins + self.draws + self.losses
    }
}

/// The variance of the prior of every coefficient.
const PRIOR_VARIANCE: f64 = 100.0;

/// A full quadratic function of the scaled parameters: the logit of winning.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadratic {
    dims: usize,
    /// The constant, the linear terms, then the products `x[i] * x[j]` with `i <= j`, by `i`.
    coefficients: Vec<f64>,
    /// The draw margin.
    pub draw_margin: f64,
}

/// The number of coefficients of a full quadratic function.
pub fn terms(dims: usize) -> usize {
    1 + dims + dims * (dims + 1) / 2
}

/// Appends the terms of a point to `row`.
fn push_terms(x: &[f64], row: &mut Vec<f64>) {
    row.push(1.0);
    row.extend_from_slice(x);
    for (i, first) in x.iter().enumerate() {
        row.extend(x[i..].iter().map(|second| first * second));
    }
}

fn logistic(t: f64) -> f64 {
    1.0 / (1.0 + (-t).exp())
}

/// `ln(1 / (1 + exp(-t)))` without overflow.
fn ln_logistic(t: f64) -> f64 {
    t.min(0.0) - (-t.abs()).exp().ln_1p()
}

impl Quadratic {
    /// A function with these coefficients: constant, linear terms, products `x[i] * x[j]` with `i <= j`.
    ///
    /// # Panics
    /// If there are not [`terms`]`(dims)` of them.
    pub fn new(dims: usize, coefficients: Vec<f64>) -> Self {
        assert_eq!(coefficients.len(), terms(dims), "coefficients");
        Quadratic {
            dims,
            coefficients,
            draw_margin: 0.0,
        }
    }

    /// The value at a point.
    pub fn at(&self, x: &[f64]) -> f64 {
        let (linear, mut products) = self.coefficients[1..].split_at(self.dims);
        let mut sum = self.coefficients[0];
        for (i, first) in x.iter().enumerate() {
            let (row, rest) = products.split_at(self.dims - i);
            let inner: f64 = row.iter().zip(&x[i..]).map(|(c, second)| c * second).sum();
            sum += first * (linear[i] + inner);
            products = rest;
        }
        sum
    }

    /// The expected score at a point: wins and half of the draws.
    pub fn score(&self, x: &[f64]) -> f64 {
        let q = self.at(x);
        (logistic(q - self.draw_margin) + logistic(q + self.draw_margin)) / 2.0
    }

    /// A point of the box from -1 to 1 where the function is largest, by climbing along one coordinate after
    /// the other from the middle and from every corner (of the first ten coordinates).
    pub fn highest(&self) -> Vec<f64> {
        let corners = 1_u32 << self.dims.min(10);
        let starts = (0..corners).map(|corner| {
            (0..self.dims)
                .map(|i| {
                    if corner >> i.min(31) & 1 == 1 {
                        1.0
                    } else {
                        -1.0
                    }
                })
                .collect()
        });
        let climbed = std::iter::once(vec![0.0; self.dims])
            .chain(starts)
            .map(|start| self.climb(start));
        let best = climbed.max_by(|a, b| a.1.total_cmp(&b.1));
        best.map_or_else(|| vec![0.0; self.dims], |(x, _)| x)
    }

    fn climb(&self, mut x: Vec<f64>) -> (Vec<f64>, f64) {
        let mut height = self.at(&x);
        for _ in 0..200 {
            for i in 0..self.dims {
                let value = |t: f64| {
                    let mut y = x.clone();
                    y[i] = t;
                    self.at(&y)
                };
                // Along one coordinate the function is a parabola, which three values determine.
                let (left, middle, right) = (value(-1.0), value(0.0), value(1.0));
                let (slope, bend) = ((right - left) / 2.0, (right + left) / 2.0 - middle);
                x[i] = match bend < 0.0 {
                    true => (-slope / (2.0 * bend)).clamp(-1.0, 1.0),
                    false if left > right => -1.0,
                    false => 1.0,
                };
            }
            let higher = self.at(&x);
            if higher - height < 1e-12 {
                break;
            }
            height = higher;
        }
        let height = self.at(&x);
        (x, height)
    }
}

/// One coefficient vector's objective, gradient and curvature.
struct Slopes {
    objective: f64,
    gradient: Vec<f64>,
    /// The negative second derivatives, row by row; only the lower triangle.
    curvature: Vec<f64>,
}

/// The regression of weighted samples; `rows` are their terms.
struct Problem<'a> {
    samples: &'a [Sample],
    weights: &'a [f64],
    rows: &'a [f64],
    terms: usize,
    has_draws: bool,
}

/// Smaller weights are ignored.
const NEGLIGIBLE: f64 = 1e-12;

impl Problem<'_> {
    /// The slopes at coefficients `at`, whose last entry is the draw margin if there are draws.
    fn slopes(&self, at: &[f64]) -> Slopes {
        let size = at.len();
        let terms = self.terms;
        let margin = if self.has_draws { at[terms] } else { 0.0 };
        let mut objective = 0.0;
        let mut gradient = vec![0.0; size];
        let mut curvature = vec![0.0; size * size];
        let rows = self.rows.chunks_exact(terms);
        for ((sample, &weight), row) in self.samples.iter().zip(self.weights).zip(rows) {
            if weight < NEGLIGIBLE {
                continue;
            }
            let q: f64 = row.iter().zip(at).map(|(term, c)| term * c).sum();
            let part = Part::of(sample, q, margin);
            objective += weight * part.objective;
            let (slope, bend) = (weight * part.dq, weight * part.qq);
            for (i, &term) in row.iter().enumerate() {
                gradient[i] += slope * term;
                let scaled = bend * term;
                let line = &mut curvature[i * size..i * size + i + 1];
                for (entry, other) in line.iter_mut().zip(row) {
                    *entry += scaled * other;
                }
            }
            if self.has_draws {
                gradient[terms] += weight * part.dd;
                let line = &mut curvature[terms * size..];
                for (entry, term) in line.iter_mut().zip(row) {
                    *entry += weight * part.qd * term;
                }
                curvature[terms * size + terms] += weight * part.bend_d;
            }
        }
        for (i, c) in at.iter().enumerate().take(terms) {
            objective -= c * c / (2.0 * PRIOR_VARIANCE);
            gradient[i] -= c / PRIOR_VARIANCE;
            curvature[i * size + i] += 1.0 / PRIOR_VARIANCE;
        }
        Slopes {
            objective,
            gradient,
            curvature,
        }
    }

    fn solve(&self, mut at: Vec<f64>) -> Vec<f64> {
        let mut here = self.slopes(&at);
        for _ in 0..50 {
            let Some(step) = cholesky::solve(here.curvature.clone(), here.gradient.clone()) else {
                break;
            };
            let mut share = 1.0;
            let moved = loop {
                let next: Vec<f64> = at.iter().zip(&step).map(|(c, s)| c + share * s).collect();
                let margin_is_good = !self.has_draws || next[self.terms] > 0.0;
                if margin_is_good {
                    let there = self.slopes(&next);
                    if there.objective >= here.objective - 1e-9 {
                        break Some((next, there));
                    }
                }
                share /= 2.0;
                if share < 1e-6 {
                    break None;
                }
            };
            let Some((next, there)) = moved else {
                break;
            };
            (at, here) = (next, there);
            if share * step.iter().fold(0.0_f64, |most, s| most.max(s.abs())) < 1e-6 {
                break;
            }
        }
        at
    }
}

/// The contribution of one sample's games: the log-likelihood, its first derivatives by `q` and the draw margin, and its
/// negative second derivatives.
struct Part {
    objective: f64,
    dq: f64,
    dd: f64,
    qq: f64,
    qd: f64,
    bend_d: f64,
}

impl Part {
    fn of(sample: &Sample, q: f64, margin: f64) -> Part {
        let (wins, draws, losses) = (
            f64::from(sample.wins),
            f64::from(sample.draws),
            f64::from(sample.losses),
        );
        let (up, down) = (logistic(q - margin), logistic(-q - margin));
        let (up_bend, down_bend) = (up * (1.0 - up), down * (1.0 - down));
        let (won, lost) = (wins * (1.0 - up), losses * (1.0 - down));
        let mut part = Part {
            objective: wins * ln_logistic(q - margin) + losses * ln_logistic(-q - margin),
            dq: won - lost,
            dd: -won - lost,
            qq: wins * up_bend + losses * down_bend,
            qd: losses * down_bend - wins * up_bend,
            bend_d: wins * up_bend + losses * down_bend,
        };
        if draws > 0.0 {
            // s(q + d) - s(q - d) = s(q + d) s(d - q) (1 - exp(-2 d)); the slopes of the first two factors
            // are the complements `down` and `up`.
            let grown = (2.0 * margin).exp_m1();
            part.objective += draws
                * (ln_logistic(q + margin)
                    + ln_logistic(margin - q)
                    + (-(-2.0 * margin).exp_m1()).ln());
            part.dq += draws * (down - up);
            part.dd += draws * (down + up + 2.0 / grown);
            part.qq += draws * (up_bend + down_bend);
            part.qd += draws * (down_bend - up_bend);
            part.bend_d += draws * (up_bend + down_bend + 4.0 * (grown + 1.0) / (grown * grown));
        }
        part
    }
}

/// The most likely function for weighted samples, given the prior. `start` may be an earlier fit.
pub fn fit(
    dims: usize,
    samples: &[Sample],
    weights: &[f64],
    start: Option<&Quadratic>,
) -> Quadratic {
    let rows = rows(dims, samples);
    fit_rows(dims, samples, weights, &rows, start)
}

/// The terms of all samples, one after the other.
pub(crate) fn rows(dims: usize, samples: &[Sample]) -> Vec<f64> {
    let mut rows = Vec::with_capacity(samples.len() * terms(dims));
    for sample in samples {
        push_terms(&sample.x[..dims], &mut rows);
    }
    rows
}

pub(crate) fn fit_rows(
    dims: usize,
    samples: &[Sample],
    weights: &[f64],
    rows: &[f64],
    start: Option<&Quadratic>,
) -> Quadratic {
    let drawn = |(sample, weight): (&Sample, &f64)| sample.draws > 0 && *weight >= NEGLIGIBLE;
    let has_draws = samples.iter().zip(weights).any(drawn);
    let problem = Problem {
        samples,
        weights,
        rows,
        terms: terms(dims),
        has_draws,
    };
    let mut at = start.map_or_else(|| vec![0.0; terms(dims)], |q| q.coefficients.clone());
    if has_draws {
        let margin = start.map_or(0.0, |q| q.draw_margin);
        at.push(if margin > 0.0 { margin } else { 0.5 });
    }
    let mut coefficients = problem.solve(at);
    let draw_margin = match has_draws {
        true => coefficients.pop().unwrap_or_default(),
        false => 0.0,
    };
    Quadratic {
        dims,
        coefficients,
        draw_margin,
    }
}

/// The logit of the weighted mean result, and the standard deviation of that estimate: the regression on a
/// constant and the curvature at its maximum.
pub fn mean(samples: &[Sample], weights: &[f64]) -> (f64, f64) {
    let rows = vec![1.0; samples.len()];
    let constant = fit_rows(0, samples, weights, &rows, None);
    let q = constant.coefficients[0];
    let bends = samples.iter().zip(weights);
    let bend: f64 = bends
        .map(|(sample, weight)| weight * Part::of(sample, q, constant.draw_margin).qq)
        .sum();
    (q, 1.0 / (bend + 1.0 / PRIOR_VARIANCE).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalahari_search::Rng;

    fn games(count: usize, seed: u64, truth: &Quadratic) -> Vec<Sample> {
        let mut rng = Rng::new(seed);
        let one = |_| {
            let x: Vec<f64> = (0..truth.dims).map(|_| 2.0 * rng.unit() - 1.0).collect();
            let (q, luck) = (truth.at(&x), rng.unit());
            let (win, loss) = (
                logistic(q - truth.draw_margin),
                logistic(-q - truth.draw_margin),
            );
            Sample {
                x,
                wins: u32::from(luck < win),
                losses: u32::from(luck > 1.0 - loss),
                draws: u32::from(luck >= win && luck <= 1.0 - loss),
            }
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn recovers_coefficients_and_the_draw_margin() {
        let mut truth = Quadratic::new(2, vec![0.3, 0.5, -0.4, -1.0, 0.7, -1.2]);
        for margin in [0.0, 0.4] {
            truth.draw_margin = margin;
            let samples = games(60_000, 5, &truth);
            let found = fit(2, &samples, &vec![1.0; samples.len()], None);
            for (a, b) in found.coefficients.iter().zip(&truth.coefficients) {
                assert!((a - b).abs() < 0.1, "{found:?}");
            }
            assert!((found.draw_margin - margin).abs() < 0.02, "{found:?}");
        }
    }

    #[test]
    fn slopes_are_those_of_the_objective() {
        let samples: Vec<Sample> = [(0.5, 2, 1, 0), (-0.3, 0, 1, 2), (0.1, 1, 0, 1)]
            .map(|(x, wins, draws, losses)| Sample {
                x: vec![x],
                wins,
                draws,
                losses,
            })
            .to_vec();
        let rows = rows(1, &samples);
        let problem = Problem {
            samples: &samples,
            weights: &[1.0, 0.5, 0.25],
            rows: &rows,
            terms: 3,
            has_draws: true,
        };
        let at = [0.2, -0.7, 0.4, 0.6];
        let here = problem.slopes(&at);
        let step = 1e-5;
        for i in 0..4 {
            let moved = |by: f64| {
                let mut other = at;
                other[i] += by;
                problem.slopes(&other)
            };
            let (more, less) = (moved(step), moved(-step));
            let slope = (more.objective - less.objective) / (2.0 * step);
            assert!((slope - here.gradient[i]).abs() < 1e-6, "{i}");
            for j in 0..=i {
                let bend = (more.gradient[j] - less.gradient[j]) / (2.0 * step);
                assert!((bend + here.curvature[i * 4 + j]).abs() < 1e-6, "{i} {j}");
            }
        }
    }

    #[test]
    fn the_mean_is_the_logit_with_its_deviation() {
        let sample = Sample {
            x: vec![],
            wins: 75,
            draws: 0,
            losses: 25,
        };
        let (mean, deviation) = mean(&[sample], &[1.0]);
        assert!((mean - 3.0_f64.ln()).abs() < 0.01, "{mean}");
        assert!((deviation - (1.0_f64 / (100.0 * 0.1875)).sqrt()).abs() < 0.01);
    }

    #[test]
    fn the_highest_point_is_found_inside_and_at_the_border() {
        let inside = Quadratic::new(2, vec![0.0, 0.5, -0.3, -1.0, 0.0, -1.0]).highest();
        assert!((inside[0] - 0.25).abs() < 1e-5 && (inside[1] + 0.15).abs() < 1e-5);
        let saddle = Quadratic::new(2, vec![0.0, 0.1, 0.0, 1.0, 0.0, -1.0]).highest();
        assert!((saddle[0] - 1.0).abs() < 1e-9 && saddle[1].abs() < 1e-5);
    }

    #[test]
    fn one_sided_results_stay_finite() {
        let samples = vec![
            Sample {
                x: vec![0.5],
                wins: 3,
                draws: 0,
                losses: 0
            };
            50
        ];
        let found = fit(1, &samples, &[1.0; 50], None);
        assert!(found.coefficients.iter().all(|c| c.is_finite()));
        assert!(found.at(&[0.5]) > 3.0);
    }
}
