//! Move generation and perft: speed, and the ratio to the plain oracles in the same run.
//!
//! `cargo bench -p kalahari-games` prints criterion's figures and then a table of leaves a second.
//! Oracles count as the fast boards do: the moves of the last ply are counted, not played.

use criterion::{Criterion, criterion_group};
use kalahari_games::isolation::{Isolation, IsolationSpec};
use kalahari_games::kalah::{Kalah, KalahSpec, Packed, Wide};
use kalahari_games::{Game, perft};
use kalahari_oracle::{ArrayKalah, GridIsolation};
use std::hint::black_box;
use std::time::Instant;

fn kalah(spec: &str) -> Kalah<Packed> {
    Kalah::new(spec.parse().expect("a spec")).expect("a small game")
}

fn trail() -> Isolation<u64> {
    Isolation::new("isolation:8x8:trail".parse().expect("a spec")).expect("a small board")
}

fn queen() -> Isolation<u64> {
    Isolation::new("isolation:7x7:queen".parse().expect("a spec")).expect("a small board")
}

fn knight() -> Isolation<u128> {
    Isolation::new("isolation:9x11:knight".parse().expect("a spec")).expect("a small board")
}

fn classic() -> Isolation<u64> {
    Isolation::new("isolation:7x7:classic".parse().expect("a spec")).expect("a small board")
}

/// Plays every move of a position once.
fn generate<G: Game>(game: &G, position: &G::Position) {
    for mv in game.moves(black_box(position)) {
        black_box(game.play_unchecked(position, mv));
    }
}

fn move_generation(c: &mut Criterion) {
    let mut group = c.benchmark_group("moves");
    let game = kalah("kalah:6x4");
    group.bench_function("kalah 6x4", |b| b.iter(|| generate(&game, &game.start())));
    let game = Kalah::<Wide>::wide("kalah:12x12".parse().expect("a spec"));
    group.bench_function("kalah 12x12", |b| b.iter(|| generate(&game, &game.start())));
    let game = trail();
    group.bench_function("trail 8x8", |b| b.iter(|| generate(&game, &game.start())));
    let game = queen();
    group.bench_function("queen 7x7", |b| b.iter(|| generate(&game, &game.start())));
    let game = knight();
    group.bench_function("knight 9x11", |b| b.iter(|| generate(&game, &game.start())));
    let game = classic();
    group.bench_function("classic 7x7", |b| b.iter(|| generate(&game, &game.start())));
    group.finish();
}

fn perft_depths(c: &mut Criterion) {
    let mut group = c.benchmark_group("perft");
    group.sample_size(20);
    for rule in [
        "standard",
        "empty-capture",
        "pre-move-empty",
        "standard+majority",
    ] {
        let game = kalah(&format!("kalah:6x4:{rule}"));
        group.bench_function(format!("kalah 6x4 {rule} depth 8"), |b| {
            b.iter(|| perft(&game, &game.start(), 8));
        });
    }
    let game = trail();
    group.bench_function("trail 8x8 depth 12", |b| {
        b.iter(|| perft(&game, &game.start(), 12))
    });
    let game = queen();
    group.bench_function("queen 7x7 depth 4", |b| {
        b.iter(|| perft(&game, &game.start(), 4))
    });
    let game = knight();
    group.bench_function("knight 9x11 depth 4", |b| {
        b.iter(|| perft(&game, &game.start(), 4))
    });
    group.finish();
}

/// The best of some runs, in leaves a second.
fn leaves_a_second(runs: u32, count: impl Fn() -> u64) -> f64 {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            let leaves = black_box(count());
            leaves as f64 / start.elapsed().as_secs_f64()
        })
        .fold(0.0, f64::max)
}

fn compare(name: &str, fast: impl Fn() -> u64, oracle: impl Fn() -> u64) {
    assert_eq!(fast(), oracle(), "{name}: the oracle disagrees");
    let (fast, oracle) = (leaves_a_second(9, fast), leaves_a_second(3, oracle));
    println!(
        "{name:<28} {:>8.1} {:>8.1} {:>7.1}",
        fast / 1e6,
        oracle / 1e6,
        fast / oracle
    );
}

fn ratios() {
    println!(
        "\nmillion leaves a second          fast   oracle   ratio   (one thread, best of 9 and of 3)"
    );
    for (spec, depth) in [
        ("kalah:6x4", 10),
        ("kalah:6x4:empty-capture", 10),
        ("kalah:6x4:pre-move-empty", 10),
        ("kalah:6x6", 9),
    ] {
        let game = kalah(spec);
        let oracle = ArrayKalah::start(game.kalah_spec());
        let name = format!("{spec} depth {depth}");
        compare(
            &name,
            || perft(&game, &game.start(), depth),
            || oracle.perft(depth),
        );
    }
    let spec: KalahSpec = "kalah:12x12".parse().expect("a spec");
    let game = Kalah::<Wide>::wide(spec);
    let oracle = ArrayKalah::start(spec);
    compare(
        "kalah:12x12 depth 6",
        || perft(&game, &game.start(), 6),
        || oracle.perft(6),
    );
    let against_grid = |spec: IsolationSpec| GridIsolation::start(spec);
    let game = trail();
    let oracle = against_grid(game.isolation_spec());
    compare(
        "trail 8x8 depth 18",
        || perft(&game, &game.start(), 18),
        || oracle.perft(18),
    );
    let game = queen();
    let oracle = against_grid(game.isolation_spec());
    compare(
        "queen 7x7 depth 5",
        || perft(&game, &game.start(), 5),
        || oracle.perft(5),
    );
    let game = knight();
    let oracle = against_grid(game.isolation_spec());
    compare(
        "knight 9x11 depth 6",
        || perft(&game, &game.start(), 6),
        || oracle.perft(6),
    );
    let game = classic();
    let oracle = against_grid(game.isolation_spec());
    compare(
        "classic 7x7 depth 3",
        || perft(&game, &game.start(), 3),
        || oracle.perft(3),
    );
}

criterion_group!(benches, move_generation, perft_depths);

fn main() {
    // `cargo test --benches` passes --test: criterion then only checks that everything runs.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    if std::env::args().all(|argument| argument != "--ratios-only") {
        benches();
        Criterion::default().configure_from_args().final_summary();
    }
    if measuring {
        ratios();
    }
}
