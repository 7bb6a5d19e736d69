//! What each technique of the Kalah solver is worth: nodes and time with one switched off in turn.
//!
//! `cargo bench -p kalahari-exact -- kalah:6x4 kalah:6x4:empty-capture`; without names, `kalah:6x3`.

use kalahari_exact::kalah::{
    Solver, SolverOptions, Techniques, suggested_memory, suggested_tablebase,
};
use kalahari_exact::tablebase::{Progress, TableSpec, Tablebase};
use kalahari_games::Game;
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let names: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| name.starts_with("kalah"))
        .collect();
    let names = if names.is_empty() {
        vec!["kalah:6x3".to_owned()]
    } else {
        names
    };
    println!("| game | without | value | nodes | tablebase s | solve s | table |");
    println!("|---|---|---|---|---|---|---|");
    for name in names {
        let spec: KalahSpec = name.parse()?;
        let on = Techniques::default();
        let rows = [
            // Counts of one thread repeat exactly; those of two differ from run to run.
            ("- (two threads)", on, 2, true),
            ("- (two threads, again)", on, 2, true),
            ("-", on, 1, true),
            ("-, again", on, 1, true),
            (
                "early cutoffs",
                Techniques {
                    early_cutoffs: false,
                    ..on
                },
                1,
                true,
            ),
            (
                "range cuts",
                Techniques {
                    range_cuts: false,
                    ..on
                },
                1,
                true,
            ),
            (
                "any order of moves (right to left)",
                Techniques {
                    ordering: false,
                    ..on
                },
                1,
                true,
            ),
            (
                "looking ahead (extra turns, then captures)",
                Techniques {
                    look_ahead: false,
                    ..on
                },
                1,
                true,
            ),
            (
                "prefetch",
                Techniques {
                    prefetch: false,
                    ..on
                },
                1,
                true,
            ),
            ("tablebase", on, 1, false),
        ];
        for (without, techniques, threads, with_tablebase) in rows {
            row(spec, without, techniques, threads, with_tablebase)?;
        }
    }
    Ok(())
}

fn row(
    spec: KalahSpec,
    without: &str,
    techniques: Techniques,
    threads: usize,
    with_tablebase: bool,
) -> Result<(), Box<dyn std::error::Error>> {
    let game = Kalah::<Packed>::new(spec)?;
    let begin = Instant::now();
    let seeds = suggested_tablebase(spec.pits(), spec.total()).filter(|_| with_tablebase);
    let tablebase = match (seeds, TableSpec::of_game(spec)) {
        (Some(seeds), Some(table)) => Some(Arc::new(Tablebase::build(
            table,
            seeds,
            &Progress::default(),
        )?)),
        _ => None,
    };
    let built = begin.elapsed().as_secs_f64();
    let memory = suggested_memory(spec.pits(), spec.total());
    let options = SolverOptions {
        memory,
        threads,
        tablebase,
        techniques,
    };
    let solver = Solver::new(&game, spec.total(), options)?;
    let bounds = solver.margin(&game.start(), &AtomicBool::new(false), &mut |_| ());
    let solved = begin.elapsed().as_secs_f64() - built;
    println!(
        "| {spec} | {without} | {:+} | {} | {built:.2} | {solved:.2} | {} MiB |",
        bounds.lower,
        solver.nodes(),
        memory >> 20
    );
    Ok(())
}
