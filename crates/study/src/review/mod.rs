//! Reviews a finished or unfinished game move by move: what each move gave away, and where the game turned.

mod figures;
mod judgement;
#[cfg(not(target_family = "wasm"))]
mod many;
mod phase;

pub use figures::{Blunder, Figures, PlayerReview, player_reviews};
pub use judgement::{JudgedMove, Judgement, Loss};
#[cfg(not(target_family = "wasm"))]
pub use many::{GameToReview, ReviewError, ReviewIdentity, ReviewSpec, ReviewedGame, review_games};
pub use phase::Phase;

use crate::analysis::{Analysis, Deepened};
use crate::line::Played;
use kalahari_games::{AnyMove, Game, Player};
use kalahari_terms::{Failure, Score, Stop};
use std::time::Duration;

/// How long each position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// About this long.
    Time(Duration),
    /// This many nodes, and the first depth in any case. The same game always gets the same judgements.
    Nodes(u64),
}

/// A game that has been judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Every move after the opening, in order.
    pub moves: Vec<JudgedMove>,
    /// The prospects of player 0 in every position, including the last one. The opening is not analysed: its positions
    /// have the prospects of its end.
    pub prospects: Vec<f64>,
    /// The plies of the moves where the game turned, in order.
    pub turning_points: Vec<usize>,
}

/// The most turning points that are reported.
const TURNING_POINTS: usize = 6;

/// Judges the moves of a line after its opening, which is `opening` moves long, by an analysis of its game. It goes from the
/// end to the beginning, so that proofs late in the game help with earlier moves. `news` is called after every judged move. `None`
/// if it was stopped.
pub fn review(
    analysis: &mut Analysis,
    played: &Played,
    opening: usize,
    effort: Effort,
    stop: &Stop,
    news: &mut dyn FnMut(&JudgedMove),
) -> Result<Option<Review>, Failure> {
    let game = &played.game;
    let opening = opening.min(played.moves.len());
    let mut scores: Vec<Score> = Vec::new();
    let mut judged = Vec::new();
    for (ply, position) in played.positions.iter().enumerate().skip(opening).rev() {
        analysis.turn_to(position);
        think(analysis, effort, stop)?;
        if stop.is_requested() {
            return Ok(None);
        }
        let Some(mut score) = analysis.score() else {
            return Ok(None);
        };
        if let (Some(&mv), Some(after)) = (played.moves.get(ply), scores.last()) {
            let player = game.to_move(position);
            let phase = Phase::of(game, position);
            let Some(judgement) = judge(analysis, (ply, phase), mv, after.seen_by(player)) else {
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
    let prospects: Vec<f64> = prospects.collect();
    let of_opening = std::iter::repeat_n(prospects[0], opening);
    Ok(Some(Review {
        prospects: of_opening.chain(prospects.iter().copied()).collect(),
        turning_points: turning_points(&judged),
        moves: judged,
    }))
}

/// Searches the position of an analysis: at least one depth, then until the effort is spent.
fn think(analysis: &mut Analysis, effort: Effort, stop: &Stop) -> Result<(), Failure> {
    let (begin, before) = (stop.now(), analysis.nodes());
    let mut most = None;
    while analysis.deepen(most, stop, &mut |_| {})? == Deepened::Deeper {
        match effort {
            // The next depth takes several times as long as all before it.
            Effort::Time(time) if (stop.now() - begin) * 3 >= time => break,
            Effort::Time(_) => {}
            Effort::Nodes(nodes) => {
                let left = nodes.saturating_sub(analysis.nodes() - before);
                if left == 0 {
                    break;
                }
                most = Some(left);
            }
        }
    }
    Ok(())
}

/// Judges a move; `after` is the score of the position after it for the player who moved, found by searching that position.
fn judge(
    analysis: &Analysis,
    (ply, phase): (usize, Phase),
    mv: AnyMove,
    after: Score,
) -> Option<JudgedMove> {
    let best = analysis.best()?;
    let looked_at = analysis.moves().iter().find(|known| known.mv == mv)?.score;
    // The position after the move was searched separately: if that gave a proof, it is preferred.
    let played_score = match after.is_proven() && !looked_at.is_proven() {
        true => after,
        false => looked_at,
    };
    let (best, best_score, line) = match played_score.compare(best.score).is_ge() {
        true => (mv, played_score, vec![mv]),
        false => (best.mv, best.score, best.line.clone()),
    };
    Some(JudgedMove {
        ply,
        phase,
        is_forced: analysis.moves().len() == 1,
        line,
        player: best_score.player(),
        played: mv,
        best,
        best_score,
        played_score,
        loss: Loss::of(best_score, played_score),
        judgement: Judgement::of(best_score, played_score),
    })
}

/// The mistakes and blunders that turned a better position into an even or worse one, or an even one into a worse one; if there
/// are none, the move that gave away most.
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
