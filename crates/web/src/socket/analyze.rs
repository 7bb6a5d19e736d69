//! Analysis of a position, and hints.

use crate::error::{ApiError, ApiResult};
use crate::socket::desk::{Tools, Work};
use crate::wire::socket::{Hint, Info, MoveInfo, Reason, Say};
use crate::{show, words};
use kalahari_search::Searchable;
use kalahari_study::{Analysis, Deepened, Line, LineVisitor, MoveValue, Played, Value};
use std::time::{Duration, Instant};

/// News of an analysis is told at most this often, but for finished depths.
const NEWS: Duration = Duration::from_millis(100);
/// The most moves that an answer values; where a cell is removed as well there may be thousands.
const MOST_MOVES: usize = 100;
/// How long a hint is thought about, not counting the time it waits.
const HINT: Duration = Duration::from_millis(300);

/// The analysis of a line's last position.
pub(crate) fn analyze(line: &Line, depth: Option<u32>) -> ApiResult<Work> {
    Ok(line.visit(Analyze { depth })?)
}

struct Analyze {
    depth: Option<u32>,
}

impl LineVisitor for Analyze {
    type Output = Work;

    fn visit<G: Searchable>(self, game: G, played: Played<G>) -> Work {
        let position = played.last();
        Box::new(move |tools| {
            let mut analysis = begin(&game, position, tools)?;
            let mut told = Instant::now();
            loop {
                let mut news = |analysis: &Analysis<G>| {
                    if told.elapsed() >= NEWS {
                        told = Instant::now();
                        tell(&game, analysis, tools);
                    }
                };
                let deepened = analysis.deepen(&tools.stop, &mut news);
                told = Instant::now();
                tell(&game, &analysis, tools);
                match deepened {
                    Deepened::Finished => return Ok(Reason::Finished),
                    Deepened::Stopped => return Ok(tools.reason()),
                    Deepened::Deeper => {}
                }
                if self.depth.is_some_and(|most| analysis.depth() >= most) {
                    return Ok(Reason::Limit);
                }
            }
        })
    }
}

fn begin<G: Searchable>(game: &G, position: G::Position, tools: &Tools) -> ApiResult<Analysis<G>> {
    Analysis::new(game, position, tools.hash).map_err(|error| ApiError::internal(error.to_string()))
}

/// Says what an analysis knows so far.
fn tell<G: Searchable>(game: &G, analysis: &Analysis<G>, tools: &Tools) {
    let Some(value) = analysis.value() else {
        return;
    };
    let to_move = game.to_move(analysis.position());
    let best = analysis.best();
    let line: &[G::Move] = best.map_or(&[], |best| &best.line);
    let ran = tools.visitor.ran().as_secs_f64().max(1e-4);
    tools.say(Say::Info(Box::new(Info {
        id: tools.id,
        depth: analysis.depth(),
        nodes: analysis.nodes(),
        nps: (analysis.nodes() as f64 / ran) as u64,
        time_ms: tools.begin.elapsed().as_millis() as u64,
        value: words::amount(value.amount),
        proven: value.proven,
        unit: value.measure.name(),
        words: words::of_position(value, to_move),
        bar: words::bar(value, to_move),
        best: best.map(|best| best.mv.to_string()),
        pv: line.iter().map(ToString::to_string).collect(),
        pv_words: words::of_line(game, analysis.position(), line),
        moves: move_infos(analysis.moves()),
    })));
}

fn move_infos<M: Copy + std::fmt::Display>(moves: &[MoveValue<M>]) -> Vec<MoveInfo> {
    let info = |known: &MoveValue<M>| MoveInfo {
        mv: known.mv.to_string(),
        value: words::amount(known.value.amount),
        proven: known.value.proven,
        unit: known.value.measure.name(),
        depth: known.depth,
        words: words::of_move(known.value),
    };
    if moves.len() <= MOST_MOVES {
        return moves.iter().map(info).collect();
    }
    let mut best: Vec<&MoveValue<M>> = moves.iter().collect();
    best.sort_by(|a, b| b.value.compare(a.value));
    best.into_iter().take(MOST_MOVES).map(info).collect()
}

/// A good move in a line's last position.
pub(crate) fn hint(line: &Line) -> ApiResult<Work> {
    line.visit(GiveHint)?
}

struct GiveHint;

impl LineVisitor for GiveHint {
    type Output = ApiResult<Work>;

    fn visit<G: Searchable>(self, game: G, played: Played<G>) -> ApiResult<Work> {
        let position = played.last();
        if game.is_over(&position) {
            return Err(ApiError::bad("game_over", "the game is over").at("line"));
        }
        Ok(Box::new(move |tools| {
            let mut analysis = begin(&game, position, tools)?;
            while analysis.deepen(&tools.stop, &mut |_| {}) == Deepened::Deeper {
                if tools.visitor.ran() * 3 >= HINT {
                    break;
                }
            }
            let stopped = tools.stop.is_requested() && tools.reason() != Reason::Limit;
            if let (Some(best), Some(value), false) = (analysis.best(), analysis.value(), stopped) {
                tools.say(Say::Hint(Box::new(in_words(
                    &game, &position, best, value, tools.id,
                ))));
            }
            Ok(match tools.stop.is_requested() {
                true => tools.reason(),
                false => Reason::Finished,
            })
        }))
    }
}

fn in_words<G: Searchable>(
    game: &G,
    position: &G::Position,
    best: &MoveValue<G::Move>,
    value: Value,
    id: u64,
) -> Hint {
    let story = game.story(position, best.mv);
    let mut words = show::move_words(&story);
    if let Some(first) = words.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    Hint {
        id,
        mv: best.mv.to_string(),
        value: words::amount(value.amount),
        proven: value.proven,
        unit: value.measure.name(),
        words: format!("{words}: {}.", words::of_move(value)),
        pv: best.line.iter().map(ToString::to_string).collect(),
    }
}
