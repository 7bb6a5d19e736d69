//! The engine against plain alpha-beta, from the start of `kalah:6x6` with `eval=stores`, in one run.
//!
//! `cargo bench -p kalahari-search --bench engine [-- DEPTH]` prints nodes, seconds, speed and ratios.

use kalahari_games::Game;
use kalahari_games::kalah::{Kalah, Packed, Pit};
use kalahari_search::engine::{Engine, EngineOptions, Techniques};
use kalahari_search::eval::{KalahEval, Stores};
use kalahari_search::plain::{Plain, Pruning};
use kalahari_search::{Agent, Report, Task};
use kalahari_terms::{Limits, Stop};

fn run(name: &str, agent: &mut dyn Agent<Kalah<Packed>>, depth: u32) -> Report<Pit> {
    let task = Task {
        position: Kalah::<Packed>::default().start(),
        limits: Limits::depth(depth),
        stop: &Stop::new(),
        all_moves: false,
        progress: &mut |_| {},
    };
    let report = agent.think(task).expect("our own agents never fail");
    println!(
        "{name:<24} {:>13} {:>9.3} {:>8.1} {:>6}",
        report.nodes,
        report.elapsed.as_secs_f64(),
        report.speed() / 1e6,
        report.score.amount()
    );
    report
}

fn main() {
    // `cargo test --benches` only wants to know that it runs.
    let measuring = std::env::args().any(|argument| argument == "--bench");
    let asked = std::env::args().find_map(|argument| argument.parse().ok());
    let depth = asked.unwrap_or(if measuring { 17 } else { 6 });
    let game = Kalah::<Packed>::default();
    let stores = KalahEval::Stores(Stores);
    let engine = |techniques: Techniques| {
        let options = EngineOptions {
            eval: stores.clone(),
            techniques,
            ..EngineOptions::of_game(&game)
        };
        Engine::new(game.clone(), options)
    };

    println!("kalah:6x6:standard, stores, depth {depth}, one thread");
    println!("                                 nodes   seconds  Mnode/s  value");
    let all = Techniques::default();
    let ours = run("engine", &mut engine(all), depth);
    if std::env::args().any(|argument| argument == "--engine-only") {
        for _ in 0..9 {
            run("engine", &mut engine(all), depth);
        }
    }
    if std::env::args().any(|argument| argument == "--engine-only") {
        return;
    }
    run(
        "  without etc",
        &mut engine(Techniques { etc: false, ..all }),
        depth,
    );
    run(
        "  without range cuts",
        &mut engine(Techniques {
            range_cuts: false,
            ..all
        }),
        depth,
    );
    run(
        "  without quiescence",
        &mut engine(Techniques {
            quiescence: false,
            ..all
        }),
        depth,
    );
    run(
        "  exact depth",
        &mut engine(Techniques::exact_depth()),
        depth,
    );
    let mut plain = Plain::new(game.clone(), stores.clone(), Pruning::AlphaBeta, 1);
    // The best of several runs counts: the first ones also warm the machine up.
    let best = |runs: &[Report<Pit>]| {
        let seconds = runs.iter().map(|run| run.elapsed.as_secs_f64());
        (runs[0].nodes as f64, seconds.fold(f64::MAX, f64::min))
    };
    let plain: Vec<_> = (0..2)
        .map(|_| run("alphabeta", &mut plain, depth))
        .collect();
    let mut engines = vec![ours];
    engines.extend((0..5).map(|_| run("engine", &mut engine(all), depth)));
    let ((nodes, seconds), (our_nodes, our_seconds)) = (best(&plain), best(&engines));
    println!(
        "alphabeta / engine       nodes {:.1}, time {:.1}",
        nodes / our_nodes,
        seconds / our_seconds
    );
}
