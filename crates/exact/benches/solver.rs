//! What each technique of the Kalah solver is worth: nodes and time with each one switched off in turn.
//!
//! `cargo bench -p kalahari-exact -- kalah:6x4 kalah:6x4:empty-capture --limit 300`; without names, `kalah:6x3`.
//! A solve that takes longer than the limit (seconds) is stopped, and its row says `>`.

use kalahari_exact::Effort;
use kalahari_exact::kalah::{
    Solver, SolverOptions, Techniques, suggested_memory, suggested_tablebase,
};
use kalahari_exact::tablebase::{TableSpec, Tablebase};
use kalahari_games::Game;
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use kalahari_terms::{Limits, Stop};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A row of the table: what is left out, the techniques used, and the number of threads.
struct Row {
    without: &'static str,
    techniques: Techniques,
    threads: usize,
    tablebase: bool,
}

/// The rows of each game. Node counts of one thread are reproducible; those of two differ from run to run.
fn rows() -> Vec<Row> {
    let on = Techniques::default();
    let row = |without, techniques| Row {
        without,
        techniques,
        threads: 1,
        tablebase: true,
    };
    let off = |switch: fn(&mut Techniques) -> &mut bool| {
        let mut techniques = on;
        *switch(&mut techniques) = false;
        techniques
    };
    vec![
        Row {
            threads: 2,
            ..row("nothing, two threads", on)
        },
        row("nothing", on),
        row("early cutoffs", off(|all| &mut all.early_cutoffs)),
        row("range cuts", off(|all| &mut all.range_cuts)),
        row(
            "looking ahead: extra turns, then captures",
            off(|all| &mut all.look_ahead),
        ),
        row(
            "any order of moves: right to left",
            off(|all| &mut all.ordering),
        ),
        row("prefetch", off(|all| &mut all.prefetch)),
        row("lanes: one search a thread", Techniques { lanes: 1, ..on }),
        Row {
            tablebase: false,
            ..row("the tablebase", on)
        },
    ]
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |name: &str| arguments.iter().skip_while(move |one| *one != name).nth(1);
    let limit = Duration::from_secs(after("--limit").map_or(Ok(600), |text| text.parse())?);
    let mut names: Vec<&str> = arguments.iter().map(String::as_str).collect();
    names.retain(|name| name.starts_with("kalah"));
    if names.is_empty() {
        names.push("kalah:6x3");
    }
    println!("| game | without | value | nodes | time | table |");
    println!("|---|---|---|---|---|---|");
    for name in names {
        let spec: KalahSpec = name.parse()?;
        let begin = Instant::now();
        let seeds = suggested_tablebase(spec.pits(), spec.total(), false);
        let tablebase = match (seeds, TableSpec::of_game(spec)) {
            (Some(seeds), Some(table)) => {
                Some(Arc::new(Tablebase::build(table, seeds, &Stop::new())?))
            }
            _ => None,
        };
        if let Some(tablebase) = &tablebase {
            println!(
                "| {spec} | (tablebase of {} seeds) | | | {:.2} s | {} MiB |",
                tablebase.seeds(),
                begin.elapsed().as_secs_f64(),
                tablebase.positions() >> 20
            );
        }
        for row in rows() {
            run(spec, &row, tablebase.clone(), limit)?;
        }
    }
    Ok(())
}

fn run(
    spec: KalahSpec,
    row: &Row,
    tablebase: Option<Arc<Tablebase>>,
    limit: Duration,
) -> Result<(), Box<dyn std::error::Error>> {
    let game = Kalah::<Packed>::new(spec)?;
    let memory = suggested_memory(spec.pits(), spec.total());
    let options = SolverOptions {
        memory,
        tablebase: tablebase.filter(|_| row.tablebase),
        techniques: row.techniques,
    };
    let begin = Instant::now();
    let solver = Solver::new(&game, spec.total(), options)?;
    let effort = Effort::new(&Limits::time(limit), &Stop::new()).with_threads(row.threads);
    let bounds = solver.margin(&game.start(), &effort, &mut |_| ());
    let (value, more) = match bounds.exact() {
        Some(value) => (format!("{value:+}"), ""),
        None => (format!("{:+} to {:+}", bounds.lower, bounds.upper), "> "),
    };
    println!(
        "| {spec} | {} | {value} | {more}{} | {more}{:.2} s | {} MiB |",
        row.without,
        effort.nodes(),
        begin.elapsed().as_secs_f64(),
        memory >> 20
    );
    Ok(())
}
