//! The one place that turns a spec such as `engine:time=100ms` into a player.
//!
//! ```
//! use kalahari_agents::{AgentSpec, Player};
//! use kalahari_games::{Game, kalah::Kalah};
//! use kalahari_search::{Limits, Stop};
//!
//! let spec: AgentSpec = "alphabeta:depth=6,eval=weighted".parse()?;
//! let game = Kalah::default();
//! let mut player = Player::new(&spec, &game, 1)?;
//! let report = player.choose(game.start(), Limits::default(), &Stop::new());
//! assert!(report.best.is_some());
//! # Ok::<(), kalahari_agents::AgentError>(())
//! ```

mod books;
mod build;
mod catalogue;
mod once;
mod options;
mod perfect;
mod player;
mod proofs;
mod seeds;
mod spec;
mod ugi;
mod units;

pub use books::{BookPlace, opening_book, shipped_books};
pub use catalogue::{KINDS, Kind};
pub use player::{Player, parameters, try_out};
pub use spec::{AgentError, AgentSpec};
pub use ugi::serve;
pub use units::{format_duration, parse_duration};
