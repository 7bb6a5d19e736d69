//! Turns a spec such as `engine:time=100ms` into a player.
//!
//! ```
//! use kalahari_agents::{AgentSpec, Player};
//! use kalahari_games::{AnyGame, Game};
//! use kalahari_terms::{Limits, Stop};
//!
//! let spec: AgentSpec = "alphabeta:depth=6,eval=weighted".parse()?;
//! let game = AnyGame::new("kalah:6x6".parse()?);
//! let mut player = Player::new(&spec, &game, 1)?;
//! let report = player.choose(&game.start(), Limits::NONE, &Stop::new())?;
//! assert!(report.best.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

#[cfg(not(target_family = "wasm"))]
mod bots;
mod build;
mod check;
mod courses;
mod error;
mod guest;
#[cfg(not(target_family = "wasm"))]
mod identity;
#[cfg(not(target_family = "wasm"))]
mod kgp;
mod kind;
mod mind;
mod named;
mod option_key;
mod options;
mod perfect;
mod player;
mod proofs;
#[cfg(not(target_family = "wasm"))]
mod python;
mod slices;
mod spec;
mod tables;
mod thinker;
mod typed;
#[cfg(not(target_family = "wasm"))]
mod ugi;

#[cfg(not(target_family = "wasm"))]
pub use bots::agents_of;
pub use error::{AgentError, AgentProblem};
pub use guest::Guest;
#[cfg(not(target_family = "wasm"))]
pub use identity::{Fingerprint, Version, fingerprint};
pub use kalahari_search::{Outlook, ProofWork};
#[cfg(not(target_family = "wasm"))]
pub use kgp::{Remote, board_of, setup_of};
pub use kind::{AgentKind, CourseProject, LEVEL_PATIENCE, LEVELS};
pub use mind::{Mind, NoAnswer, Question};
pub use named::{AgentName, NamedAgent};
pub use option_key::OptionKey;
pub use player::{AnyReport, Player, parameters, try_out};
pub use slices::{Slice, Slices};
pub use spec::AgentSpec;
pub use tables::{Notice, listen_to_notices, tables_before_play};
pub use thinker::{Listener, MakeMind, Thinker, Thought, Turn};
#[cfg(not(target_family = "wasm"))]
pub use ugi::serve;
