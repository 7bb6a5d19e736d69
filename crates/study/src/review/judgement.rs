//! What a move gave away, and the judgement that follows from it.

use super::phase::Phase;
use kalahari_games::{AnyMove, Player};
use kalahari_terms::{Score, Worth};

/// How good a move was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Nothing was given away.
    Best,
    /// A little was given away.
    Inaccuracy,
    /// Much was given away, or a won game became a draw, or a drawn one was lost.
    Mistake,
    /// Very much was given away, or a won game was lost.
    Blunder,
}

impl Judgement {
    /// All judgements, the best first.
    pub const ALL: [Judgement; 4] = [
        Judgement::Best,
        Judgement::Inaccuracy,
        Judgement::Mistake,
        Judgement::Blunder,
    ];

    /// The name of the judgement.
    pub const fn name(self) -> &'static str {
        match self {
            Judgement::Best => "best",
            Judgement::Inaccuracy => "inaccuracy",
            Judgement::Mistake => "mistake",
            Judgement::Blunder => "blunder",
        }
    }

    /// Judges a move by the scores of the best move and the played one, both for the player who moves.
    pub fn of(best: Score, played: Score) -> Self {
        let loss = Loss::of(best, played);
        // The smallest losses of an inaccuracy, a mistake and a blunder.
        let steps = match loss {
            Loss::Margin(_) | Loss::Points(_) => [0.5, 2.0, 6.0],
            Loss::Result(_) => [0.1, 0.35, 0.8],
        };
        let passed = steps.iter().filter(|step| loss.amount() >= **step);
        let by_loss = Judgement::ALL[passed.count()];
        if !(best.is_proven() && played.is_proven()) {
            return by_loss;
        }
        // If both are proven, the result counts as well.
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
    /// A part of the final margin: seeds or cells.
    Margin(f64),
    /// Points of an evaluation.
    Points(f64),
    /// A part of the result: a win that became a loss is 2. Scores in different units are compared by their prospects.
    Result(f64),
}

impl Loss {
    /// Giving away this many seeds, or cells, halves the accuracy.
    pub const HALF_SEEDS: f64 = 4.0;
    /// Giving away this part of the result, which is 1 from a loss to a win, halves the accuracy.
    pub const HALF_RESULT: f64 = 0.25;

    /// What was given away by playing one move instead of the best one. Both scores are for the player who moves.
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

    /// The amount that was given away.
    pub const fn amount(self) -> f64 {
        match self {
            Loss::Margin(amount) | Loss::Points(amount) | Loss::Result(amount) => amount,
        }
    }
}

/// A move that has been judged. Scores are for the player who made it.
#[derive(Clone, Debug, PartialEq)]
pub struct JudgedMove {
    /// The move's index in the line, from 0.
    pub ply: usize,
    /// The phase of the game.
    pub phase: Phase,
    /// Whether it was the only legal move.
    pub is_forced: bool,
    /// The player who made it.
    pub player: Player,
    /// The move.
    pub played: AnyMove,
    /// The best move; the played one, if none is better.
    pub best: AnyMove,
    /// Best play, beginning with the best move.
    pub line: Vec<AnyMove>,
    /// The score of the best move.
    pub best_score: Score,
    /// The score of the played move.
    pub played_score: Score,
    /// What was given away.
    pub loss: Loss,
    /// The judgement.
    pub judgement: Judgement,
}

impl JudgedMove {
    /// How good the move was, 0 to 1: 1 if nothing was given away, halved for every [`Loss::HALF_SEEDS`] seeds given away,
    /// or for every [`Loss::HALF_RESULT`] of the result where seeds are not counted.
    pub fn accuracy(&self) -> f64 {
        let halves = match self.loss {
            Loss::Margin(seeds) => seeds / Loss::HALF_SEEDS,
            Loss::Points(_) | Loss::Result(_) => self.swing() / (2.0 * Loss::HALF_RESULT),
        };
        (-halves).exp2()
    }

    /// How much the move worsened its player's prospects, 0 to 2: a win that became a loss is 2.
    pub fn swing(&self) -> f64 {
        (self.best_score.prospect() - self.played_score.prospect()).max(0.0)
    }

    /// Whether both scores are proven.
    pub fn is_proven(&self) -> bool {
        self.best_score.is_proven() && self.played_score.is_proven()
    }
}
