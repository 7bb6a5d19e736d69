//! A finished or unfinished game judged move by move: what each move gave away, and where the game turned.

use crate::analysis::{Analysis, Deepened};
use crate::line::Played;
use kalahari_games::{AnyMove, Game, Player};
use kalahari_terms::{Failure, Score, Stop, Worth};
use std::time::Duration;

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
    pub fn of(best: Score, played: Score) -> Self {
        let loss = Loss::of(best, played);
        // From which loss on a move is an inaccuracy, a mistake, a blunder.
        let steps = match loss {
            Loss::Margin(_) | Loss::Points(_) => [0.5, 2.0, 6.0],
            Loss::Result(_) => [0.1, 0.35, 0.8],
        };
        let passed = steps.iter().filter(|step| loss.amount() >= **step);
        let by_loss = Judgement::ALL[passed.count()];
        if !(best.is_proven() && played.is_proven()) {
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

/// What a move gave away, never negative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Loss {
    /// So much of the final margin: seeds or cells.
    Margin(f64),
    /// Points of an evaluation.
    Points(f64),
    /// Of the result: a win that became a loss is 2. Scores that count differently are compared by their prospects.
    Result(f64),
}

impl Loss {
    /// What was given away by playing one move instead of the best one, both seen by the mover.
    pub fn of(best: Score, played: Score) -> Self {
        let lost = (best.amount() - played.amount()).max(0.0);
        match (best.worth(), played.worth()) {
            (Worth::Margin(_) | Worth::Seeds(_), Worth::Margin(_) | Worth::Seeds(_)) => {
                Loss::Margin(lost)
            }
            (Worth::Cells(_), Worth::Cells(_)) | (Worth::Points(_), Worth::Points(_)) => {
                Loss::Points(lost)
            }
            (Worth::Result(_), Worth::Result(_)) => Loss::Result(lost),
            _ => Loss::Result((best.prospect() - played.prospect()).max(0.0)),
        }
    }

    /// How much.
    pub const fn amount(self) -> f64 {
        match self {
            Loss::Margin(amount) | Loss::Points(amount) | Loss::Result(amount) => amount,
        }
    }
}

/// A move that has been judged. Scores are as the mover sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// The move's place in the line, from 0.
    pub ply: usize,
    /// Who made it.
    pub player: Player,
    /// The move.
    pub played: AnyMove,
    /// The best move; the played one, if none is better.
    pub best: AnyMove,
    /// What the best move is worth.
    pub best_score: Score,
    /// What the played move is worth.
    pub played_score: Score,
    /// What was given away.
    pub loss: Loss,
    /// What that makes it.
    pub judgement: Judgement,
}

impl JudgedMove {
    /// Whether both scores are proven.
    pub fn is_proven(&self) -> bool {
        self.best_score.is_proven() && self.played_score.is_proven()
    }
}

/// A game that has been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Every move, in order.
    pub moves: Vec<JudgedMove>,
    /// The prospects of player 0 in every position, the last one included.
    pub prospects: Vec<f64>,
    /// The moves where the game turned, in order.
    pub turning_points: Vec<usize>,
}

/// The most turning points that are named.
const TURNING_POINTS: usize = 6;

/// Judges every move of a line by an analysis of its game, thinking about each for about `time`. It goes from the end to
/// the beginning, so that what is proven late helps early. `news` hears of every move that is judged. `None` if it was
/// stopped.
pub fn review(
    analysis: &mut Analysis,
    played: &Played,
    time: Duration,
    stop: &Stop,
    news: &mut dyn FnMut(&JudgedMove),
) -> Result<Option<Review>, Failure> {
    let game = &played.game;
    let mut scores: Vec<Score> = Vec::new();
    let mut judged = Vec::new();
    for (ply, position) in played.positions.iter().enumerate().rev() {
        analysis.turn_to(position);
        think(analysis, time, stop)?;
        if stop.is_requested() {
            return Ok(None);
        }
        let Some(mut score) = analysis.score() else {
            return Ok(None);
        };
        if let (Some(&mv), Some(after)) = (played.moves.get(ply), scores.last()) {
            let player = game.to_move(position);
            let Some(judgement) = judge(analysis, ply, mv, after.seen_by(player)) else {
                return Ok(None);
            };
            if judgement.best_score.compare(score).is_gt() {
                score = judgement.best_score;
            }
            news(&judgement);
            judged.push(judgement);
        }
        scores.push(score);
    }
    judged.reverse();
    let prospects = scores.iter().rev();
    let prospects = prospects.map(|score| score.seen_by(Player::First).prospect());
    Ok(Some(Review {
        prospects: prospects.collect(),
        turning_points: turning_points(&judged),
        moves: judged,
    }))
}

/// Thinks about the position of an analysis: one depth at least, then as long as there is time.
fn think(analysis: &mut Analysis, time: Duration, stop: &Stop) -> Result<(), Failure> {
    let begin = stop.now();
    while analysis.deepen(None, stop, &mut |_| {})? == Deepened::Deeper {
        // The next depth takes several times as long as all before it.
        if (stop.now() - begin) * 3 >= time {
            break;
        }
    }
    Ok(())
}

/// Judges a move; `after` is what the position after it is worth to the mover, found by looking at that position.
fn judge(analysis: &Analysis, ply: usize, mv: AnyMove, after: Score) -> Option<JudgedMove> {
    let best = analysis.best()?;
    let looked_at = analysis.moves().iter().find(|known| known.mv == mv)?.score;
    // The position after the move was looked at for itself: if that proved it, it counts for more.
    let played_score = match after.is_proven() && !looked_at.is_proven() {
        true => after,
        false => looked_at,
    };
    let (best, best_score) = match played_score.compare(best.score).is_ge() {
        true => (mv, played_score),
        false => (best.mv, best.score),
    };
    Some(JudgedMove {
        ply,
        player: best_score.player(),
        played: mv,
        best,
        best_score,
        played_score,
        loss: Loss::of(best_score, played_score),
        judgement: Judgement::of(best_score, played_score),
    })
}

/// The moves after which somebody else stood better, or nobody any more; if there are none, the one that gave
/// away most.
fn turning_points(moves: &[JudgedMove]) -> Vec<usize> {
    let standing = |score: Score| match score.prospect() {
        good if good > 0.2 => 1,
        bad if bad < -0.2 => -1,
        _ => 0,
    };
    let mut turned: Vec<&JudgedMove> = moves
        .iter()
        .filter(|mv| mv.judgement >= Judgement::Mistake)
        .filter(|mv| standing(mv.best_score) > standing(mv.played_score))
        .collect();
    if turned.is_empty() {
        turned.extend(
            moves
                .iter()
                .filter(|mv| mv.judgement > Judgement::Best)
                .max_by(|a, b| a.loss.amount().total_cmp(&b.loss.amount())),
        );
    }
    let swing = |mv: &JudgedMove| mv.best_score.prospect() - mv.played_score.prospect();
    turned.sort_by(|a, b| swing(b).total_cmp(&swing(a)));
    let turned = turned.iter().take(TURNING_POINTS);
    let mut plies: Vec<usize> = turned.map(|mv| mv.ply).collect();
    plies.sort_unstable();
    plies
}
