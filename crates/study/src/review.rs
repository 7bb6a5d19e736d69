//! A finished or unfinished game judged move by move: what each move gave away, and where the game turned.

use crate::analysis::{Analysis, Deepened};
use crate::line::Played;
use crate::value::{Measure, Value};
use kalahari_agents::AgentError;
use kalahari_search::{Searchable, Stop};
use std::time::{Duration, Instant};

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Nothing was given away.
    Best,
    /// A little was.
    Inaccuracy,
    /// Much was, or a won game became a draw, or a drawn one was lost.
    Mistake,
    /// Very much was, or a won game was lost.
    Blunder,
}

impl Judgement {
    /// All of them, the best first.
    pub const ALL: [Judgement; 4] = [
        Judgement::Best,
        Judgement::Inaccuracy,
        Judgement::Mistake,
        Judgement::Blunder,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// Judges a move by what the best one and the played one are worth to the mover.
    pub fn of(best: Value, played: Value) -> Self {
        let (loss, measure) = loss(best, played);
        // From which loss on a move is an inaccuracy, a mistake, a blunder.
        let steps = match measure {
            Measure::Seeds | Measure::Cells | Measure::Points => [0.5, 2.0, 6.0],
            Measure::Result => [0.1, 0.35, 0.8],
        };
        let by_loss = Judgement::ALL[steps.iter().filter(|step| loss >= **step).count()];
        if !(best.proven && played.proven) {
            return by_loss;
        }
        // Where both are proven, the result counts as well.
        match best.prospect() - played.prospect() {
            lost if lost >= 2.0 => Judgement::Blunder,
            lost if lost >= 1.0 => by_loss.max(Judgement::Mistake),
            _ => by_loss,
        }
    }
}

/// What a move gave away, never negative, and in what. Values of different measures are compared by their
/// prospects.
fn loss(best: Value, played: Value) -> (f64, Measure) {
    match best.measure == played.measure {
        true => ((best.amount - played.amount).max(0.0), best.measure),
        false => (
            (best.prospect() - played.prospect()).max(0.0),
            Measure::Result,
        ),
    }
}

/// A move that has been judged. Values are the mover's.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove<M> {
    /// The move's place in the line, from 0.
    pub ply: usize,
    /// Who made it.
    pub player: kalahari_games::Player,
    /// The move.
    pub played: M,
    /// The best move; the played one, if none is better.
    pub best: M,
    /// What the best move is worth.
    pub best_value: Value,
    /// What the played move is worth.
    pub played_value: Value,
    /// What was given away.
    pub loss: f64,
    /// In what it is counted.
    pub measure: Measure,
    /// What that makes it.
    pub judgement: Judgement,
    /// Whether both values are proven.
    pub proven: bool,
}

/// A game that has been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Review<M> {
    /// Every move, in order.
    pub moves: Vec<JudgedMove<M>>,
    /// The prospects of player 0 in every position, the last one included.
    pub prospects: Vec<f64>,
    /// The moves where the game turned, in order.
    pub turning_points: Vec<usize>,
}

/// The most turning points that are named.
const TURNING_POINTS: usize = 6;

/// Judges every move of a line, thinking about each for about `time`. It goes from the end to the beginning, so
/// that what is proven late helps early. `news` hears of every move that is judged. `None` if it was stopped.
pub fn review<G: Searchable>(
    game: &G,
    played: &Played<G>,
    hash: usize,
    time: Duration,
    stop: &Stop,
    news: &mut dyn FnMut(&JudgedMove<G::Move>),
) -> Result<Option<Review<G::Move>>, AgentError> {
    let mut analysis = Analysis::new(game, played.last(), hash)?;
    let mut values = Vec::new();
    let mut judged = Vec::new();
    for (ply, position) in played.positions.iter().enumerate().rev() {
        analysis.turn_to(*position);
        think(&mut analysis, time, stop);
        if stop.is_requested() {
            return Ok(None);
        }
        let Some(mut value) = analysis.value() else {
            return Ok(None);
        };
        let player = game.to_move(position);
        if let Some(&mv) = played.moves.get(ply) {
            let after: Value = values[values.len() - 1];
            let again = game.to_move(&played.positions[ply + 1]) == player;
            let after = if again { after } else { after.turned() };
            let Some(judgement) = judge(&analysis, mv, after) else {
                return Ok(None);
            };
            let judgement = JudgedMove {
                ply,
                player,
                ..judgement
            };
            if judgement.best_value.compare(value).is_gt() {
                value = judgement.best_value;
            }
            news(&judgement);
            judged.push(judgement);
        }
        values.push(value);
    }
    judged.reverse();
    values.reverse();
    let prospects = values
        .iter()
        .zip(&played.positions)
        .map(|(value, position)| value.prospect() * f64::from(game.to_move(position).sign()))
        .collect();
    let turning_points = turning_points(&judged);
    Ok(Some(Review {
        moves: judged,
        prospects,
        turning_points,
    }))
}

/// Thinks about the position of an analysis: one depth at least, then as long as there is time.
fn think<G: Searchable>(analysis: &mut Analysis<G>, time: Duration, stop: &Stop) {
    let begin = Instant::now();
    while analysis.deepen(stop, &mut |_| {}) == Deepened::Deeper {
        // The next depth takes several times as long as all before it.
        if begin.elapsed() * 3 >= time {
            break;
        }
    }
}

/// Judges a move; `after` is what the position after it is worth to the mover, found by looking at that position.
fn judge<G: Searchable>(
    analysis: &Analysis<G>,
    mv: G::Move,
    after: Value,
) -> Option<JudgedMove<G::Move>> {
    let best = analysis.best()?;
    let looked_at = analysis.moves().iter().find(|known| known.mv == mv)?;
    // The position after the move was looked at for itself: if that proved it, it counts for more.
    let played_value = match after.proven && !looked_at.value.proven {
        true => after,
        false => looked_at.value,
    };
    let (best, best_value) = match played_value.compare(best.value).is_ge() {
        true => (mv, played_value),
        false => (best.mv, best.value),
    };
    let (loss, measure) = loss(best_value, played_value);
    Some(JudgedMove {
        ply: 0,
        player: kalahari_games::Player::First,
        played: mv,
        best,
        best_value,
        played_value,
        loss,
        measure,
        judgement: Judgement::of(best_value, played_value),
        proven: best_value.proven && played_value.proven,
    })
}

/// The moves after which somebody else stood better, or nobody any more; if there are none, the one that gave
/// away most.
fn turning_points<M>(moves: &[JudgedMove<M>]) -> Vec<usize> {
    let standing = |value: Value| match value.prospect() {
        good if good > 0.2 => 1,
        bad if bad < -0.2 => -1,
        _ => 0,
    };
    let mut turned: Vec<&JudgedMove<M>> = moves
        .iter()
        .filter(|mv| mv.judgement >= Judgement::Mistake)
        .filter(|mv| standing(mv.best_value) > standing(mv.played_value))
        .collect();
    if turned.is_empty() {
        turned.extend(
            moves
                .iter()
                .filter(|mv| mv.judgement > Judgement::Best)
                .max_by(|a, b| a.loss.total_cmp(&b.loss)),
        );
    }
    let swing = |mv: &JudgedMove<M>| mv.best_value.prospect() - mv.played_value.prospect();
    turned.sort_by(|a, b| swing(b).total_cmp(&swing(a)));
    let mut plies: Vec<usize> = turned
        .iter()
        .take(TURNING_POINTS)
        .map(|mv| mv.ply)
        .collect();
    plies.sort_unstable();
    plies
}
