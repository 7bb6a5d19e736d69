//! All positions near the start of a game, in a fixed order.

use kalahari_games::Game;
use kalahari_games::kalah::{Kalah, KalahSpec, Packed};
use std::collections::HashSet;
use thiserror::Error;

/// No book has more positions than this.
pub const MOST_BOOK_POSITIONS: usize = 1 << 24;

/// No book goes further than this.
pub const MOST_BOOK_PLIES: u32 = 200;

/// Why a game has no book of some plies.
#[derive(Debug, Error)]
pub enum WalkError {
    /// The board is too large for the codes of books.
    #[error(
        "books are for boards of up to 7 pits whose positions have a code of 64 bits, not for {game}"
    )]
    Board {
        /// The game.
        game: KalahSpec,
    },
    /// There are too many plies.
    #[error("books have at most {MOST_BOOK_PLIES} plies, not {plies}")]
    TooFar {
        /// The plies.
        plies: u32,
    },
    /// There are too many positions.
    #[error(
        "{game} has more than {MOST_BOOK_POSITIONS} positions within {plies} plies; choose fewer plies"
    )]
    TooMany {
        /// The game.
        game: KalahSpec,
        /// The first number of plies that is too large.
        plies: u32,
    },
}

/// The positions within a number of plies of a game's start; finished games are left out.
///
/// The order is part of the format of books: ply by ply, the moves of each position from the lowest pit up, each
/// position where it is met first. The end by majority is ignored.
#[derive(Clone, Debug)]
pub struct Walk {
    game: Kalah<Packed>,
    plies: u32,
    seen: HashSet<u64>,
    inner: Vec<Packed>,
    frontier: Vec<Packed>,
}

impl Walk {
    /// The start alone.
    pub fn new(spec: KalahSpec) -> Result<Self, WalkError> {
        let spec = spec.with_majority(false);
        let game = Kalah::<Packed>::new(spec).map_err(|_| WalkError::Board { game: spec })?;
        if game.ranking().bits(spec.total()) > 64 {
            return Err(WalkError::Board { game: spec });
        }
        let start = game.start();
        Ok(Walk {
            seen: HashSet::from([code(&game, &start)]),
            inner: Vec::new(),
            frontier: vec![start],
            plies: 0,
            game,
        })
    }

    /// The positions within `plies` plies.
    pub fn of(spec: KalahSpec, plies: u32) -> Result<Self, WalkError> {
        let mut walk = Walk::new(spec)?;
        if plies > MOST_BOOK_PLIES {
            return Err(WalkError::TooFar { plies });
        }
        while walk.plies < plies {
            let next = walk.next_ply()?;
            walk.go_on(next);
        }
        Ok(walk)
    }

    /// The deepest walk of at most `plies` plies whose frontier has at most `size` positions.
    pub fn within(spec: KalahSpec, plies: u32, size: usize) -> Result<Self, WalkError> {
        let mut walk = Walk::new(spec)?;
        while walk.plies < plies && !walk.frontier.is_empty() {
            let next = walk.next_ply()?;
            if next.len() > size {
                break;
            }
            walk.go_on(next);
        }
        Ok(walk)
    }

    /// The positions that one more ply would meet for the first time.
    fn next_ply(&self) -> Result<Vec<Packed>, WalkError> {
        let mut met = HashSet::new();
        let mut next = Vec::new();
        for position in &self.frontier {
            for pit in self.game.moves(position) {
                let after = self.game.play_unchecked(position, pit);
                let code = code(&self.game, &after);
                if !self.game.is_over(&after) && !self.seen.contains(&code) && met.insert(code) {
                    next.push(after);
                }
            }
            if self.seen.len() + next.len() > MOST_BOOK_POSITIONS {
                return Err(WalkError::TooMany {
                    game: self.game.kalah_spec(),
                    plies: self.plies + 1,
                });
            }
        }
        Ok(next)
    }

    fn go_on(&mut self, next: Vec<Packed>) {
        self.seen
            .extend(next.iter().map(|position| code(&self.game, position)));
        self.inner
            .extend(std::mem::replace(&mut self.frontier, next));
        self.plies += 1;
    }

    /// The game, without the end by majority.
    pub fn game(&self) -> &Kalah<Packed> {
        &self.game
    }

    /// How far the walk goes.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The positions that take fewer plies to reach: all their successors are in the walk or are finished games.
    pub fn inner(&self) -> &[Packed] {
        &self.inner
    }

    /// The positions that take all plies to reach.
    pub fn frontier(&self) -> &[Packed] {
        &self.frontier
    }
}

/// The code of a position in a book: equal for positions with equal pits as the mover sees them.
pub(super) fn code<B: kalahari_games::kalah::Board>(game: &Kalah<B>, position: &B) -> u64 {
    // A walk is made only where ranks fit.
    game.rank(position) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(name: &str, plies: u32) -> (usize, usize) {
        let walk = Walk::of(name.parse().expect("a game"), plies).expect("small");
        (walk.inner().len(), walk.frontier().len())
    }

    #[test]
    fn transpositions_are_one_position() {
        assert_eq!(sizes("kalah:6x4", 0), (0, 1));
        assert_eq!(sizes("kalah:6x4", 1), (1, 6));
        // 942 sequences of four moves; the first transposition is among them.
        assert_eq!(sizes("kalah:6x4", 4), (1 + 6 + 35 + 185, 941));
    }

    #[test]
    fn small_games_end() {
        let (inner, frontier) = sizes("kalah:2x2", 100);
        assert!(inner > 10);
        assert_eq!(frontier, 0);
    }

    #[test]
    fn limits_are_errors() {
        let walk = |name: &str, plies| Walk::of(name.parse().expect("a game"), plies);
        assert!(matches!(
            walk("kalah:12x4", 1),
            Err(WalkError::Board { .. })
        ));
        assert!(matches!(
            walk("kalah:7x18", 1),
            Err(WalkError::Board { .. })
        ));
        // However few positions there are.
        let far = walk("kalah:2x2", 4_000_000_000);
        assert!(matches!(far, Err(WalkError::TooFar { .. })));
        let within = Walk::within("kalah:6x4".parse().expect("a game"), 99, 1000).expect("a walk");
        assert!(within.frontier().len() <= 1000);
        assert_eq!(within.plies(), 4);
    }
}
