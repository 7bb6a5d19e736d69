//! The exact rules of two games, [Kalah](kalah) and [Isolation](isolation), and nothing else.
//!
//! There is no search here, no clock, no file, and nothing random. A [`Game`] is a rule set
//! such as `kalah:6x4:standard`; its positions are small `Copy` values that say who moves.
//! Strict alternation is never assumed: Kalah has extra turns, `trail` Isolation has passes.
//!
//! Text becomes a [`GameSpec`] by `FromStr`, and a spec becomes a game by [`AnyGame::new`], whose type
//! [`with_game!`] gives back. Every other text is read by the game it belongs to:
//!
//! ```
//! use kalahari_games::{Game, kalah::{Kalah, KalahSpec, Packed, Pit}};
//!
//! let spec: KalahSpec = "kalah:6x4".parse()?;
//! let game = Kalah::<Packed>::new(spec)?;
//! let extra_turn = game.play(&game.start(), Pit(2))?;
//! assert_eq!(game.position_text(&extra_turn), "4 4 0 5 5 5 1 4 4 4 4 4 4 0 0");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

pub mod isolation;
pub mod kalah;
pub mod story;

mod actions;
mod any;
mod error;
mod game;
mod outcome;
mod perft;
mod player;
mod spec;
mod text;

pub use actions::Actions;
pub use any::{AnyGame, AnyMove, AnyMoves, AnyPosition, Typed, View};
pub use error::{IllegalMove, MoveTextError, PositionError, SpecError};
pub use game::Game;
pub use outcome::{Outcome, Verdict};
pub use perft::perft;
pub use player::Player;
pub use spec::{GameKind, GameSpec};
pub use text::is_remark;
