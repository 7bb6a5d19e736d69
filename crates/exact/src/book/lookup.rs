//! A book in use.

use super::walk::{Walk, code};
use kalahari_games::Game;
use kalahari_games::kalah::{Board, Kalah, KalahSpec, Packed, Pit};
use std::collections::HashMap;

/// The exact future margins of all positions within some plies of a game's start.
#[derive(Clone, Debug)]
pub struct Book {
    game: KalahSpec,
    plies: u32,
    frontier: Vec<u8>,
    margins: HashMap<u64, i16>,
}

impl Book {
    /// The book of a walk and the bytes of its frontier, each half the sum of future margin and seeds in play; `None` if there
    /// are too few or too many, or one is impossible.
    pub(super) fn of_bytes(walk: &Walk, frontier: Vec<u8>) -> Option<Self> {
        if frontier.len() != walk.frontier().len() {
            return None;
        }
        let game = walk.game();
        let mut margins = HashMap::with_capacity(frontier.len() + walk.inner().len());
        for (position, &byte) in walk.frontier().iter().zip(&frontier) {
            let seeds = position.seeds_in_play();
            if u32::from(byte) > seeds {
                return None;
            }
            let margin = 2 * i16::from(byte) - seeds as i16;
            margins.insert(code(game, position), margin);
        }
        // A move may lead to a position earlier in the walk, so going through the walk in order is not enough.
        for position in walk.inner() {
            minimax(game, position, &mut margins);
        }
        Some(Book {
            game: game.kalah_spec(),
            plies: walk.plies(),
            frontier,
            margins,
        })
    }

    /// The game from whose start the positions are reached; never with the end by majority.
    pub fn game(&self) -> KalahSpec {
        self.game
    }

    /// Every position within this many plies is known.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// How many positions are known, those of the frontier included.
    pub fn positions(&self) -> usize {
        self.margins.len()
    }

    /// The bytes of the frontier.
    pub(super) fn frontier(&self) -> &[u8] {
        &self.frontier
    }

    /// The future margin of a position as its mover sees it, or `None` if it is not in the book. Stores do not matter:
    /// positions of other games with the same number of pits and rule are found, too, if their pits hold the same seeds.
    pub fn future_margin<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        let spec = game.kalah_spec();
        let of_family = spec.pits() == self.game.pits() && spec.rule() == self.game.rule();
        if !of_family || position.seeds_in_play() > self.game.total() {
            return None;
        }
        let margin = self.margins.get(&code(game, position))?;
        Some(i32::from(*margin))
    }

    /// The final margin of a position, stores included, as its mover sees it.
    pub fn final_margin<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<i32> {
        Some(game.store_margin(position) + self.future_margin(game, position)?)
    }

    /// The final margin of every move of a position, as its mover sees it; `None` unless all are known.
    pub fn moves<B: Board>(&self, game: &Kalah<B>, position: &B) -> Option<Vec<(Pit, i32)>> {
        let value = |pit: Pit| {
            let after = game.play_unchecked(position, pit);
            let margin = match after.is_finished() {
                true => game.store_margin(&after),
                false => self.final_margin(game, &after)?,
            };
            let again = after.player() == position.player();
            Some((pit, if again { margin } else { -margin }))
        };
        game.moves(position).map(value).collect()
    }
}

/// The future margin of a position whose successors are all known, finished, or positions of the same kind.
fn minimax(game: &Kalah<Packed>, position: &Packed, margins: &mut HashMap<u64, i16>) -> i16 {
    if let Some(&margin) = margins.get(&code(game, position)) {
        return margin;
    }
    let lead = game.store_margin(position) as i16;
    let mut best = i16::MIN;
    for pit in game.moves(position) {
        let after = game.play_unchecked(position, pit);
        let future = match after.is_finished() {
            true => 0,
            false => minimax(game, &after, margins),
        };
        let margin = game.store_margin(&after) as i16 + future;
        let again = after.player() == position.player();
        best = best.max(if again { margin } else { -margin } - lead);
    }
    margins.insert(code(game, position), best);
    best
}
