//! `net`: an evaluation by a trained net.
//!
//! The stores, plus what a net expects from the seeds in play. For the net and its files see `kalahari-net`; for how the
//! nets of the program were trained see `docs/training.md`.

use super::registry::{Named, WEIGHTS};
use super::{EvalError, Evaluation, Scale};
use crate::ParameterError;
use kalahari_games::GameSpec;
use kalahari_games::kalah::{Board, Kalah, KalahSpec};
use kalahari_net::{KIND, NetFile, POINT, shipped_net};
use kalahari_storage::Foreign;
use std::path::Path;
use std::sync::Arc;

/// The value of a search seldom differs from that of a deeper one by more than this, in seeds. Chosen by the number of
/// mistakes on solved positions of six pits: 1.5 and 2.5 are about as good.
const STRAY: i32 = 2;

/// The stores and a net, in hundredths of a seed.
#[derive(Clone, Debug)]
pub struct Net {
    net: Arc<kalahari_net::Net>,
}

impl Net {
    /// With any net that is made for positions like those of a game.
    pub fn new(net: Arc<kalahari_net::Net>) -> Self {
        Net { net }
    }

    /// With the program's net for a game, if there is one.
    pub fn shipped(game: KalahSpec) -> Option<Self> {
        shipped_net(game).map(Net::new)
    }

    /// With the net of a file, which has to fit the game.
    pub fn from_file(path: &Path, game: KalahSpec) -> Result<Self, EvalError> {
        let net = NetFile::open(path).map_err(EvalError::Net)?.net;
        if !net.shape().fits(game) {
            let subject = Foreign::Subject {
                found: net.shape().to_string(),
                wanted: game.to_string(),
            };
            return Err(EvalError::Net(KIND.error(path, subject)));
        }
        Ok(Net::new(Arc::new(net)))
    }
}

impl<B: Board> Evaluation<Kalah<B>> for Net {
    #[inline]
    fn evaluate(&self, game: &Kalah<B>, position: &B, _: bool) -> i32 {
        POINT * game.store_margin(position) + self.net.future(position)
    }

    fn scale(&self) -> Scale {
        Scale {
            stray: STRAY * POINT,
            ..Scale::seeds(POINT)
        }
    }
}

impl Named for Net {
    const FILES: &'static [&'static str] = &[WEIGHTS];
    const IS_LEARNED: bool = true;

    fn of_game(spec: GameSpec) -> Result<Self, EvalError> {
        Self::named(spec, &[])
    }

    fn named(spec: GameSpec, options: &[(&str, &str)]) -> Result<Self, EvalError> {
        let GameSpec::Kalah(game) = spec else {
            return Err(EvalError::NoNet { game: spec });
        };
        if let Some((name, _)) = options.iter().find(|(name, _)| *name != WEIGHTS) {
            let name = (*name).to_owned();
            let known = Vec::new();
            return Err(ParameterError::Unknown { name, known }.into());
        }
        match options.last() {
            Some((_, path)) => Net::from_file(Path::new(path), game),
            None => Net::shipped(game).ok_or(EvalError::NoNet { game: spec }),
        }
    }
}
