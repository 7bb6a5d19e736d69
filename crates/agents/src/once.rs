//! Makes agents of the games that there are in this crate alone.
//!
//! Searches are generic, and a generic function is compiled in every crate that names its types. Whoever makes a
//! [`Player`](crate::Player) comes through here, where the types are named once: no other crate compiles a search.

use crate::build::{Built, build};
use crate::{AgentError, AgentSpec};
use kalahari_games::isolation::{Isolation, Wide256};
use kalahari_games::kalah::{Kalah, Packed, Wide};
use kalahari_search::Searchable;
use std::any::Any;

/// [`build`], compiled here for each of these games.
macro_rules! build_one_of {
    ($spec:expr, $game:expr, $seed:expr; $($concrete:ty),+) => {
        $({
            fn build_it(spec: &AgentSpec, game: &$concrete, seed: u64) -> Result<Built<$concrete>, AgentError> {
                build(spec, game, seed)
            }
            if let Some(game) = $game.downcast_ref::<$concrete>() {
                let built: Box<dyn Any> = Box::new(build_it($spec, game, $seed)?);
                if let Ok(built) = built.downcast() {
                    return Ok(*built);
                }
            }
        })+
    };
}

/// The agent of a spec for a game. `seed` is used unless the spec names one.
pub(crate) fn build_once<G: Searchable>(
    spec: &AgentSpec,
    game: &G,
    seed: u64,
) -> Result<Built<G>, AgentError> {
    let any: &dyn Any = game;
    build_one_of!(
        spec, any, seed;
        Kalah<Packed>, Kalah<Wide>, Isolation<u64>, Isolation<u128>, Isolation<Wide256>
    );
    Err(spec.error(format!("there are no agents for {}", game.spec())))
}

#[cfg(test)]
mod tests {
    use crate::{AgentSpec, parameters};

    #[test]
    fn every_kind_of_board_is_known() {
        let spec: AgentSpec = "engine".parse().expect("a spec");
        let games = [
            "kalah:6x4",
            "kalah:12x4",
            "kalah:12x20",
            "isolation:8x8:trail",
            "isolation:9x11:knight",
            "isolation:15x15:queen",
            "isolation:16x16:classic",
        ];
        for game in games {
            let found = parameters(&spec, game.parse().expect("a game"));
            assert!(found.is_ok(), "{game}: {found:?}");
        }
    }
}
