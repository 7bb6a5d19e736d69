//! Positions whose value can be worked out without playing on.

use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_terms::Charge;
use kalahari_walks::Endgame;
use std::fmt::Debug;

/// Works out positions of one game. Every thread of a search has its own.
pub trait Theory<G: Game>: Debug + Send {
    /// Bounds of the final margin as the mover sees it, for positions that the theory covers; `None` for all others.
    /// The bounds are narrowed until they are equal, or `is_enough` accepts them, or the account, to which a node is charged
    /// every few microseconds, says to give up.
    fn bounds(
        &mut self,
        position: &G::Position,
        is_enough: impl Fn(i32, i32) -> bool,
        charge: &mut impl Charge,
    ) -> Option<(i32, i32)>;
}

/// For games without a theory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl<G: Game> Theory<G> for NoTheory {
    #[inline(always)]
    fn bounds(
        &mut self,
        _: &G::Position,
        _: impl Fn(i32, i32) -> bool,
        _: &mut impl Charge,
    ) -> Option<(i32, i32)> {
        None
    }
}

/// Isolation with separated pieces; nothing in `classic`.
#[derive(Debug)]
pub struct Separation<B: Bits>(Option<Endgame<B>>);

impl<B: Bits> Separation<B> {
    /// The theory of a game.
    pub fn new(game: &Isolation<B>) -> Self {
        Separation(Endgame::new(game))
    }
}

impl<B: Bits> Theory<Isolation<B>> for Separation<B> {
    #[inline]
    fn bounds(
        &mut self,
        position: &IsolationPosition<B>,
        is_enough: impl Fn(i32, i32) -> bool,
        charge: &mut impl Charge,
    ) -> Option<(i32, i32)> {
        let endgame = self.0.as_mut()?;
        let sides = endgame.sides(position)?;
        Some(endgame.bounds(position, &sides, is_enough, charge))
    }
}
