//! The evaluations that have a name.

use super::{Again, HashEval, Kalahari, Mobility, Net, Phased, Reach, Stores, Weighted};
use super::{EvalError, Evaluation, Scale};
use crate::{Parameter, ParameterError};
use kalahari_games::isolation::{Bits, Isolation, IsolationPosition};
use kalahari_games::kalah::{Board, Kalah};
use kalahari_games::{Game, GameSpec};

/// All evaluations of a game that players and commands know by name; a value of this type is one of them, ready for use.
pub trait Registry<G: Game>: Evaluation<G> + Clone + 'static {
    /// All named evaluations.
    fn kinds() -> &'static [EvalKind];

    /// The parameters of a named evaluation, with the defaults of a game; empty if there is no such name.
    fn parameters(name: &str, game: &G) -> Vec<Parameter>;

    /// Makes the evaluation of a name, which may be followed by a colon and the file it is made from. Options are
    /// parameters and files; the game's defaults apply to everything else.
    fn new(name: &str, game: &G, options: &[(&str, &str)]) -> Result<Self, EvalError>;

    /// The evaluation a player uses if none is named.
    fn of_choice(game: &G) -> Self;

    /// The trained evaluation of a game, if there is one.
    fn learned(game: &G) -> Option<Self>;

    /// Whether it was trained.
    fn is_learned(&self) -> bool;

    /// The simplest one that makes sense.
    fn plainest(game: &G) -> Self;

    /// Its name.
    fn name(&self) -> &'static str;

    /// Its parameters, with the values they have in it.
    fn current(&self) -> Vec<Parameter>;
}

/// A named evaluation, for lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EvalKind {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Options that name a file it can be made from.
    pub files: &'static [&'static str],
}

/// The option that names a file of weights; `NAME:FILE` is short for `NAME` with this option.
pub(super) const WEIGHTS: &str = "weights";

/// The name of an evaluation and the file that follows it, if there is one.
pub fn name_and_file(text: &str) -> (&str, Option<&str>) {
    match text.split_once(':') {
        Some((name, file)) => (name, Some(file)),
        None => (text, None),
    }
}

/// How the registry makes an evaluation.
pub(super) trait Named: Sized {
    /// Options that name a file.
    const FILES: &'static [&'static str] = &[];

    /// Whether it was trained.
    const IS_LEARNED: bool = false;

    /// With the defaults for a game, if there is one for it.
    fn of_game(spec: GameSpec) -> Result<Self, EvalError>;

    /// Its parameters, with the values they have in it.
    fn current(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// Changes one of [`current`](Named::current) to a value that has been checked.
    fn set(&mut self, _name: &str, _value: f64) {}

    /// With the defaults for a game, changed by options. An evaluation made from a file reads it here.
    fn named(spec: GameSpec, options: &[(&str, &str)]) -> Result<Self, EvalError> {
        let mut eval = Self::of_game(spec)?;
        set_all(&mut eval, options)?;
        Ok(eval)
    }
}

/// Sets parameters as options say.
pub(super) fn set_all<E: Named>(
    eval: &mut E,
    options: &[(&str, &str)],
) -> Result<(), ParameterError> {
    let parameters = eval.current();
    for &(name, text) in options {
        let found = parameters.iter().find(|parameter| parameter.name == name);
        let parameter = found.ok_or_else(|| ParameterError::Unknown {
            name: name.to_owned(),
            known: parameters.iter().map(|parameter| parameter.name).collect(),
        })?;
        let value = parameter.read(text)?;
        if value != parameter.value {
            eval.set(name, value);
        }
    }
    Ok(())
}

/// Makes the type of all evaluations of a game: one variant each, so that calls are dispatched statically.
macro_rules! registry {
    (
        $(#[$doc:meta])*
        $enum:ident: $game:ident<$board:ident: $bound:ident> at $position:ty, by choice $choice:path, learned $learned:path, plainest $plainest:ident;
        $($name:literal $type:ident $about:literal,)*
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        #[allow(missing_docs)]
        pub enum $enum { $($type($type),)* }

        impl<$board: $bound> Evaluation<$game<$board>> for $enum {
            // If this is not inlined, a search with a simple evaluation is a tenth slower.
            #[inline(always)]
            fn evaluate(&self, game: &$game<$board>, position: &$position, again: bool) -> i32 {
                match self {
                    $($enum::$type(eval) => Evaluation::<$game<$board>>::evaluate(eval, game, position, again),)*
                }
            }

            fn scale(&self) -> Scale {
                match self { $($enum::$type(eval) => Evaluation::<$game<$board>>::scale(eval),)* }
            }
        }

        impl<$board: $bound> Registry<$game<$board>> for $enum {
            fn kinds() -> &'static [EvalKind] {
                const { &[$(EvalKind { name: $name, about: $about, files: <$type as Named>::FILES },)*] }
            }

            fn parameters(name: &str, game: &$game<$board>) -> Vec<Parameter> {
                let current = match name_and_file(name).0 {
                    $($name => <$type as Named>::of_game(game.spec()).map(|eval| Named::current(&eval)),)*
                    _ => Ok(Vec::new()),
                };
                current.unwrap_or_default()
            }

            fn new(name: &str, game: &$game<$board>, options: &[(&str, &str)]) -> Result<Self, EvalError> {
                let (name, file) = name_and_file(name);
                let mut options = options.to_vec();
                options.extend(file.map(|file| (WEIGHTS, file)));
                match name {
                    $($name => <$type as Named>::named(game.spec(), &options).map($enum::$type),)*
                    _ => Err(EvalError::Unknown { name: name.to_owned(), known: vec![$($name,)*] }),
                }
            }

            fn of_choice(game: &$game<$board>) -> Self {
                $choice(game.spec())
            }

            fn learned(game: &$game<$board>) -> Option<Self> {
                $learned(game.spec())
            }

            fn is_learned(&self) -> bool {
                match self { $($enum::$type(_) => <$type as Named>::IS_LEARNED,)* }
            }

            fn plainest(_: &$game<$board>) -> Self {
                $enum::$plainest($plainest)
            }

            fn name(&self) -> &'static str {
                match self { $($enum::$type(_) => $name,)* }
            }

            fn current(&self) -> Vec<Parameter> {
                match self { $($enum::$type(eval) => Named::current(eval),)* }
            }
        }
    };
}

/// The program's net, or the best evaluation without one. The weights of `kalahari` were fitted on 6 pits and up to 72 seeds,
/// and are used on boards not much larger. On larger ones they lost to `stores` (37 to 43% on 9 and 11 pits, 26 to 39%
/// with 112 seeds and more, 50 games each), so `stores` is used there.
fn best_for_kalah(spec: GameSpec) -> KalahEval {
    net_for_kalah(spec).unwrap_or_else(|| match spec {
        GameSpec::Kalah(game) if game.pits() <= 7 && game.total() <= 84 => {
            KalahEval::Kalahari(Kalahari::default())
        }
        _ => KalahEval::Stores(Stores),
    })
}

fn net_for_kalah(spec: GameSpec) -> Option<KalahEval> {
    Net::of_game(spec).ok().map(KalahEval::Net)
}

/// There is no trained evaluation of Isolation yet.
fn none_for_isolation(_: GameSpec) -> Option<IsolationEval> {
    None
}

fn best_for_isolation(spec: GameSpec) -> IsolationEval {
    IsolationEval::Reach(Reach::of_rule(spec))
}

registry! {
    /// The named evaluations of Kalah.
    KalahEval: Kalah<B: Board> at B, by choice best_for_kalah, learned net_for_kalah, plainest Stores;
    "net" Net "a net that has learned from deep searches; net:FILE for one of your own; hundredths of a seed",
    "kalahari" Kalahari "our own: stores, rows, extra turns, captures, fitted to deep searches; hundredths of a seed",
    "stores" Stores "difference of the stores",
    "weighted" Weighted "weight (18) times the difference of the stores, plus the difference of the rows",
    "again" Again "difference of the stores, plus or minus bonus (6) for an extra turn",
    "hash" HashEval "a random number made from the position, to test searches",
}

registry! {
    /// The named evaluations of Isolation.
    IsolationEval: Isolation<B: Bits> at IsolationPosition<B>, by choice best_for_isolation, learned none_for_isolation, plainest Mobility;
    "reach" Reach "cells the mover gets to first minus cells the opponent gets to first",
    "mobility" Mobility "own steps minus the opponent's",
    "phased" Phased "first toward the centre, then room, centre and open steps",
    "hash" HashEval "a random number made from the position, to test searches",
}
