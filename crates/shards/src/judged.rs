//! Judged games as files keep them: only what cannot be computed from the game itself.

use kalahari_games::{AnyMove, Game, Player};
use kalahari_study::{GameToReview, JudgedMove, Judgement, Loss, Phase};
use kalahari_terms::{Score, Unit};
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::str::FromStr;
use thiserror::Error;

/// A score as text: `seeds 1.5`, or `margin 4 proven`. Its player is the mover.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
struct ScoreText(String);

impl ScoreText {
    fn new(score: Score) -> Self {
        let proven = if score.is_proven() { " proven" } else { "" };
        // Rust prints a number so that reading it back gives the same number.
        ScoreText(format!(
            "{} {}{proven}",
            score.worth().unit().name(),
            score.amount()
        ))
    }

    fn read(&self, player: Player) -> Option<Score> {
        let mut words = self.0.split(' ');
        let (unit, amount) = (words.next()?, words.next()?);
        let unit = Unit::ALL.into_iter().find(|known| known.name() == unit)?;
        let worth = unit.worth(f64::from_str(amount).ok()?)?;
        match words.next() {
            None => Some(Score::estimate(player, worth)),
            Some("proven") => Some(Score::proven(player, worth)),
            Some(_) => None,
        }
    }
}

/// A judged move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptMove {
    ply: usize,
    /// The best move.
    mv: AnyMove,
    line: Vec<AnyMove>,
    /// The scores of the best move and of the played move.
    best: ScoreText,
    played: ScoreText,
}

/// The judged moves of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct KeptGame(Vec<KeptMove>);

/// The judged moves do not belong to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("these judgements belong to another game")]
pub struct OtherMoves;

impl KeptGame {
    /// The judged moves in the form that files keep.
    pub fn new(moves: &[JudgedMove]) -> Self {
        let kept = moves.iter().map(|judged| KeptMove {
            ply: judged.ply,
            mv: judged.best,
            line: judged.line.clone(),
            best: ScoreText::new(judged.best_score),
            played: ScoreText::new(judged.played_score),
        });
        KeptGame(kept.collect())
    }

    /// The judged moves of the game that it was made from: all moves after the opening, in order.
    pub fn moves(&self, game: &GameToReview) -> Result<Vec<JudgedMove>, OtherMoves> {
        let plies = self.0.iter().map(|kept| kept.ply);
        if !plies.eq(game.opening..game.played.moves.len()) {
            return Err(OtherMoves);
        }
        let moves = self.0.iter().map(|kept| kept.judged(game));
        moves.collect::<Option<Vec<_>>>().ok_or(OtherMoves)
    }

    /// The checks that are possible without the game: plies without gaps, and scores that can be read.
    pub(crate) fn is_plausible(&self) -> bool {
        let first = self.0.first().map_or(0, |kept| kept.ply);
        (first..).zip(&self.0).all(|(ply, kept)| {
            let scores = [&kept.best, &kept.played];
            let is_read = |score: &&ScoreText| score.read(Player::First).is_some();
            kept.ply == ply && scores.iter().all(is_read)
        })
    }

    /// A hash of it, stable within this process only.
    pub(crate) fn fingerprint(&self) -> i64 {
        let mut hasher = DefaultHasher::new();
        for kept in &self.0 {
            (kept.ply, kept.mv, &kept.line).hash(&mut hasher);
            (&kept.best.0, &kept.played.0).hash(&mut hasher);
        }
        hasher.finish().cast_signed()
    }
}

impl KeptMove {
    fn judged(&self, game: &GameToReview) -> Option<JudgedMove> {
        let played = &game.played;
        let rules = &played.game;
        let (position, mv) = (
            played.positions.get(self.ply)?,
            *played.moves.get(self.ply)?,
        );
        let player = rules.to_move(position);
        let legal: Vec<AnyMove> = rules.moves(position).collect();
        if !legal.contains(&self.mv) {
            return None;
        }
        let (best_score, played_score) = (self.best.read(player)?, self.played.read(player)?);
        if played_score.compare(best_score).is_gt() {
            return None;
        }
        // A viewer will play the moves of the line, so they must be legal.
        let mut after = *position;
        for &mv in &self.line {
            after = rules.play(&after, mv).ok()?;
        }
        Some(JudgedMove {
            ply: self.ply,
            phase: Phase::of(rules, position),
            is_forced: legal.len() == 1,
            player,
            played: mv,
            best: self.mv,
            line: self.line.clone(),
            best_score,
            played_score,
            loss: Loss::of(best_score, played_score),
            judgement: Judgement::of(best_score, played_score),
        })
    }
}
