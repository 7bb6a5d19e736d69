//! Learning from games: replaying lines of moves, analysing positions move by move, reviewing games, and puzzles.
//!
//! This crate draws and sends nothing. Every score says whether it is proven.

#![forbid(unsafe_code)]

mod analysis;
mod line;
pub mod puzzle;
mod review;
#[cfg(not(target_family = "wasm"))]
pub mod turnstile;

pub use analysis::{Analysis, Deepened, MoveScore, PartProof};
pub use line::{Line, LineError, Played};
pub use review::{
    Blunder, Effort, Figures, JudgedMove, Judgement, Loss, Phase, PlayerReview, Review,
    player_reviews, review,
};
#[cfg(not(target_family = "wasm"))]
pub use review::{
    GameToReview, ReviewError, ReviewIdentity, ReviewSpec, ReviewedGame, review_games,
};
