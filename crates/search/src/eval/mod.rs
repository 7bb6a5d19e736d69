//! Evaluations: what a position looks worth without searching it.
//!
//! One file an evaluation. The macro at the end of this file is the registry: a line there gives an
//! evaluation its name, makes it known to every player and command, and lists its parameters.

mod again;
mod hash;
mod kalahari;
mod mobility;
mod phased;
mod reach;
mod stores;
mod weighted;

pub use again::Again;
pub use hash::HashEval;
pub use kalahari::{FEATURES, Kalahari, features};
pub use mobility::Mobility;
pub use phased::Phased;
pub use reach::Reach;
pub use stores::Stores;
pub use weighted::Weighted;

use crate::Parameter;
use kalahari_games::Game;
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition, IsolationRule};
use kalahari_games::kalah::{Board, Kalah};
use std::fmt::Debug;

/// Judges positions of a game for the player to move.
pub trait Evaluation<G: Game>: Clone + Debug + Default + Send + Sync + 'static {
    /// What a game that is not over looks worth to the player to move. `again` says that this player
    /// has also made the last move (an extra turn).
    fn evaluate(&self, game: &G, position: &G::Position, again: bool) -> i32;

    /// What a finished game of this margin is worth, on the same scale. Larger margins are worth more.
    fn finished(&self, margin: i32) -> i32;

    /// The margin that [`finished`](Evaluation::finished) made into `value`.
    fn margin(&self, value: i32) -> i32;

    /// What a banked point adds: evaluations are this much times the points banked plus something that
    /// does not depend on them. 0 where nothing is banked.
    fn point(&self) -> i32;

    /// How far an evaluation may lie outside what the reachable final margins are worth.
    fn overshoot(&self) -> i32;

    /// Whether `again` matters.
    fn uses_again(&self) -> bool;

    /// The evaluation's name.
    fn name(&self) -> &'static str;

    /// The evaluation of a name, with its default parameters.
    fn by_name(name: &str) -> Option<Self>;

    /// All names, with a line on each.
    fn list() -> Vec<(&'static str, &'static str)>;

    /// The evaluation a player uses if none is named.
    fn of_choice() -> Self;

    /// The same evaluation with the default parameters of a game: they may differ from rule to rule.
    fn suited_to(self, game: &G) -> Self;

    /// Whether positions that are turns or reflections of each other are always worth the same.
    fn is_symmetric(&self) -> bool;

    /// What can be changed.
    fn parameters(&self) -> Vec<Parameter>;

    /// Changes the parameter of a name; false if there is none.
    fn set(&mut self, name: &str, value: f64) -> bool;
}

/// One Kalah evaluation.
trait KalahTerm: Default {
    fn evaluate<B: Board>(&self, game: &Kalah<B>, position: &B, again: bool) -> i32;
    /// What a seed in store is worth.
    fn point(&self) -> i32;
    fn overshoot(&self) -> i32 {
        0
    }
    fn uses_again(&self) -> bool {
        false
    }
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }
    fn set(&mut self, _name: &str, _value: f64) -> bool {
        false
    }
}

/// One Isolation evaluation.
trait IsolationTerm: Default {
    fn evaluate<B: Bits>(&self, game: &Isolation<B>, position: &IsolationPosition<B>) -> i32;
    fn suited_to(self, _rule: IsolationRule) -> Self {
        self
    }
    fn is_symmetric() -> bool {
        false
    }
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }
    fn set(&mut self, _name: &str, _value: f64) -> bool {
        false
    }
}

/// More than any evaluation of an Isolation game that goes on.
const WIN: i32 = 100_000_000;

macro_rules! kalah_registry {
    ($($name:literal $type:ident $about:literal,)*) => {
        /// The evaluations of Kalah.
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum KalahEval { $($type($type),)* }

        impl<B: Board> Evaluation<Kalah<B>> for KalahEval {
            #[inline]
            fn evaluate(&self, game: &Kalah<B>, position: &B, again: bool) -> i32 {
                match self { $(KalahEval::$type(term) => KalahTerm::evaluate(term, game, position, again),)* }
            }
            #[inline]
            fn finished(&self, margin: i32) -> i32 {
                margin * self.point_of()
            }
            fn margin(&self, value: i32) -> i32 {
                value / self.point_of().max(1)
            }
            #[inline]
            fn point(&self) -> i32 {
                self.point_of()
            }
            fn overshoot(&self) -> i32 {
                match self { $(KalahEval::$type(term) => term.overshoot(),)* }
            }
            fn uses_again(&self) -> bool {
                match self { $(KalahEval::$type(term) => term.uses_again(),)* }
            }
            fn name(&self) -> &'static str {
                match self { $(KalahEval::$type(_) => $name,)* }
            }
            fn by_name(name: &str) -> Option<Self> {
                match name { $($name => Some(KalahEval::$type($type::default())),)* _ => None }
            }
            fn list() -> Vec<(&'static str, &'static str)> {
                vec![$(($name, $about),)*]
            }
            fn of_choice() -> Self {
                KalahEval::Kalahari(Kalahari::default())
            }
            fn suited_to(self, _: &Kalah<B>) -> Self {
                self
            }
            fn is_symmetric(&self) -> bool {
                false
            }
            fn parameters(&self) -> Vec<Parameter> {
                match self { $(KalahEval::$type(term) => KalahTerm::parameters(term),)* }
            }
            fn set(&mut self, name: &str, value: f64) -> bool {
                match self { $(KalahEval::$type(term) => KalahTerm::set(term, name, value),)* }
            }
        }

        impl KalahEval {
            #[inline]
            fn point_of(&self) -> i32 {
                match self { $(KalahEval::$type(term) => term.point(),)* }
            }
        }
    };
}

macro_rules! isolation_registry {
    ($($name:literal $type:ident $about:literal,)*) => {
        /// The evaluations of Isolation.
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum IsolationEval { $($type($type),)* }

        impl<B: Bits> Evaluation<Isolation<B>> for IsolationEval {
            #[inline]
            fn evaluate(&self, game: &Isolation<B>, position: &IsolationPosition<B>, _: bool) -> i32 {
                match self { $(IsolationEval::$type(term) => IsolationTerm::evaluate(term, game, position),)* }
            }
            #[inline]
            fn finished(&self, margin: i32) -> i32 {
                margin.signum() * WIN + margin
            }
            fn margin(&self, value: i32) -> i32 {
                // Everything between a win and a loss is a draw, whatever it was taken to be worth.
                (value - value.signum() * WIN) * i32::from(value.abs() >= WIN)
            }
            #[inline]
            fn point(&self) -> i32 {
                0
            }
            fn overshoot(&self) -> i32 {
                0
            }
            fn uses_again(&self) -> bool {
                false
            }
            fn name(&self) -> &'static str {
                match self { $(IsolationEval::$type(_) => $name,)* }
            }
            fn by_name(name: &str) -> Option<Self> {
                match name { $($name => Some(IsolationEval::$type($type::default())),)* _ => None }
            }
            fn list() -> Vec<(&'static str, &'static str)> {
                vec![$(($name, $about),)*]
            }
            fn of_choice() -> Self {
                IsolationEval::Reach(Reach::default())
            }
            fn suited_to(self, game: &Isolation<B>) -> Self {
                let rule = game.isolation_spec().rule();
                match self { $(IsolationEval::$type(term) => IsolationEval::$type(IsolationTerm::suited_to(term, rule)),)* }
            }
            fn is_symmetric(&self) -> bool {
                match self { $(IsolationEval::$type(_) => <$type as IsolationTerm>::is_symmetric(),)* }
            }
            fn parameters(&self) -> Vec<Parameter> {
                match self { $(IsolationEval::$type(term) => IsolationTerm::parameters(term),)* }
            }
            fn set(&mut self, name: &str, value: f64) -> bool {
                match self { $(IsolationEval::$type(term) => IsolationTerm::set(term, name, value),)* }
            }
        }
    };
}

kalah_registry! {
    "kalahari" Kalahari "our own: stores, rows, extra turns, captures, fitted to deep searches; hundredths of a seed",
    "stores" Stores "difference of the stores",
    "weighted" Weighted "weight (18) times the difference of the stores, plus the difference of the rows",
    "again" Again "difference of the stores, plus or minus bonus (6) for an extra turn",
    "hash" HashEval "a random number made from the position, to test searches",
}

isolation_registry! {
    "reach" Reach "cells the mover gets to first minus cells the opponent gets to first",
    "mobility" Mobility "own steps minus the opponent's",
    "phased" Phased "first toward the centre, then room, centre and open steps",
    "hash" HashEval "a random number made from the position, to test searches",
}

impl Default for KalahEval {
    fn default() -> Self {
        KalahEval::Kalahari(Kalahari::default())
    }
}

impl Default for IsolationEval {
    fn default() -> Self {
        IsolationEval::Reach(Reach::default())
    }
}
