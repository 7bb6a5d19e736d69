//! Games played quickly to their end, to see who wins.

use super::heuristic::Heuristic;
use crate::eval::Evaluation;
use crate::{Glance, MoveOrdering, Rng};
use kalahari_games::{Game, Outcome, Player};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How a playout chooses its moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Playout {
    /// Any legal move, all equally likely.
    #[default]
    Random,
    /// Mostly the move that looks most promising, now and then a random one.
    Greedy,
    /// Random for this many moves; then the heuristic value instead of a result.
    Cut(u32),
}

/// Why a text does not name a playout.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PlayoutError {
    /// The text after `cut:` is not a number.
    #[error("'{0}' is not a number of moves")]
    Moves(String),
    /// Anything else.
    #[error("a playout is random, greedy or cut:K")]
    Unknown,
}

impl FromStr for Playout {
    type Err = PlayoutError;

    fn from_str(text: &str) -> Result<Self, PlayoutError> {
        match text.split_once(':') {
            None if text == "random" => Ok(Playout::Random),
            None if text == "greedy" => Ok(Playout::Greedy),
            Some(("cut", moves)) => moves
                .parse()
                .map(Playout::Cut)
                .map_err(|_| PlayoutError::Moves(moves.to_owned())),
            _ => Err(PlayoutError::Unknown),
        }
    }
}

impl fmt::Display for Playout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Playout::Random => f.write_str("random"),
            Playout::Greedy => f.write_str("greedy"),
            Playout::Cut(moves) => write!(f, "cut:{moves}"),
        }
    }
}

/// What an outcome is worth to the first player: 1, 1/2 or 0.
pub(super) fn points(outcome: Outcome) -> f64 {
    match outcome.winner() {
        Some(Player::First) => 1.0,
        Some(Player::Second) => 0.0,
        None => 0.5,
    }
}

/// A share as the first player sees it.
#[inline]
pub(super) fn for_first(mover: Player, share: f64) -> f64 {
    match mover {
        Player::First => share,
        Player::Second => 1.0 - share,
    }
}

impl Playout {
    /// About how many nodes of a search take as long: a playout to the end is a lot of work.
    pub(super) fn nodes(self) -> u64 {
        match self {
            Playout::Random | Playout::Greedy => 60,
            Playout::Cut(moves) => 10 + u64::from(moves.min(50)),
        }
    }

    /// Plays on from a position and gives the first player's points. `last` has made the move before, if there was one.
    pub(super) fn play<G: Glance + MoveOrdering, E: Evaluation<G>>(
        self,
        heuristic: &Heuristic<'_, G, E>,
        mut position: G::Position,
        mut last: Option<Player>,
        rng: &mut Rng,
    ) -> f64 {
        let game = heuristic.game;
        let mut played = 0;
        loop {
            let count = game.count_moves(&position) as usize;
            if count == 0 {
                return game.outcome(&position).map_or(0.5, points);
            }
            if self == Playout::Cut(played) {
                let share = heuristic.share(&position, last);
                return for_first(game.to_move(&position), share);
            }
            played += 1;
            last = Some(game.to_move(&position));
            position = match self {
                Playout::Greedy if rng.below(8) > 0 => greedy(game, &position),
                _ => any_move(game, &position, count, rng),
            };
        }
    }
}

#[inline]
fn any_move<G: Game>(game: &G, position: &G::Position, count: usize, rng: &mut Rng) -> G::Position {
    match game.moves(position).nth(rng.below(count)) {
        Some(mv) => game.play_unchecked(position, mv),
        None => *position,
    }
}

fn greedy<G: MoveOrdering>(game: &G, position: &G::Position) -> G::Position {
    let children = game.moves(position).map(|mv| {
        let child = game.play_unchecked(position, mv);
        (game.promise(position, mv, &child), child)
    });
    let best = children.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(*position, |(_, child)| child)
}
