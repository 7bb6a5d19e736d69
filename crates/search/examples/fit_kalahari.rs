//! Fits the weights of the evaluation `kalahari` and prints its parameter file.
//!
//! ```sh
//! cargo run --release -p kalahari-search --example fit_kalahari -- 60000 11 7 > crates/search/params/kalahari.txt
//! ```
//!
//! The arguments are the number of positions, the depth of the searches and the seed. Positions come from
//! games in which a quarter of the moves are random. The engine searches each of them, so that positions with
//! few seeds get their exact value and the others a deep one; a ridge regression then finds the weights
//! that come closest to those values. Run it again with the new weights until they stay as they are.

use kalahari_games::Game;
use kalahari_games::kalah::{Board, Kalah, Packed, Pit};
use kalahari_search::engine::{Engine, EngineOptions};
use kalahari_search::eval::{FEATURES, features};
use kalahari_search::{Agent, Report, Rng, Task};
use kalahari_terms::{Limits, Stop};

/// Unknowns: a weight with no seeds in play and the change to 72, for every feature.
const SIZE: usize = 2 * FEATURES.len();

/// The seeds in play at which the second weight holds.
const MANY: f64 = 72.0;

/// Sums of a least squares problem: the matrix and the right-hand side.
struct Sums {
    matrix: Vec<[f64; SIZE]>,
    right: [f64; SIZE],
    count: usize,
    /// The sum of the squares of the targets.
    squares: f64,
}

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|word| word.parse().ok())
        .collect();
    let number = |i: usize, default: u64| numbers.get(i).copied().unwrap_or(default);
    let (count, depth, rng_seed) = (number(0, 20_000), number(1, 9) as u32, number(2, 1));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<Sums> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads as u64)
            .map(|n| {
                scope.spawn(move || {
                    collect(
                        count / threads as u64,
                        depth,
                        rng_seed.wrapping_mul(1_000) + n,
                    )
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a worker finishes"))
            .collect()
    });
    let mut all = Sums::new();
    parts.iter().for_each(|part| all.merge(part));
    let solution = all.solve(all.count as f64 * 0.02);
    eprintln!(
        "{} positions, {:.1}% of the variance explained",
        all.count,
        100.0 * all.explained(&solution)
    );

    println!("# Weights of the evaluation `kalahari` for Kalah, in hundredths of a seed.");
    println!(
        "# name, weight with no seeds in play, weight with 72; between them the weight changes evenly."
    );
    for (name, weight) in FEATURES.iter().zip(solution.chunks(2)) {
        println!("{name} {:.0} {:.0}", weight[0], weight[0] + weight[1]);
    }
}

impl Sums {
    fn new() -> Self {
        Sums {
            matrix: vec![[0.0; SIZE]; SIZE],
            right: [0.0; SIZE],
            count: 0,
            squares: 0.0,
        }
    }

    fn add(&mut self, row: &[f64; SIZE], target: f64) {
        for (line, &x) in self.matrix.iter_mut().zip(row) {
            for (sum, &y) in line.iter_mut().zip(row) {
                *sum += x * y;
            }
        }
        for (sum, &x) in self.right.iter_mut().zip(row) {
            *sum += x * target;
        }
        self.count += 1;
        self.squares += target * target;
    }

    fn merge(&mut self, other: &Sums) {
        for (line, others) in self.matrix.iter_mut().zip(&other.matrix) {
            line.iter_mut().zip(others).for_each(|(a, b)| *a += b);
        }
        self.right
            .iter_mut()
            .zip(&other.right)
            .for_each(|(a, b)| *a += b);
        self.count += other.count;
        self.squares += other.squares;
    }

    /// Solves the normal equations with a small ridge, by elimination with pivots.
    fn solve(&self, ridge: f64) -> Vec<f64> {
        let mut rows: Vec<Vec<f64>> = (0..SIZE)
            .map(|i| {
                let mut row = self.matrix[i].to_vec();
                row[i] += ridge;
                row.push(self.right[i]);
                row
            })
            .collect();
        for column in 0..SIZE {
            let pivot = (column..SIZE)
                .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
            rows.swap(column, pivot.unwrap_or(column));
            let lead = rows[column].clone();
            for (i, row) in rows.iter_mut().enumerate() {
                if i != column {
                    let factor = row[column] / lead[column];
                    row.iter_mut()
                        .zip(&lead)
                        .for_each(|(a, b)| *a -= factor * b);
                }
            }
        }
        (0..SIZE).map(|i| rows[i][SIZE] / rows[i][i]).collect()
    }

    /// The share of the squares that a solution explains.
    fn explained(&self, solution: &[f64]) -> f64 {
        let linear: f64 = solution.iter().zip(&self.right).map(|(a, b)| a * b).sum();
        let quadratic: f64 = self
            .matrix
            .iter()
            .zip(solution)
            .map(|(line, a)| a * line.iter().zip(solution).map(|(m, b)| m * b).sum::<f64>())
            .sum();
        (2.0 * linear - quadratic) / self.squares
    }
}

/// Plays games and adds the positions on the way, with what the engine thinks of them.
fn collect(count: u64, depth: u32, rng_seed: u64) -> Sums {
    let mut rng = Rng::new(rng_seed);
    let mut sums = Sums::new();
    let games: Vec<Kalah<Packed>> = ["kalah:6x6", "kalah:6x6", "kalah:6x5", "kalah:6x4"]
        .into_iter()
        .map(|spec| Kalah::new(spec.parse().expect("a spec")).expect("small"))
        .collect();
    let mut engines: Vec<Engine<Kalah<Packed>>> = games
        .iter()
        .map(|game| {
            Engine::new(
                game.clone(),
                EngineOptions {
                    hash: 16,
                    ..EngineOptions::of_game(game)
                },
            )
        })
        .collect();
    while (sums.count as u64) < count {
        let which = rng.below(games.len());
        let (game, engine) = (&games[which], &mut engines[which]);
        let mut position = game.start();
        while !game.is_over(&position) {
            if rng.below(4) == 0 {
                let report = think(engine, position, depth);
                // Proven or not, it is a number of seeds.
                let seeds = report.score.amount() - f64::from(game.store_margin(&position));
                let target = 100.0 * seeds;
                let many = f64::from(position.seeds_in_play()) / MANY;
                let mut row = [0.0; SIZE];
                for (pair, feature) in row.chunks_mut(2).zip(features(game, &position)) {
                    pair[0] = f64::from(feature);
                    pair[1] = f64::from(feature) * many;
                }
                // A surprise of more than 15 seeds says little about the features.
                sums.add(&row, target.clamp(-1_500.0, 1_500.0));
            }
            let count = game.count_moves(&position) as usize;
            let mv = match rng.below(4) {
                0 => game.moves(&position).nth(rng.below(count)),
                _ => think(engine, position, 3).best,
            };
            position = game.play_unchecked(&position, mv.expect("the game goes on"));
        }
    }
    sums
}

fn think(engine: &mut Engine<Kalah<Packed>>, position: Packed, depth: u32) -> Report<Pit> {
    let task = Task {
        position,
        limits: Limits::depth(depth),
        stop: &Stop::new(),
        all_moves: false,
        progress: &mut |_| {},
    };
    engine.think(task).expect("the engine never fails")
}
