//! `kalahari solve` for Isolation.

use super::{Report, Solve};
use crate::interrupt;
use kalahari_exact::isolation::{IsolationBounds, IsolationSolver};
use kalahari_games::Game;
use kalahari_games::isolation::{
    Bits, Isolation, IsolationPosition, IsolationRule, IsolationSpec, Wide256,
};
use serde_json::{Map, Value};
use std::time::Instant;

pub(super) fn run(solve: &Solve, spec: IsolationSpec) -> anyhow::Result<()> {
    anyhow::ensure!(
        solve.save.is_none() && solve.resume.is_none(),
        "--save and --resume are for Kalah only"
    );
    if let Some(game) = Isolation::<u64>::new(spec) {
        with_bits(solve, &game)
    } else if let Some(game) = Isolation::<u128>::new(spec) {
        with_bits(solve, &game)
    } else {
        with_bits(solve, &Isolation::<Wide256>::largest(spec))
    }
}

fn with_bits<B: Bits>(solve: &Solve, game: &Isolation<B>) -> anyhow::Result<()> {
    let memory = solve.memory.unwrap_or(1 << 30);
    let mut solver = IsolationSolver::new(game, memory);
    if let Some(path) = &solve.positions {
        return solve.each_line(path, |line| {
            let position = game.parse_position(line)?;
            let mut report = report(solve, game, &mut solver, &position);
            report.position = Some(game.position_text(&position));
            Ok(report)
        });
    }
    let position = match &solve.place.position {
        Some(text) => game.parse_position(text)?,
        None => game.start(),
    };
    report(solve, game, &mut solver, &position).print(solve.json)
}

fn report<B: Bits>(
    solve: &Solve,
    game: &Isolation<B>,
    solver: &mut IsolationSolver<B>,
    position: &IsolationPosition<B>,
) -> Report {
    let begin = Instant::now();
    let nodes = solver.nodes();
    let stop = interrupt::flag();
    let bounds = solver.value(position, stop);
    let (mut best, mut line) = (None, Vec::new());
    let mut moves: Vec<_> = game.moves(position).map(|mv| (mv, None)).collect();
    if let Some(value) = bounds.exact() {
        if solve.value_only {
            best = solver.best_move(position, value, stop);
        } else {
            let values = solver.moves(position, stop);
            moves = values
                .into_iter()
                .map(|(mv, bounds)| (mv, IsolationBounds::exact(bounds)))
                .collect();
            line = solver.line(position, value, stop);
            best = line.first().copied();
        }
    }
    let text = |mv: &kalahari_games::isolation::IsolationMove| Value::from(mv.to_string());
    let all_known = solve.value_only || moves.iter().all(|(_, value)| value.is_some());
    let unit = match game.isolation_spec().rule() {
        IsolationRule::Trail => "margin",
        IsolationRule::Classic | IsolationRule::Queen | IsolationRule::Knight => "result",
    };
    let object: Map<String, Value> = moves
        .iter()
        .map(|(mv, value)| (mv.to_string(), Value::from(*value)))
        .collect();
    Report {
        best: best.as_ref().map_or(Value::Null, text),
        value: bounds.exact(),
        moves: Value::Object(object),
        depth: line.len(),
        pv: line.iter().map(text).collect(),
        nodes: solver.nodes() - nodes,
        seconds: begin.elapsed().as_secs_f64(),
        proven: bounds.exact().is_some() && all_known,
        unit,
        game: game.spec(),
        position: None,
        lower: bounds.lower,
        upper: bounds.upper,
        tablebase_seeds: 0,
    }
}
