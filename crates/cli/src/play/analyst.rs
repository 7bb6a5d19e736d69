//! The value of every move by itself, deeper and deeper.

use super::thinker::Finding;
use super::worth::Worth;
use kalahari_search::{Searchable, Stop, Unit};
use kalahari_study::{Analysis, Deepened, Measure, Value};
use std::time::{Duration, Instant};

/// News is told at most this often, but for finished depths.
const NEWS: Duration = Duration::from_millis(100);
/// Where there are more moves than this, a look at each of them by itself takes too long.
const MOST_MOVES: usize = 500;
/// MiB of the engine's table.
const HASH: usize = 64;

/// Looks at every move of a position, deeper and deeper, until everything is proven or `stop` is requested; `tell`
/// hears of what is found. `None` if there are too many moves, or there was no time for one look at each. What `analysis` has learned about
/// an earlier position helps.
pub(crate) fn values<G: Searchable>(
    game: &G,
    analysis: &mut Option<Analysis<G>>,
    position: &str,
    stop: &Stop,
    tell: &mut dyn FnMut(Finding),
) -> Result<Option<Finding>, String> {
    let begin = Instant::now();
    let position = game.parse_position(position).map_err(|e| e.to_string())?;
    if game.moves(&position).count() > MOST_MOVES {
        return Ok(None);
    }
    let mut known = match analysis.take() {
        Some(known) => known,
        None => Analysis::new(game, position, HASH).map_err(|e| e.to_string())?,
    };
    known.turn_to(position);
    let earlier = known.nodes();
    let found = |known: &Analysis<G>| finding(known, earlier, begin);
    let mut told = Instant::now();
    loop {
        let deepened = known.deepen(stop, &mut |known| {
            if told.elapsed() >= NEWS {
                told = Instant::now();
                found(known).map(&mut *tell);
            }
        });
        if deepened != Deepened::Deeper {
            break;
        }
        told = Instant::now();
        found(&known).map(&mut *tell);
    }
    let answer = found(&known);
    *analysis = Some(known);
    Ok(answer)
}

/// What is known, unless it is nothing.
fn finding<G: Searchable>(known: &Analysis<G>, earlier: u64, begin: Instant) -> Option<Finding> {
    let (best, value) = (known.best()?, known.value()?);
    let moves = known.moves().iter();
    Some(Finding {
        best: Some(best.mv.to_string()),
        value: (value.amount, unit(value)),
        worth: Worth::of_value(value),
        moves: moves
            .map(|one| (one.mv.to_string(), Worth::of_value(one.value)))
            .collect(),
        line: best.line.iter().map(ToString::to_string).collect(),
        depth: known.depth(),
        nodes: known.nodes() - earlier,
        elapsed: begin.elapsed(),
    })
}

/// What a value counts, as records say it.
fn unit(value: Value) -> Unit {
    match (value.proven, value.measure) {
        (true, Measure::Result) => Unit::Result,
        (true, _) => Unit::Margin,
        (false, _) => Unit::Eval,
    }
}
