//! Arguments that matches and tournaments share.

use crate::arguments::LimitFlags;
use crate::interrupt;
use crate::origin::origin;
use clap::Args;
use kalahari_arena::{Adjudicate, ArenaError, Hands, Rules, Store, TimeControl};
use kalahari_games::GameSpec;
pub(crate) use kalahari_storage::cache_home as cache_folder;
use kalahari_terms::parse_duration;
use std::path::PathBuf;
use std::time::Duration;

/// The game if none is named.
pub(crate) const DEFAULT_GAME: &str = "kalah:6x6:standard";

/// What is played, and how long a move may take.
#[derive(Clone, Debug, Args)]
pub(crate) struct GameFlags {
    /// The game
    #[arg(long, value_name = "GAME", default_value = DEFAULT_GAME)]
    pub(crate) game: GameSpec,

    #[command(flatten)]
    limits: LimitFlags,

    /// How late a move may come before it loses the game
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "200ms")]
    grace: Duration,
}

impl GameFlags {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            limits: self.limits.limits(),
            grace: self.grace,
            ..Rules::default()
        }
    }
}

/// How games are played and kept.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunFlags {
    #[command(flatten)]
    what: GameFlags,

    /// The seed of all random choices
    #[arg(long = "seed", value_name = "S", default_value_t = 1)]
    pub(crate) rng_seed: u64,

    /// start, random:K, balanced:K, or a file with one position or list of moves per line [default: start if an
    /// agent is random, otherwise balanced:6]
    #[arg(long, value_name = "OPENINGS")]
    pub(crate) openings: Option<String>,

    /// A clock for the whole game and the time that each move adds, such as 10s+0.1s
    #[arg(long, value_name = "CLOCK", conflicts_with = "time")]
    tc: Option<TimeControl>,

    /// End games early: majority (the winner can no longer change) or proven (both agents agree)
    #[arg(long, value_name = "HOW", default_value = "never")]
    adjudicate: Adjudicate,

    /// How many games are played at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// Keep every finished game in this SQLite file, and continue where an earlier run stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Continue the games in the file even if they were played by another version of the program, its tables or a bot
    #[arg(long, requires = "db")]
    pub(crate) mix: bool,
}

impl RunFlags {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            clock: self.tc,
            adjudicate: self.adjudicate,
            ..self.what.rules()
        }
    }

    pub(crate) fn game(&self) -> GameSpec {
        self.what.game
    }

    /// The store, if games are kept.
    pub(crate) fn store(&self) -> Result<Option<Store>, ArenaError> {
        let store = self
            .db
            .as_deref()
            .map(Store::open_for_matches)
            .transpose()?;
        Ok(store.map(|store| store.signed(origin())))
    }

    /// How many threads play games and look for openings, until Ctrl-C.
    pub(crate) fn hands(&self) -> Hands<'static> {
        Hands {
            threads: self.concurrency(),
            cache: cache_folder(),
            stop: interrupt::stop(),
        }
    }

    pub(crate) fn concurrency(&self) -> usize {
        self.concurrency.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }
}
