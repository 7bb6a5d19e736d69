//! What a search needs to know about a game besides its rules: the sum of what its parts need.

use crate::eval::{IsolationEval, KalahEval, Registry};
use crate::theory::{NoTheory, Separation, Theory};
use crate::{Glance, MoveOrdering, TableKeys};
use kalahari_games::Typed;
use kalahari_games::isolation::{Bits, Isolation};
use kalahari_games::kalah::{Board, Kalah};

/// A game that the players of this crate can search. [`with_game!`](kalahari_games::with_game) gives one for every
/// [`AnyGame`](kalahari_games::AnyGame).
pub trait Searchable: Typed + TableKeys + MoveOrdering + Glance {
    /// The evaluations that players of this game can name.
    type Eval: Registry<Self>;

    /// The theory of positions whose value can be worked out without a search.
    type Theory: Theory<Self>;

    /// The game's theory, for one thread.
    fn theory(&self) -> Self::Theory;
}

impl<B: Board> Searchable for Kalah<B>
where
    Self: Typed,
{
    type Eval = KalahEval;
    type Theory = NoTheory;

    fn theory(&self) -> NoTheory {
        NoTheory
    }
}

impl<B: Bits> Searchable for Isolation<B>
where
    Self: Typed,
{
    type Eval = IsolationEval;
    type Theory = Separation<B>;

    fn theory(&self) -> Separation<B> {
        Separation::new(self)
    }
}
