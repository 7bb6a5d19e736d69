//! Arguments that matches and tournaments share.

use crate::arguments::LimitFlags;
use clap::Args;
use kalahari_arena::{Adjudicate, Rules, TimeControl};
use kalahari_games::GameSpec;
pub(crate) use kalahari_storage::cache_home as cache_folder;
use kalahari_terms::parse_duration;
use std::path::PathBuf;
use std::time::Duration;

/// How games are played and kept.
#[derive(Clone, Debug, Args)]
pub(crate) struct RunFlags {
    /// The game
    #[arg(long, value_name = "GAME", default_value = "kalah:6x6:standard")]
    pub(crate) game: GameSpec,

    /// What all random choices are made from
    #[arg(long = "seed", value_name = "S", default_value_t = 1)]
    pub(crate) rng_seed: u64,

    /// start, random:K, balanced:K, or a file with a position or list of moves a line [default: start if an
    /// agent is random, otherwise balanced:6]
    #[arg(long, value_name = "OPENINGS")]
    pub(crate) openings: Option<String>,

    #[command(flatten)]
    limits: LimitFlags,

    /// A clock for the whole game and what a move adds, such as 10s+0.1s
    #[arg(long, value_name = "CLOCK", conflicts_with = "time")]
    tc: Option<TimeControl>,

    /// How late a move may come before it loses the game
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "200ms")]
    grace: Duration,

    /// End games early: majority (a store has more than half) or proven (both agents agree)
    #[arg(long, value_name = "HOW", default_value = "never")]
    adjudicate: Adjudicate,

    /// How many games are played at once [default: one a core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: Option<u16>,

    /// Keep every finished game in this SQLite file, and go on where an earlier run stopped
    #[arg(long, value_name = "FILE")]
    pub(crate) db: Option<PathBuf>,

    /// Go on with what is in the file even if another version of the program, of its tables or of a bot has played it
    #[arg(long, requires = "db")]
    pub(crate) mix: bool,
}

impl RunFlags {
    pub(crate) fn rules(&self) -> Rules {
        Rules {
            limits: self.limits.limits(),
            clock: self.tc,
            grace: self.grace,
            adjudicate: self.adjudicate,
        }
    }

    pub(crate) fn concurrency(&self) -> usize {
        self.concurrency.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        )
    }
}
